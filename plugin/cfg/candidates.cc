// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/candidates.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

bool has_own_body(cgraph_node *node) {
  return gimple_has_body_p(node->decl) && !node->alias && !node->thunk && !node->former_thunk_p() &&
         !(node->clone_of && node->decl == node->clone_of->decl);
}

static bool is_ifunc_symbol(cgraph_node *node, void *) {
  return node->ifunc_resolver || lookup_attribute("ifunc", DECL_ATTRIBUTES(node->decl));
}

// GCC marks the symbol that the resolver decides on, which is an alias of the resolver.
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

} // namespace pathprof
