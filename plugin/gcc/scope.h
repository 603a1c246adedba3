// SPDX-License-Identifier: GPL-3.0-or-later
// States of GCC that last for a scope.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_SCOPE_H
#define PATHPROF_PLUGIN_GCC_SCOPE_H

namespace pathprof {

// The function's body is `cfun`.
class FunctionScope {
public:
  explicit FunctionScope(cgraph_node *node) { push_cfun(DECL_STRUCT_FUNCTION(node->decl)); }
  ~FunctionScope() { pop_cfun(); }
  FunctionScope(const FunctionScope &) = delete;
  FunctionScope &operator=(const FunctionScope &) = delete;
};

// GCC knows the loops of `cfun`.
class LoopScope {
public:
  LoopScope() { loop_optimizer_init(AVOID_CFG_MODIFICATIONS); }
  ~LoopScope() { loop_optimizer_finalize(); }
  LoopScope(const LoopScope &) = delete;
  LoopScope &operator=(const LoopScope &) = delete;
};

} // namespace pathprof

#endif
