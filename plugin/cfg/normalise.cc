// SPDX-License-Identifier: GPL-3.0-or-later
// Changes a function's CFG before its graph is read.
#include "plugin/cfg/normalise.h"

#include <vector>

#include "plugin/cfg/loop_blocks.h"
#include "plugin/cfg/tail_calls.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// Inserts a block on each outgoing edge of a branch if the source line of the edge differs from the line of the branch.
// GCC's branch_prob (profile.cc) does the same.
static void give_edge_positions_a_block() {
  std::vector<edge> to_split;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    location_t last = last_position(bb);
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
    e->goto_locus =
        UNKNOWN_LOCATION; // The branch no longer needs this location, so that no later pass splits the edge again.
    single_succ_edge(split_edge(e))->goto_locus = locus;
  }
}

// Returns true if GCC's coverage pass splits the block after its labels. The block must have incoming abnormal edges.
// GCC splits blocks that have an edge to EXIT or an outgoing abnormal edge, or that contain a statement after which
// control might not continue.
static bool coverage_splits_after_labels(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->dest == EXIT_BLOCK_PTR_FOR_FN(cfun) || (e->flags & EDGE_ABNORMAL))
      return true;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
    if (stmt_can_terminate_bb_p(gsi_stmt(gsi)))
      return true;
  return EDGE_COUNT(bb->succs) == 0;
}

// Splits the block after its labels if necessary. Returns true if the ordinary edges into the block bypass the labels
// after the split.
static bool split_below_labels(basic_block bb, const std::vector<edge> &ordinary, ListedElsewhere &listed) {
  bool has_own_block = coverage_splits_after_labels(bb);
  if (starts_with_receiver(bb) || (ordinary.empty() && !has_own_block))
    return false;
  edge on = split_block_after_labels(bb);
  if (ordinary.empty())
    return false;
  bool enters_below = !gimple_in_ssa_p(cfun);
  basic_block below = enters_below && has_own_block ? split_edge(on) : on->dest;
  if (enters_below || !has_own_block)
    listed.labels[below] = bb;
  if (!enters_below)
    return false;
  // If an edge led from the original block to itself, this edge now leaves the lower half.
  for (edge in : ordinary)
    redirect_edge_and_branch(in, below);
  // The lower half is now the header of every loop whose header was the original block.
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
  return true;
}

// Does nothing if no abnormal edges enter the block. Otherwise, splits the block after its labels if necessary, and
// inserts blocks on some of its ordinary incoming edges: on the edge from ENTRY, and on truncation points whose source
// has other successors.
static void normalise_target(basic_block bb, ListedElsewhere &listed) {
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
  if (!abnormal)
    return;
  edge entry = find_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun), bb);
  bool are_cut = !split_below_labels(bb, ordinary, listed);
  for (edge in : ordinary) {
    basic_block src = in->src;
    if (in == entry)
      split_edge(in);
    else if (are_cut && !single_succ_p(src) && !(in->flags & EDGE_COMPLEX))
      listed.before[split_edge(in)] = src;
  }
}

// Splits blocks so that each fork is the last statement of its block.
static void split_behind_forks() {
  std::vector<gimple *> forks;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (is_fork(gsi_stmt(gsi)) && !stmt_ends_bb_p(gsi_stmt(gsi)) &&
          gsi_stmt(gsi) != gsi_stmt(gsi_last_nondebug_bb(bb)))
        forks.push_back(gsi_stmt(gsi));
  for (gimple *fork : forks)
    split_block(gimple_bb(fork), fork);
}

ListedElsewhere normalise_cfg(Stage stage) {
  ListedElsewhere listed;
  if (stage == Stage::Source)
    give_loops_their_blocks();
  if (stage != Stage::Late)
    give_edge_positions_a_block();
  give_tail_calls_their_return(stage == Stage::Late);
  split_behind_forks();
  std::vector<basic_block> blocks;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    blocks.push_back(bb);
  for (basic_block block : blocks)
    normalise_target(block, listed);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  compact_blocks();
  return listed;
}

} // namespace pathprof
