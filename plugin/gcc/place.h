// SPDX-License-Identifier: GPL-3.0-or-later
// Addresses elements of the arrays that the plugin adds to a translation unit.
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

// Returns the address of an array element as a constant. `offset` is measured in elements. The address may be outside
// the array.
tree_node *address_of(const Place &place, int64_t offset = 0);

} // namespace pathprof

#endif
