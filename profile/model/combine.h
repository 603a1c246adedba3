// SPDX-License-Identifier: GPL-3.0-or-later
// A function that several units have.
#ifndef PATHPROF_PROFILE_MODEL_COMBINE_H
#define PATHPROF_PROFILE_MODEL_COMBINE_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Adds the counts of a function to those of another one of the same identity and model.
void add_counts(Function &to, const Function &from);

// Of an externally visible function that units compiled differently the linker kept one body.  Where
// one variant ran, those that did not are shadows of discarded bodies.
void drop_shadows(std::vector<Function> &functions);

} // namespace pathprof

#endif
