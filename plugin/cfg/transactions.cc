// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/transactions.h"

#include <unordered_set>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

static bool has_transaction(cgraph_node *node) {
  function *body = DECL_STRUCT_FUNCTION(node->decl);
  if (!body || !body->cfg)
    return false;
  basic_block bb;
  FOR_EACH_BB_FN(bb, body)
    if (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi) && gimple_code(gsi_stmt(gsi)) == GIMPLE_TRANSACTION)
      return true;
  return false;
}

// Returns true if an attribute says that transactions call the function.
static bool is_declared_for_transactions(cgraph_node *node) {
  for (tree attributes : {TYPE_ATTRIBUTES(TREE_TYPE(node->decl)), DECL_ATTRIBUTES(node->decl)})
    for (const char *name : {"transaction_safe", "transaction_callable", "transaction_safe_dynamic"})
      if (lookup_attribute(name, attributes))
        return true;
  return false;
}

bool may_run_in_transaction(cgraph_node *node) {
  if (!flag_tm)
    return false;
  std::unordered_set<cgraph_node *> seen{node};
  std::vector<cgraph_node *> work{node};
  while (!work.empty()) {
    cgraph_node *function = work.back();
    work.pop_back();
    if (has_transaction(function) || is_declared_for_transactions(function))
      return true;
    for (cgraph_edge *call = function->callers; call; call = call->next_caller)
      if (seen.insert(call->caller).second)
        work.push_back(call->caller);
  }
  return false;
}

} // namespace pathprof
