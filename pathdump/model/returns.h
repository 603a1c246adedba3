// SPDX-License-Identifier: GPL-3.0-or-later
// What happens to paths after their last function returned.
#ifndef PATHPROF_PATHDUMP_MODEL_RETURNS_H
#define PATHPROF_PATHDUMP_MODEL_RETURNS_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// By function of the profile: whether a path that runs to the function's end may be lost behind it.  A path goes on in
// the caller where that called it whole, and under basic termination is in no count if it comes to a call there that
// never returns.
std::vector<char> functions_lost_behind(const Profile &profile);

} // namespace pathprof

#endif
