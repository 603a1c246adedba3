// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the functions of a unit that can be instrumented.
#ifndef PATHPROF_PLUGIN_CFG_CANDIDATES_H
#define PATHPROF_PLUGIN_CFG_CANDIDATES_H

#include "profile/model/notes.h"

struct cgraph_node;

namespace pathprof {

// Returns true if the function has its own body, rather than being an alias or a thunk.
bool has_own_body(cgraph_node *node);

// Returns true if statements may be inserted into the function. Functions that the user or GCC's own profiler excludes
// are not changed. Functions that another unit defines are not changed either, because their bodies are available only
// for inlining. At stage=source, always_inline functions of other units may also be changed, because they have not been
// inlined yet.
bool may_be_changed(cgraph_node *node, Stage stage);

// Returns true if the function's code may be part of a transaction (-fgnu-tm). This is the case if the function
// contains a transaction, is declared as callable in transactions, or is called directly by a function of this kind.
// Must be called before GCC expands transactions. Code in an atomic transaction must not call the runtime, because GCC
// could not undo the effects of the call. Increments of counter arrays are undone together with the transaction.
bool may_run_in_transaction(cgraph_node *node);

} // namespace pathprof

#endif
