// SPDX-License-Identifier: GPL-3.0-or-later
// Combines the data of a function that several units contain.
#ifndef PATHPROF_PROFILE_MODEL_COMBINE_H
#define PATHPROF_PROFILE_MODEL_COMBINE_H

#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Adds the counts of `from` to `to`.  The two functions must have the same identity and model.
void add_counts(Function &to, const Function &from);

// Removes function bodies that the linker discarded.  If several units compiled an externally visible function
// differently, the linker kept only one body.  If one variant was executed, all variants that were not executed are
// treated as discarded.
void drop_shadows(std::vector<Function> &functions);

} // namespace pathprof

#endif
