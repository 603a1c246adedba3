// SPDX-License-Identifier: GPL-3.0-or-later
// How conditions are joined in the source.  GCC's trees have && and ||, too, but others where it has made !a || !b of
// !(a && b), and fewer where one of the operands is a constant.
#ifndef PATHPROF_PLUGIN_GCC_CONNECTIVES_H
#define PATHPROF_PLUGIN_GCC_CONNECTIVES_H

#include "plugin/gcc/excerpt.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

// At the place.
Connective connective_at(location_t location);

// What stands around a condition, as it was written.
struct AroundCondition {
  bool is_known = false;
  bool is_negated = false;   // by an odd number of '!' around it, and parentheses
  Connective before, behind; // that join this with others
  bool is_plain = false;     // nothing around all of it may turn it around
};

AroundCondition around_condition(source_range condition);

} // namespace pathprof

#endif
