// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the functions with paths that may end without being counted after the function has returned.
#ifndef PATHPROF_PATHDUMP_MODEL_RETURNS_H
#define PATHPROF_PATHDUMP_MODEL_RETURNS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns a flag for each function of the profile. The flag is true if an interprocedural path can reach the end of the
// function, continue in the caller, and end in the caller without being counted. With termination=basic, this happens
// if the path reaches a call that never returns.
std::vector<char> functions_lost_behind(const Profile &profile);

} // namespace pathprof

#endif
