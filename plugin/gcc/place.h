// SPDX-License-Identifier: GPL-3.0-or-later
// Elements of the arrays that a translation unit gets.
#ifndef PATHPROF_PLUGIN_GCC_PLACE_H
#define PATHPROF_PLUGIN_GCC_PLACE_H

#include <cstdint>

union tree_node;

namespace pathprof {

// An element of an array of words.
struct Place {
  tree_node *array = nullptr;
  uint64_t index = 0;
};

// The address of an array's element, as a constant; `offset` (in elements) may lead out of the array.
tree_node *address_of(const Place &place, int64_t offset = 0);

} // namespace pathprof

#endif
