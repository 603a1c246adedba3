// SPDX-License-Identifier: GPL-3.0-or-later
// Copies blocks of irreducible loops until all loops are reducible.
#include "plugin/cfg/split.h"

#include <optional>
#include <vector>

#include "core/graph/irreducible.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/copying.h"

namespace pathprof {

// Maximum number of statements that may be copied in a function.
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

// The current graph of `cfun`, the corresponding edges in GCC, and the number of statements in each block.
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

static void copy_blocks(const Split &split, const std::vector<edge> &edges) {
  std::vector<basic_block> blocks;
  std::vector<edge> entries;
  for (int block : split.blocks)
    blocks.push_back(BASIC_BLOCK_FOR_FN(cfun, block));
  for (int e : split.entries)
    entries.push_back(edges[static_cast<size_t>(e)]);
  copy_behind(entries, blocks);
}

// Functions that are not in SSA form are not changed. Some of GCC's temporaries may already be SSA names, and GCC
// cannot rename SSA names in a copy before the function is in SSA form.
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
