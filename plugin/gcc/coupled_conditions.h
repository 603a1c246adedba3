// SPDX-License-Identifier: GPL-3.0-or-later
// Conditions of a decision that test the same thing, such as x and !x, or a < b and b <= a.
//
// The trees of two conditions are compared, not their texts: a tree tells whether evaluation has side effects or reads
// something volatile, whether a comparison of floating-point numbers is false in both directions for a NaN, and which
// arguments a macro was used with.
#ifndef PATHPROF_PLUGIN_GCC_COUPLED_CONDITIONS_H
#define PATHPROF_PLUGIN_GCC_COUPLED_CONDITIONS_H

#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

struct Coupled {
  uint32_t back = 0;        // distance to the earlier condition that tests the same thing; 0: there is none
  bool is_opposite = false; // the earlier condition has the opposite value
};

// Returns, for each condition of a decision in the order of evaluation, the nearest earlier condition that always has
// the same or the opposite value. Between the two, no condition may have side effects.
std::vector<Coupled> couple(const std::vector<tree> &conditions);

} // namespace pathprof

#endif
