// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the paths that a program executed last before a crash.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_CRASH_H
#define PATHPROF_PATHDUMP_WORKFLOW_CRASH_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/workflow/child.h"

namespace pathprof {

// The unfinished path of an open activation.
struct LastPath {
  std::string function; // assembler name
  uint64_t id;
};

// Returns true if the debugger and the script that defines its command `pathprof-last` are available.
bool can_find_last_paths();

// Repeats the run of a child process in the debugger, and returns the paths of the open activations at the crash,
// innermost first. Returns an empty list if the program does not crash again, or if no function was compiled with
// termination=exact. `file` is the name for the debugger's output.
std::vector<LastPath> last_paths(Child child, const std::string &file);

} // namespace pathprof

#endif
