// SPDX-License-Identifier: GPL-3.0-or-later
// Commands that build and run programs.  Each declares its options and gives what runs it.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H
#define PATHPROF_PATHDUMP_WORKFLOW_WORKFLOW_H

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

// The operands are read when the command runs.
std::function<int()> declare_record(CLI::App &command, const Operands &operands);
std::function<int()> declare_build(CLI::App &command, const Operands &operands);
std::function<int()> declare_find_bug(CLI::App &command, const Operands &operands);
std::function<int()> declare_rebuild(CLI::App &command, const Operands &operands);

} // namespace pathprof

#endif
