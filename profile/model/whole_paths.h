// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the path IDs of functions without their truncated paths.
#ifndef PATHPROF_PROFILE_MODEL_WHOLE_PATHS_H
#define PATHPROF_PROFILE_MODEL_WHOLE_PATHS_H

#include <string>

#include "profile/model/profile.h"

namespace pathprof {

// Returns a key that is the same for all functions whose whole (not truncated) paths have the same IDs, regardless of
// `termination`. With exact termination, the IDs of truncated paths are greater than the IDs of all whole paths.
std::string numbers_of_whole_paths(const Function &function);

} // namespace pathprof

#endif
