// SPDX-License-Identifier: GPL-3.0-or-later
// Records running processes for a limited time.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_RECORDER_H
#define PATHPROF_PATHDUMP_WORKFLOW_RECORDER_H

#include <string>
#include <vector>

#include <sys/types.h>

namespace pathprof {

struct WhatToRecord {
  pid_t pid = 0;      // process ID, or 0 to record all processes that run `name`
  std::string name;   // name of the program
  double seconds = 0; // duration; 0: until Ctrl-C
  std::string file;   // name of the profile; empty: PROGRAM.recorded.pathprof
};

// Records the processes, writes the profile, prints a message to standard error, and returns the name of the profile.
// Throws Failure if the recording fails.
std::string record_processes(const WhatToRecord &what);

} // namespace pathprof

#endif
