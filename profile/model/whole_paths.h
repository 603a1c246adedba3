// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of paths that no call cut short.
#ifndef PATHPROF_PROFILE_MODEL_WHOLE_PATHS_H
#define PATHPROF_PROFILE_MODEL_WHOLE_PATHS_H

#include <string>

#include "profile/model/profile.h"

namespace pathprof {

// Equal for functions whose whole paths have the same numbers, whether their termination is exact or basic.  With exact
// termination, the paths that a call cut short have numbers above those of all whole paths.
std::string numbers_of_whole_paths(const Function &function);

} // namespace pathprof

#endif
