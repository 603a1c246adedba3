// SPDX-License-Identifier: GPL-3.0-or-later
// Cleans up the CFG, SSA form and call graph edges of changed functions.
#include "plugin/cfg/clean.h"

#include "plugin/cfg/candidates.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"

namespace pathprof {

void clean_bodies() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    if (!has_own_body(node))
      continue;
    FunctionScope scope(node);
    if (gimple_in_ssa_p(cfun))
      update_ssa(TODO_update_ssa);
    cleanup_tree_cfg();
    if (gimple_in_ssa_p(cfun))
      update_ssa(TODO_update_ssa);
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    cgraph_edge::rebuild_edges();
    if (flag_checking)
      compat_verify_function();
  }
}

} // namespace pathprof
