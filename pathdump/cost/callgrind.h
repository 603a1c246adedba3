// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the cost measurements of valgrind's callgrind.
#ifndef PATHPROF_PATHDUMP_COST_CALLGRIND_H
#define PATHPROF_PATHDUMP_COST_CALLGRIND_H

#include <string>

#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

// The command that creates a callgrind file, as quoted in error messages.
inline const char *const kCallgrindCommand =
    "'PATHPROF_MODE=off valgrind --tool=callgrind --callgrind-out-file=FILE PROGRAM'";

// Returns the cost of each line in instrumented functions, measured in the first event type of the file. The inclusive
// cost of an uninstrumented callee, without the cost of instrumented functions and of the runtime, is attributed to the
// line of the call. Throws Failure if the file is invalid.
Measurement read_callgrind(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
