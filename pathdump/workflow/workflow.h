// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the commands of pathprof that build and run programs.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H
#define PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pathprof {

class Subcommand;

// Operands of a command line.
struct Operands {
  std::vector<std::string> settings; // plugin arguments KEY=VALUE before the program
  std::vector<std::string> program;  // program and its arguments, after "--"
};

// Options that `record` uses when it starts the program itself.
struct ProgramRuns {
  std::string file; // name or pattern of the profile; empty: PATHPROF_FILE or the default
  uint64_t runs = 1;
  uint64_t warm = 0; // number of preceding runs that are not counted
};

// Runs a program, prints the name of its profile, and returns the program's exit status.
int record_program(const ProgramRuns &options, const Operands &operands);

// Each of these functions adds the options of a subcommand to `command`, and returns a function that runs the
// subcommand with `operands`.
std::function<int()> declare_build(Subcommand &command, const Operands &operands);
std::function<int()> declare_find_bug(Subcommand &command, const Operands &operands);
std::function<int()> declare_rebuild(Subcommand &command, const Operands &operands);

} // namespace pathprof

#endif
