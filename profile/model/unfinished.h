// SPDX-License-Identifier: GPL-3.0-or-later
// Detects activations that never finished, in functions compiled with termination=basic.
//
// With termination=basic, exit, longjmp or an exception in a callee can end an activation in the middle of a path.
// Such a path is counted as a whole path if its counter is incremented before the call, and is not counted otherwise.
// A profile does not record which of the two happened, but it contains evidence that activations ended in this way:
//  - A function was entered more often than it was left.
//  - The function main returned less often than the program was executed.
//  - A path ended at a call that cannot return.  The activations of its callers never finished, up to the activation
//    that caught the exception or the jump.
//  - Control reached an exception handler from a call.
#ifndef PATHPROF_PROFILE_MODEL_UNFINISHED_H
#define PATHPROF_PROFILE_MODEL_UNFINISHED_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

struct Unfinished {
  // Functions with activations that certainly never finished: the index of each function and the number of these
  // activations, sorted by decreasing number.
  std::vector<std::pair<size_t, uint64_t>> known;
  uint64_t num_known = 0;       // sum of these numbers, a lower bound on the number of unfinished activations
  uint64_t num_caught = 0;      // number of times that an exception handler was reached from a call
  std::vector<size_t> affected; // functions whose counts may be wrong; empty if there is no evidence

  explicit operator bool() const { return !affected.empty(); }
};

// Searches a profile for unfinished activations.  Ignores functions that cannot be decoded.
Unfinished unfinished_of(const Profile &profile);

} // namespace pathprof

#endif
