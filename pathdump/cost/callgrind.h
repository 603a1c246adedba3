// SPDX-License-Identifier: GPL-3.0-or-later
// Reading what valgrind's callgrind measured.
#ifndef PATHPROF_PATHDUMP_COST_CALLGRIND_H
#define PATHPROF_PATHDUMP_COST_CALLGRIND_H

#include <string>

#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

// The command that writes the file, for messages.
inline const char *const kCallgrindCommand =
    "'PATHPROF_MODE=off valgrind --tool=callgrind --callgrind-out-file=FILE PROGRAM'";

// The costs by line of the first event.  The calls of functions that the profile does not have cost, on the caller's
// line, what they and all that they call cost, without what they call of the profile's functions.  Throws Failure.
Measurement read_callgrind(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
