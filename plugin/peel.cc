// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/peel.h"

#include <algorithm>

#include "plugin/gcc.h"

namespace pathprof {

// A copy of the body costs space, and a tally a register.
static constexpr uint64_t kMaxBodyPaths = 4;
static constexpr size_t kMaxBlocks = 24;
static constexpr int kMaxStatements = 80;
// A loop that is left sooner costs more to leave than its counters in memory did.
static constexpr double kMinTrips = 2.5;

static bool is_block_operation(gimple *call) {
  return gimple_call_builtin_p(call, BUILT_IN_MEMCPY) || gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) ||
         gimple_call_builtin_p(call, BUILT_IN_MEMSET) || gimple_call_builtin_p(call, BUILT_IN_PREFETCH);
}

// Whether control surely passes a statement, and nothing looks at the counters meanwhile.
static bool surely_goes_on(gimple *statement) {
  if (gimple_code(statement) == GIMPLE_ASM || stmt_could_throw_p(cfun, statement))
    return false;
  if (!is_gimple_call(statement))
    return true;
  int flags = gimple_call_flags(statement);
  bool is_known = gimple_call_internal_p(statement) || gimple_call_builtin_p(statement);
  return (is_known && (flags & (ECF_CONST | ECF_PURE)) && !(flags & ECF_LOOPING_CONST_OR_PURE)) ||
         is_block_operation(statement);
}

static bool has_only_plain_edges(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_COMPLEX)
      return false;
  FOR_EACH_EDGE(e, ei, bb->preds)
    if (e->flags & EDGE_COMPLEX)
      return false;
  return true;
}

// The statements of a block; -1 if control may leave it otherwise than over its plain edges.
static int statements_of(basic_block bb) {
  if (!has_only_plain_edges(bb))
    return -1;
  int count = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    if (!surely_goes_on(gsi_stmt(gsi)))
      return -1;
    count += gimple_code(gsi_stmt(gsi)) != GIMPLE_LABEL;
  }
  return count;
}

static basic_block block_of(int index) { return BASIC_BLOCK_FOR_FN(cfun, index); }

// Whether control surely runs around the loop or leaves it by its exits.
static bool is_plain(const Loop &loop) {
  return std::all_of(loop.blocks.begin(), loop.blocks.end(),
                     [](int block) { return statements_of(block_of(block)) >= 0; });
}

static bool is_small(const Loop &loop) {
  int statements = 0;
  for (int block : loop.blocks)
    statements += statements_of(block_of(block));
  return statements <= kMaxStatements && loop.blocks.size() <= kMaxBlocks;
}

// GCC's idea of the same loop, or null.
static class loop *gcc_loop(const Loop &loop) {
  basic_block head = block_of(loop.head());
  class loop *found = head->loop_father;
  bool is_same = found && found->header == head && found->latch && !found->inner &&
                 found->num_nodes == loop.blocks.size() &&
                 std::all_of(loop.blocks.begin(), loop.blocks.end(),
                             [&](int block) { return block_of(block)->loop_father == found; });
  return is_same && can_duplicate_loop_p(found) ? found : nullptr;
}

namespace {

// GCC's loops, for a scope.
class LoopScope {
public:
  LoopScope() { loop_optimizer_init(AVOID_CFG_MODIFICATIONS); }
  ~LoopScope() { loop_optimizer_finalize(); }
  LoopScope(const LoopScope &) = delete;
  LoopScope &operator=(const LoopScope &) = delete;
};

} // namespace

std::vector<Loop> loops_worth_tallies(const FlowGraph &graph) {
  std::vector<Loop> loops;
  for (Loop &loop : innermost_loops(graph)) {
    uint64_t paths = num_body_paths(graph, loop);
    if (paths >= 1 && paths <= kMaxBodyPaths && trips(graph, loop) >= kMinTrips &&
        optimize_bb_for_speed_p(block_of(loop.head())) && is_plain(loop))
      loops.push_back(std::move(loop));
  }
  if (loops.empty())
    return loops;
  LoopScope scope;
  auto cannot_be_copied = [&](const Loop &loop) {
    return is_entered_on_paths(graph, loop) && !(is_small(loop) && gcc_loop(loop));
  };
  loops.erase(std::remove_if(loops.begin(), loops.end(), cannot_be_copied), loops.end());
  return loops;
}

static edge entry_edge(class loop *loop) {
  // The copies join the loop that the edge's source is in: not another that control leaves here.
  create_preheader(loop, CP_SIMPLE_PREHEADERS);
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, loop->header->preds)
    if (e->src != loop->latch)
      return e;
  gcc_unreachable();
}

// Copies the body to before the head.  What GCC demands of all loops holds for this one.
static void peel_one(class loop *loop) {
  edge entry = entry_edge(loop);
  loops_state_set(LOOPS_HAVE_PREHEADERS | LOOPS_HAVE_SIMPLE_LATCHES);
  auto_sbitmap wont_exit(2);
  bitmap_clear(wont_exit);
  bool done = gimple_duplicate_loop_body_to_header_edge(loop, entry, 1, wont_exit, NULL, NULL,
                                                        DLTHE_FLAG_UPDATE_FREQ);
  gcc_assert(done);
  loops_state_clear(LOOPS_HAVE_PREHEADERS | LOOPS_HAVE_SIMPLE_LATCHES);
}

static edge copy_of(edge original) {
  basic_block src = original->src;
  unsigned index = 0;
  while (EDGE_SUCC(src, index) != original)
    index++;
  return EDGE_SUCC(get_bb_copy(src), index);
}

PeeledCfg peel_cfg(const Peeled &peeled, const std::vector<edge> &edges) {
  PeeledCfg cfg;
  size_t num_blocks = static_cast<size_t>(n_basic_blocks_for_fn(cfun));
  for (size_t block = 0; block < num_blocks; block++)
    cfg.blocks.push_back(block_of(static_cast<int>(block)));
  cfg.edges = edges;
  if (cfg.blocks.size() == peeled.block_of.size())
    return cfg; // nothing to copy
  LoopScope scope;
  initialize_original_copy_tables();
  std::vector<class loop *> loops;
  for (const Loop &loop : peeled.loops)
    loops.push_back(gcc_loop(loop));
  for (size_t index = 0; index < loops.size(); index++) {
    if (!peeled.is_peeled[index])
      continue;
    peel_one(loops[index]);
    cfg.blocks[static_cast<size_t>(peeled.loops[index].head())] = loops[index]->header;
    for (size_t i = 0; i < peeled.loops[index].blocks.size(); i++)
      cfg.blocks.push_back(get_bb_copy(cfg.blocks[static_cast<size_t>(peeled.block_of[cfg.blocks.size()])]));
    while (cfg.edges.size() < static_cast<size_t>(peeled.graph.num_edges())) {
      edge original = edges[static_cast<size_t>(peeled.edge_of[cfg.edges.size()])];
      if (original->src->loop_father != loops[index])
        break;
      cfg.edges.push_back(copy_of(original));
    }
  }
  free_original_copy_tables();
  update_ssa(TODO_update_ssa);
  return cfg;
}

} // namespace pathprof
