// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the operators that join conditions in the source. Trees also contain && and ||, but GCC changes !(a && b) to !a
// || !b and drops operators with a constant operand.
#ifndef PATHPROF_PLUGIN_GCC_CONNECTIVES_H
#define PATHPROF_PLUGIN_GCC_CONNECTIVES_H

#include "plugin/gcc/excerpt.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns the && or || operator at the source location. The kind is None if there is no such operator.
Connective connective_at(location_t location);

// The source text around a condition.
struct AroundCondition {
  bool is_known = false;
  bool is_negated = false;   // True if an odd number of '!' operators, with parentheses, negates the condition
  Connective before, behind; // Connectives before and after the condition
  bool is_plain = false;     // True if no surrounding expression can invert the condition
};

AroundCondition around_condition(source_range condition);

} // namespace pathprof

#endif
