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

  // Returns true if each thread has its own copy of the array, which is addressed relative to the base of a segment
  // register.
  bool is_in_segment() const;
};

// Returns true if each thread of the program can address its counters relative to the base of a segment register that
// no other code uses. This is the case in executables for x86-64 Linux, where the register is %gs.
bool has_thread_segment();

// Returns the type of the words that are addressed relative to the base of that segment register. All accesses to these
// words have this type, until the registers of a function are allocated (plugin/emit/thread_segment.h).
tree_node *segment_word_type();
bool is_segment_word_type(tree_node *type);

// Returns the address of an array element as a constant. `offset` is measured in elements. The address may be outside
// the array.
tree_node *address_of(const Place &place, int64_t offset = 0);

} // namespace pathprof

#endif
