// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the functions that can be instrumented.
#include "plugin/cfg/candidates.h"

#include <unordered_set>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

bool has_own_body(cgraph_node *node) {
  return gimple_has_body_p(node->decl) && !node->alias && !node->thunk && !node->former_thunk_p() &&
         !(node->clone_of && node->decl == node->clone_of->decl);
}

static bool is_ifunc_symbol(cgraph_node *node, void *) {
  return node->ifunc_resolver || lookup_attribute("ifunc", DECL_ATTRIBUTES(node->decl));
}

// Returns true if the function is an ifunc resolver. GCC marks the ifunc symbol, which is an alias of the resolver,
// instead of the resolver itself.
static bool is_ifunc_resolver(cgraph_node *node) {
  return node->dispatcher_function || node->call_for_symbol_thunks_and_aliases(is_ifunc_symbol, nullptr, true);
}

static bool must_be_inlined(tree decl) {
  return DECL_DISREGARD_INLINE_LIMITS(decl) && lookup_attribute("always_inline", DECL_ATTRIBUTES(decl));
}

bool may_be_changed(cgraph_node *node, Stage stage) {
  tree decl = node->decl;
  return has_own_body(node) && DECL_SOURCE_LOCATION(decl) != BUILTINS_LOCATION &&
         (!DECL_EXTERNAL(decl) || (stage == Stage::Source && must_be_inlined(decl))) && !is_ifunc_resolver(node) &&
         !lookup_attribute("no_profile_instrument_function", DECL_ATTRIBUTES(decl)) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(decl));
}

// ---- transactions ----

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

// Returns true if the function has an attribute that permits transactions to call it.
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
