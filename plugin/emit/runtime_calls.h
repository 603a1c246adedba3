// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and rewrites calls of the runtime. Most of these calls are made only if a few inline instructions do not
// suffice.
#ifndef PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H
#define PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H

#include <string_view>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// runtime_function() returns the name of the runtime function that the statement calls, or null. calls() returns true
// if the statement calls the runtime function `symbol`.
const char *runtime_function(gimple *statement);
bool calls(gimple *statement, std::string_view symbol);

// Return the calls to the runtime function `symbol` in `cfun`. If `with_result` is true, only calls whose result is
// used are returned. warm_calls_of() excludes calls in cold blocks.
std::vector<gcall *> calls_of(std::string_view symbol, bool with_result);
std::vector<gcall *> warm_calls_of(std::string_view symbol, bool with_result);

// Calls `rewrite`, which may split blocks, for each call in `calls`. `cfun` must be in SSA form. SSA form is updated
// and dominance information is freed. Returns false if `calls` is empty.
bool rewrite_each(const std::vector<gcall *> &calls, void (*rewrite)(gcall *));

// Makes a call conditional. If the condition `is_hit` is true at run time, the statements `hit` are executed instead of
// the call.
void branch_around(gcall *call, gcond *is_hit, gimple_seq hit);

// Same as branch_around(), but for a call whose result is used in a function in SSA form. Replaces the call with `new_call`. Both
// `hit` and `new_call` assign the result to `in_hit`.
void branch_around_result(gcall *call, gcond *is_hit, gimple_seq hit, tree in_hit, gimple *new_call);

// Returns true if the block is cold, so that calls to the runtime in the block are not expanded.
bool is_cold(basic_block bb);

} // namespace pathprof

#endif
