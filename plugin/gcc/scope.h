// SPDX-License-Identifier: GPL-3.0-or-later
// Defines scopes during which GCC is in a certain state. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_SCOPE_H
#define PATHPROF_PLUGIN_GCC_SCOPE_H

namespace pathprof {

// Sets `cfun` to the body of the function for the lifetime of the object.
class FunctionScope {
public:
  explicit FunctionScope(cgraph_node *node) { push_cfun(DECL_STRUCT_FUNCTION(node->decl)); }
  ~FunctionScope() { pop_cfun(); }
  FunctionScope(const FunctionScope &) = delete;
  FunctionScope &operator=(const FunctionScope &) = delete;
};

// Makes GCC's loop structures for `cfun` available for the lifetime of the object.
class LoopScope {
public:
  LoopScope() { loop_optimizer_init(AVOID_CFG_MODIFICATIONS); }
  ~LoopScope() { loop_optimizer_finalize(); }
  LoopScope(const LoopScope &) = delete;
  LoopScope &operator=(const LoopScope &) = delete;
};

} // namespace pathprof

#endif
