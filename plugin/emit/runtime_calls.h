// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and rewrites calls of the runtime. Most of these calls are made only if a few inline instructions do not
// suffice.
#ifndef PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H
#define PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H

#include <string_view>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// runtime_function() returns the name of the runtime function that a statement calls, or null if it calls none. calls()
// returns true if the statement calls the runtime function `symbol`.
const char *runtime_function(gimple *statement);
bool calls(gimple *statement, std::string_view symbol);

// calls_of() returns the calls in `cfun` of the runtime function `symbol`; with `with_result`, only calls whose result
// is used. warm_calls_of() omits calls in cold blocks.
std::vector<gcall *> calls_of(std::string_view symbol, bool with_result);
std::vector<gcall *> warm_calls_of(std::string_view symbol, bool with_result);

// Applies `rewrite` to each of these calls in `cfun`, which must be in SSA form. `rewrite` may split blocks. SSA form
// is updated and dominance information is freed. Returns false if `calls` is empty.
bool rewrite_each(const std::vector<gcall *> &calls, void (*rewrite)(gcall *));

// Makes a call conditional. The condition precedes the call; if it is true, control executes `hit` instead of the call.
void branch_around(gcall *call, gcond *is_hit, gimple_seq hit);

// Makes a call with a result conditional, in SSA form. `new_call` replaces the call. Both `hit` and `new_call` set
// `in_hit`, which becomes the result.
void branch_around_result(gcall *call, gcond *is_hit, gimple_seq hit, tree in_hit, gimple *new_call);

// Returns true if calls of the runtime in this block are not expanded.
bool is_cold(basic_block bb);

} // namespace pathprof

#endif
