// SPDX-License-Identifier: GPL-3.0-or-later
// Which functions of a unit can be instrumented.
#ifndef PATHPROF_PLUGIN_CFG_CANDIDATES_H
#define PATHPROF_PLUGIN_CFG_CANDIDATES_H

#include "profile/model/notes.h"

struct cgraph_node;

namespace pathprof {

// Whether a node stands for a body that no other node has.
bool has_own_body(cgraph_node *node);

// Whether statements may be inserted: not into what users and GCC's own profiler leave alone, nor into bodies that only
// help to optimise, since another unit has the function.  At `source` those of them that must be inlined are not yet.
bool may_be_changed(cgraph_node *node, Stage stage);

// Returns true if code of the function may be part of a transaction (-fgnu-tm): the function contains one, is declared
// to run in one, or is called directly by such a function.  GCC has not yet expanded transactions.  Code in an atomic
// transaction may call only functions whose effects GCC can undo, and the runtime's are not among them.  Counters in
// arrays are undone together with the transaction.
bool may_run_in_transaction(cgraph_node *node);

} // namespace pathprof

#endif
