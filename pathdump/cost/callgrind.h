// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the cost measurements of valgrind's callgrind.
#ifndef PATHPROF_PATHDUMP_COST_CALLGRIND_H
#define PATHPROF_PATHDUMP_COST_CALLGRIND_H

#include <string>

#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

// The command that produces the file; error messages quote it.
inline const char *const kCallgrindCommand =
    "'PATHPROF_MODE=off valgrind --tool=callgrind --callgrind-out-file=FILE PROGRAM'";

// Returns the cost of each line, measured by the first event of the file. The cost of a call from an instrumented
// function to an uninstrumented function is attributed to the line of the call; it excludes the instrumented functions
// and the runtime that the callee enters. Throws Failure if the file is invalid.
Measurement read_callgrind(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
