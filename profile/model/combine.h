// SPDX-License-Identifier: GPL-3.0-or-later
// Combines the data of a function that several units contain.
#ifndef PATHPROF_PROFILE_MODEL_COMBINE_H
#define PATHPROF_PROFILE_MODEL_COMBINE_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Adds the counts of `from` to `to`.  The two functions must have the same identity and model.
void add_counts(Function &to, const Function &from);

// Removes function bodies that the linker probably discarded.  If several units of a program compiled a weak function
// (kWeak) differently, the linker kept only one body.  A variant of a weak function that was not executed is treated as
// discarded if the variants that were executed contain all of its lines.  Other functions are never discarded: a
// variant that was not executed belongs to another program or shared library.
void drop_shadows(std::vector<Function> &functions);

} // namespace pathprof

#endif
