// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that build and run programs.  Each declares its options and gives what runs it.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H
#define PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace pathprof {

// What stands on the command line besides options.
struct Operands {
  std::vector<std::string> settings; // KEY=VALUE, before the program: arguments of the plugin
  std::vector<std::string> program;  // with its arguments, behind "--"
};

// Runs of a program.
struct ProgramRuns {
  std::string file; // the profile, or its pattern; empty: as the environment says
  uint64_t runs = 1;
  uint64_t warm = 0; // before these, without counting
};

// Runs a program, says where its profile is, and returns how it ended.
int record_program(const ProgramRuns &options, const Operands &operands);

// The operands are read when the command runs.
std::function<int()> declare_build(CLI::App &command, const Operands &operands);
std::function<int()> declare_find_bug(CLI::App &command, const Operands &operands);
std::function<int()> declare_rebuild(CLI::App &command, const Operands &operands);

} // namespace pathprof

#endif
