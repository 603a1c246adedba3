// SPDX-License-Identifier: GPL-3.0-or-later
// Activations that never finished, in functions compiled with termination=basic.
//
// With termination=basic, the path that an activation is on when exit, longjmp or an exception ends it in a callee is
// counted as a whole path if its counter happens to precede the call, and is not counted otherwise.  A profile does not
// say which of the two happened, but it has evidence that activations ended like this:
//  - a function was entered more often than it was left,
//  - main returned less often than the program ran,
//  - a path ended at a call that cannot return: its callers never finished, up to the one that caught it, and
//  - control came from a call to a handler of exceptions.
#ifndef PATHPROF_PROFILE_MODEL_UNFINISHED_H
#define PATHPROF_PROFILE_MODEL_UNFINISHED_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

struct Unfinished {
  // Indices of functions and how many of their activations are known never to have finished, by decreasing number.
  std::vector<std::pair<size_t, uint64_t>> known;
  uint64_t num_known = 0;       // sum of these: at least so many activations never finished
  uint64_t num_caught = 0;      // times that control came from a call to a handler of exceptions
  std::vector<size_t> affected; // functions whose counts may be wrong; empty if there is no evidence

  explicit operator bool() const { return !affected.empty(); }
};

// Functions that cannot be decoded are ignored.
Unfinished unfinished_of(const Profile &profile);

} // namespace pathprof

#endif
