// SPDX-License-Identifier: GPL-3.0-or-later
// Counting in the inline cache, or the array, of a table (profile/format/abi.h) without a call.
#ifndef PATHPROF_PLUGIN_EMIT_INLINE_CACHE_H
#define PATHPROF_PLUGIN_EMIT_INLINE_CACHE_H

#include <vector>

#include "plugin/options/arguments.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// What a slot of a table has as the key of the path with this number: one that is not 0.
tree key_of(gimple_seq *seq, tree id);

// Which path a call counts, in which inline cache.
enum class CountCall {
  Function, // count (table, key, cache)
  Program,  // count_program (table, key, cache), of a program's size
  Residual, // residual (table, id, info, 1, cache)
};

// Each of these calls is made only where the path has no slot in the inline cache; else the count in that slot goes up.
// Calls that hardly ever run, and those in functions that GCC optimises for size, stay as they are.  Leaves no
// dominance information, and SSA form to be updated.
void look_into_inline_caches_first(const std::vector<gcall *> &counts, CountCall kind, Update update);

// Each of these calls, count_mapped (table, id, num_paths), is made only where the table has no array yet; else the
// counter in that goes up.  Likewise.
void look_for_array_first(const std::vector<gcall *> &counts, Update update);

} // namespace pathprof

#endif
