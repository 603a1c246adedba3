// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the runtime that are only made where there is more to do than a few instructions in their place.
#ifndef PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H
#define PATHPROF_PLUGIN_EMIT_RUNTIME_CALLS_H

#include <string_view>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

// The name of the runtime's function that is called, or null where none is; and whether it is that one.
const char *runtime_function(gimple *statement);
bool calls(gimple *statement, std::string_view symbol);

// Calls in `cfun` of the runtime's function of that name, but, `with_result`, for those whose result nobody uses; and
// those of them that are not in cold blocks.
std::vector<gcall *> calls_of(std::string_view symbol, bool with_result);
std::vector<gcall *> warm_calls_of(std::string_view symbol, bool with_result);

// Puts other code in the place of each of these calls, of `cfun` in SSA form, which may split blocks.  Leaves SSA form
// up to date, but no dominance information.  Whether there were any.
bool rewrite_each(const std::vector<gcall *> &calls, void (*rewrite)(gcall *));

// The condition stands before the call: where it holds, control goes through `hit` and around the call.
void branch_around(gcall *call, gcond *is_hit, gimple_seq hit);

// Likewise in SSA form, for a call with a result: it is `in_hit`, set in `hit`, where the condition holds.  The new
// call takes the place of the old one and sets `in_hit`, too.
void branch_around_result(gcall *call, gcond *is_hit, gimple_seq hit, tree in_hit, gimple *new_call);

// Whether calls of the runtime stay as they are there.
bool is_cold(basic_block bb);

} // namespace pathprof

#endif
