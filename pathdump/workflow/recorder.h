// SPDX-License-Identifier: GPL-3.0-or-later
// Recording running processes for a while.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_RECORDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_RECORDER_H

#include <string>
#include <vector>

#include <sys/types.h>

namespace pathprof {

struct WhatToRecord {
  pid_t pid = 0;      // 0: all of a name
  std::string name;   // of the program
  double seconds = 0; // 0: until the user ends it from the keyboard
  std::string file;   // of the profile; empty: made of the program's name
};

// Records, writes the profile, says so on standard error, and returns the profile's name.  Throws Failure.
std::string record_processes(const WhatToRecord &what);

} // namespace pathprof

#endif
