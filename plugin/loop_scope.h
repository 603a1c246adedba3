// SPDX-License-Identifier: GPL-3.0-or-later
// Include after plugin/gcc.h.
#ifndef PATHPROF_PLUGIN_LOOP_SCOPE_H
#define PATHPROF_PLUGIN_LOOP_SCOPE_H

namespace pathprof {

// GCC's loops, for a scope.
class LoopScope {
public:
  LoopScope() { loop_optimizer_init(AVOID_CFG_MODIFICATIONS); }
  ~LoopScope() { loop_optimizer_finalize(); }
  LoopScope(const LoopScope &) = delete;
  LoopScope &operator=(const LoopScope &) = delete;
};

} // namespace pathprof

#endif
