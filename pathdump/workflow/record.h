// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program and reports the profile that it writes.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_RECORD_H
#define PATHPROF_PATHDUMP_WORKFLOW_RECORD_H

#include <cstdint>
#include <string>
#include <vector>

namespace pathprof {

// Operands of a command that runs a program, such as a build.
struct Operands {
  std::vector<std::string> settings; // plugin arguments KEY=VALUE before the program
  std::vector<std::string> program;  // program and its arguments, after "--"
};

// Options that `record` uses when it starts the program itself.
struct ProgramRuns {
  std::string file; // name or pattern of the profile; empty: PATHPROF_FILE or the default
  uint64_t runs = 1;
  uint64_t warm = 0;          // number of preceding runs that are not counted
  std::string cost;           // tool that measures the cost (pathdump/workflow/cost_meter.h); empty: none
  bool no_test_names = false; // test runners do not name their tests (pathdump/workflow/test_names.h)
};

// Runs a program, prints the name of its profile, and returns the program's exit status.
int record_program(const ProgramRuns &options, const Operands &operands);

} // namespace pathprof

#endif
