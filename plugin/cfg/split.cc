// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/split.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/graph/irreducible.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// All copies of a function together.
static constexpr int kMaxCopiedStatements = 200;

static unsigned core_flags(edge e) {
  return (e->flags & EDGE_ABNORMAL ? kAbnormal : 0u) | (e->flags & EDGE_EH ? kEh : 0u);
}

static int statements_in(basic_block bb) {
  int count = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
    count++;
  return count;
}

namespace {

// The graph of `cfun`, with GCC's edges.
struct Snapshot {
  FlowGraph graph{last_basic_block_for_fn(cfun)};
  std::vector<edge> edges;
  std::vector<int> sizes;
  bool has_abnormal = false;

  Snapshot() : sizes(static_cast<size_t>(last_basic_block_for_fn(cfun)), 0) {
    basic_block bb;
    FOR_BB_BETWEEN(bb, ENTRY_BLOCK_PTR_FOR_FN(cfun), NULL, next_bb) {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE(e, ei, bb->succs) {
        graph.add_edge(bb->index, e->dest->index, core_flags(e));
        edges.push_back(e);
        has_abnormal |= (e->flags & EDGE_ABNORMAL) != 0;
      }
      if (bb->index >= NUM_FIXED_BLOCKS)
        sizes[static_cast<size_t>(bb->index)] = statements_in(bb);
    }
  }
};

} // namespace

// The share of its executions that a block has from these edges.
static profile_count entered_by(const std::vector<edge> &entries) {
  profile_count sum = profile_count::zero();
  for (edge e : entries)
    sum += e->count();
  return sum;
}

static void copy_blocks(const Split &split, const std::vector<edge> &edges) {
  std::vector<basic_block> copies;
  std::vector<edge> entries;
  for (int e : split.entries)
    entries.push_back(edges[static_cast<size_t>(e)]);
  profile_count from_outside = entered_by(entries);
  initialize_original_copy_tables();
  for (int block : split.blocks) {
    basic_block original = BASIC_BLOCK_FOR_FN(cfun, block);
    copies.push_back(duplicate_block(original, NULL, NULL));
    for (unsigned i = 0; i < EDGE_COUNT(original->succs); i++)
      EDGE_SUCC(copies.back(), i)->goto_locus = EDGE_SUCC(original, i)->goto_locus;
  }
  auto copy_of = [&](basic_block bb) -> basic_block {
    auto at = std::lower_bound(split.blocks.begin(), split.blocks.end(), bb->index);
    bool is_copied = at != split.blocks.end() && *at == bb->index;
    return is_copied ? copies[static_cast<size_t>(at - split.blocks.begin())] : nullptr;
  };
  for (basic_block copy : copies) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, copy->succs)
      if (basic_block to = copy_of(e->dest))
        redirect_edge_and_branch(e, to);
  }
  add_phi_args_after_copy(copies.data(), static_cast<unsigned>(copies.size()), NULL);
  for (edge e : entries)
    flush_pending_stmts(redirect_edge_and_branch(e, copy_of(e->dest)));
  // Control comes to the copies as often as from outside: a guess, for edges inside are taken too.
  for (size_t i = 0; i < copies.size(); i++) {
    basic_block original = BASIC_BLOCK_FOR_FN(cfun, split.blocks[i]);
    if (!original->count.initialized_p() || !from_outside.initialized_p())
      continue;
    copies[i]->count = original->count < from_outside ? original->count : from_outside;
    original->count -= copies[i]->count;
  }
  free_original_copy_tables();
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  update_ssa(TODO_update_ssa);
}

// Before SSA form GCC's temporaries may be SSA names already, but cannot be given others in a copy.
void make_loops_reducible() {
  if (!gimple_in_ssa_p(cfun))
    return;
  int copied = 0;
  for (;;) {
    Snapshot now;
    std::optional<Split> split;
    if (!now.has_abnormal)
      split = find_split(now.graph, now.sizes);
    if (!split)
      return;
    for (int block : split->blocks) {
      copied += now.sizes[static_cast<size_t>(block)];
      if (!can_duplicate_block_p(BASIC_BLOCK_FOR_FN(cfun, block)))
        return;
    }
    if (copied > kMaxCopiedStatements)
      return;
    copy_blocks(*split, now.edges);
  }
}

} // namespace pathprof
