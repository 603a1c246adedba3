// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the common case of counting in a table (profile/format/abi.h): the inline cache or the array of the table.
#ifndef PATHPROF_PLUGIN_EMIT_INLINE_CACHE_H
#define PATHPROF_PLUGIN_EMIT_INLINE_CACHE_H

#include <vector>

#include "plugin/options/arguments.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// Returns the key under which a table stores the path with this ID. Keys are never 0.
tree key_of(gimple_seq *seq, tree id);

// Kind of a call that counts a path. The kind determines the arguments of the call and the size of its inline cache.
enum class CountCall {
  Function, // count (table, key, cache)
  Program,  // count_program (table, key, cache) with PATHPROF_PROGRAM_CACHE_SIZE slots
  Residual, // residual (table, id, info, 1, cache)
};

// Makes each call conditional: if the path is in the inline cache, its count is incremented inline. Calls in cold
// blocks and in functions that are optimised for size are not changed. Dominance information is freed, and SSA form
// must be updated afterwards.
void look_into_inline_caches_first(const std::vector<gcall *> &counts, CountCall kind, Update update);

// Makes each call to count_mapped (table, id, num_paths) conditional: if the table already has an array, the counter in
// this array is incremented inline. In all other respects, works like look_into_inline_caches_first().
void look_for_array_first(const std::vector<gcall *> &counts, Update update);

} // namespace pathprof

#endif
