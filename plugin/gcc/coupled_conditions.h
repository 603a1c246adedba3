// SPDX-License-Identifier: GPL-3.0-or-later
// Finds conditions of a decision that test the same value, such as x and !x, or a < b and b <= a.
//
// The trees of the conditions are compared instead of their source texts. A tree shows whether the evaluation has side
// effects or reads volatile data, whether a floating-point comparison and its inverse are both false for a NaN, and
// which arguments a macro was used with.
#ifndef PATHPROF_PLUGIN_GCC_COUPLED_CONDITIONS_H
#define PATHPROF_PLUGIN_GCC_COUPLED_CONDITIONS_H

#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

struct Coupled {
  uint32_t back = 0;        // Distance to the earlier condition that tests the same value, or 0
  bool is_opposite = false; // True if the earlier condition has the opposite value
};

// For each condition of a decision, finds the nearest earlier condition that always has the same or the opposite value.
// The conditions must be in evaluation order. None of the conditions in between may have side effects.
std::vector<Coupled> couple(const std::vector<tree> &conditions);

} // namespace pathprof

#endif
