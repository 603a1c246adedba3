// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the functions with paths that may end without being counted after the function has returned.
#ifndef PATHPROF_PATHDUMP_MODEL_RETURNS_H
#define PATHPROF_PATHDUMP_MODEL_RETURNS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Returns a flag for each function of the profile: true if a path that reaches the function's end may later end without
// being counted. After the function returns, an interprocedural path can continue in the caller. With
// termination=basic, the path is not counted if it then reaches a call that never returns.
std::vector<char> functions_lost_behind(const Profile &profile);

} // namespace pathprof

#endif
