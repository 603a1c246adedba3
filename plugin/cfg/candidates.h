// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the functions of a unit that can be instrumented.
#ifndef PATHPROF_PLUGIN_CFG_CANDIDATES_H
#define PATHPROF_PLUGIN_CFG_CANDIDATES_H

#include "profile/model/notes.h"

struct cgraph_node;

namespace pathprof {

// Returns true if the node has a body that it does not share with another node.
bool has_own_body(cgraph_node *node);

// Returns true if statements may be inserted into the function. Excluded are functions that the user or GCC's own
// profiler excludes, and functions that another unit defines and that this unit may only inline. At stage=source,
// functions that must be inlined are instrumented nevertheless, because they have not been inlined yet.
bool may_be_changed(cgraph_node *node, Stage stage);

// Returns true if the function's code may be part of a transaction (-fgnu-tm). A function may be part of a transaction
// if it contains one, is declared to be called in one, or is called directly by such a function. Must be called before
// GCC expands transactions. Code in an atomic transaction may call only functions whose effects GCC can undo, which the
// runtime's functions are not. GCC undoes increments of counter arrays together with the transaction.
bool may_run_in_transaction(cgraph_node *node);

} // namespace pathprof

#endif
