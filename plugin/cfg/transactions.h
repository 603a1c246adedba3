// SPDX-License-Identifier: GPL-3.0-or-later
// Transactional memory (-fgnu-tm): code in an atomic transaction may call only functions whose effects GCC can undo,
// and the runtime's are not among them.  Counters in arrays are undone together with the transaction.
#ifndef PATHPROF_PLUGIN_CFG_TRANSACTIONS_H
#define PATHPROF_PLUGIN_CFG_TRANSACTIONS_H

struct cgraph_node;

namespace pathprof {

// Returns true if code of the function may be part of a transaction: the function contains one, is declared to run in
// one, or is called directly by such a function.  GCC has not yet expanded transactions.
bool may_run_in_transaction(cgraph_node *node);

} // namespace pathprof

#endif
