// SPDX-License-Identifier: GPL-3.0-or-later
// CFG changes before instrumentation.
#include "plugin/normalise.h"

#include <vector>

#include "plugin/gcc.h"
#include "plugin/statements.h"

namespace pathprof {

static bool same_line(location_t a, location_t b) {
  return LOCATION_FILE(a) == LOCATION_FILE(b) && LOCATION_LINE(a) == LOCATION_LINE(b);
}

// The last position in a block, or an unknown one.
static location_t last_location(basic_block bb) {
  location_t location = UNKNOWN_LOCATION;
  for (gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb); !gsi_end_p(gsi); gsi_prev_nondebug(&gsi)) {
    location = gimple_location(gsi_stmt(gsi));
    if (!RESERVED_LOCATION_P(location))
      break;
  }
  return location;
}

// As branch_prob in GCC's profile.cc does.
static void give_edge_positions_a_block() {
  std::vector<edge> to_split;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    location_t last = last_location(bb);
    if (single_succ_p(bb) || RESERVED_LOCATION_P(last))
      continue;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->succs)
      if (!(e->flags & EDGE_ABNORMAL) && !RESERVED_LOCATION_P(e->goto_locus) && !same_line(e->goto_locus, last))
        to_split.push_back(e);
  }
  for (edge e : to_split) {
    location_t locus = e->goto_locus;
    e->goto_locus = UNKNOWN_LOCATION; // whoever comes next need not do this again
    single_succ_edge(split_edge(e))->goto_locus = locus;
  }
}

static void enter_below_labels(basic_block bb) {
  std::vector<edge> ordinary;
  bool abnormal = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->preds) {
    if (e->flags & EDGE_ABNORMAL)
      abnormal = true;
    else
      ordinary.push_back(e);
  }
  if (!abnormal || ordinary.empty() || starts_with_receiver(bb))
    return;
  basic_block lower = split_block_after_labels(bb)->dest;
  // A self loop leaves from the lower half now, like every other edge that left the block.
  for (edge in : ordinary)
    redirect_edge_and_branch(in, lower);
  // Loops that were entered and repeated at the labels have the lower half as their header now.
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
}

void normalise_cfg(Stage stage) {
  if (stage != Stage::Late)
    give_edge_positions_a_block();
  if (!gimple_in_ssa_p(cfun)) {
    std::vector<basic_block> blocks;
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      blocks.push_back(bb);
    for (basic_block block : blocks)
      enter_below_labels(block);
  }
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  compact_blocks();
}

} // namespace pathprof
