// SPDX-License-Identifier: GPL-3.0-or-later
// Selects and peels loops whose paths are counted in registers.
#include "plugin/cfg/peel.h"

#include <algorithm>
#include <set>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/copying.h"
#include "plugin/gcc/scope.h"
#include "plugin/cfg/trip_count.h"

namespace pathprof {

// Maximum size of a loop body that may be copied. Larger loops are not peeled, because the code would grow too much.
static constexpr size_t kMaxBlocks = 30;
static constexpr int kMaxStatements = 80;
// Minimum expected number of iterations of a loop whose paths are counted in registers. If a loop has fewer iterations,
// writing the counts to memory at the exit would cost more than incrementing counters in memory. The second limit
// applies to loops that contain other loops. If such a loop has fewer iterations, GCC may later unroll the whole loop
// nest.
static constexpr double kMinTrips = 2.5;
static constexpr double kMinOuterTrips = 4;
// Minimum known trip count of an innermost loop that is counted at its exits. GCC may completely unroll a loop with a
// smaller trip count, and can then compute the loop's counts at compile time.
static constexpr uint64_t kMinKnownTripCount = 16;

static bool is_block_operation(gimple *call) {
  return gimple_call_builtin_p(call, BUILT_IN_MEMCPY) || gimple_call_builtin_p(call, BUILT_IN_MEMMOVE) ||
         gimple_call_builtin_p(call, BUILT_IN_MEMSET) || gimple_call_builtin_p(call, BUILT_IN_PREFETCH);
}

// Returns true if control always continues after the statement and no code that the statement executes can read the
// counters.
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

// Returns the number of statements in the block, or -1 if control can enter or leave the block in any way other than
// through an ordinary edge.
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

static basic_block block_of(int index) {
  return BASIC_BLOCK_FOR_FN(cfun, index);
}

// Returns true if control can leave the loop only through its exit edges, and not, for example, in a call.
static bool control_stays_on_edges(const Loop &loop) {
  return std::all_of(loop.blocks.begin(), loop.blocks.end(),
                     [](int block) { return statements_of(block_of(block)) >= 0; });
}

// Returns GCC's data structure for the loop. Returns null if GCC's loop consists of different blocks or cannot be
// copied.
static class loop *gcc_loop(const Loop &loop) {
  basic_block head = block_of(loop.head());
  class loop *found = head->loop_father;
  bool is_same = found && found->header == head && found->latch && loop.back_edges.size() == 1 &&
                 found->num_nodes == loop.blocks.size() &&
                 std::all_of(loop.blocks.begin(), loop.blocks.end(),
                             [&](int block) { return flow_bb_inside_loop_p(found, block_of(block)); });
  return is_same && can_duplicate_loop_p(found) ? found : nullptr;
}

namespace {

// Selects the loops to peel, and limits the amount of code that is copied. Inner loops must be passed to accept()
// before outer loops.
class PeelingBudget {
public:
  explicit PeelingBudget(const FlowGraph &graph) : graph_(graph) {}

  // Returns true if the loop may be peeled, or if its counts can be kept in registers without peeling. The blocks of
  // peeled inner loops are counted twice towards the limits, because peeling the outer loop copies them again.
  bool accept(const Loop &loop) {
    if (!is_entered_on_paths(graph_, loop))
      return true;
    int statements = 0;
    size_t blocks = loop.blocks.size();
    for (int block : loop.blocks)
      statements += statements_of(block_of(block));
    for (const Accepted &inner : accepted_)
      if (loop.contains(inner.head)) {
        statements += inner.statements;
        blocks += inner.blocks;
      }
    class loop *found = gcc_loop(loop);
    if (statements > kMaxStatements || blocks > kMaxBlocks || !found ||
        (found->inner && trips(graph_, loop) < kMinOuterTrips))
      return false;
    accepted_.push_back({loop.head(), statements, blocks});
    return true;
  }

private:
  // A loop to peel, and the amount of code that is copied to peel it.
  struct Accepted {
    int head;
    int statements;
    size_t blocks;
  };

  const FlowGraph &graph_;
  std::vector<Accepted> accepted_;
};

} // namespace

// Returns true if every iteration of the loop executes the same path. Branches in the blocks `inside_inner` are
// ignored, because these blocks belong to inner loops with known trip counts.
static bool has_one_path_around(const FlowGraph &graph, const Loop &loop, const std::set<int> &inside_inner) {
  return std::all_of(loop.blocks.begin(), loop.blocks.end(), [&](int block) {
    const std::vector<int> &succs = graph.succs(block);
    return inside_inner.count(block) ||
           std::count_if(succs.begin(), succs.end(), [&](int e) { return loop.contains(graph.edge(e).dst); }) == 1;
  });
}

// Returns the trip counts of the loops that may be counted at their exits. The trip count must be known, and every
// iteration must execute the same path. An innermost loop must also have a trip count of at least kMinKnownTripCount.
static TripCounts loops_with_known_trip_counts(const FlowGraph &graph, const std::vector<Loop> &loops) {
  TripCounts trip_counts;
  std::set<int> inside;            // Blocks of the loops found so far
  for (const Loop &loop : loops) { // Inner loops precede outer loops.
    uint64_t trip_count = has_one_path_around(graph, loop, inside) ? known_trip_count(loop).value_or(0) : 0;
    bool has_inner =
        std::any_of(loop.blocks.begin(), loop.blocks.end(), [&](int block) { return inside.count(block); });
    if (trip_count < (has_inner ? 1 : kMinKnownTripCount))
      continue;
    trip_counts[loop.head()] = trip_count;
    inside.insert(loop.blocks.begin(), loop.blocks.end());
  }
  return trip_counts;
}

LoopsInRegisters loops_in_registers(const FlowGraph &graph) {
  LoopsInRegisters found;
  for (Loop &loop : natural_loops(graph))
    if (trips(graph, loop) >= kMinTrips && optimize_bb_for_speed_p(block_of(loop.head())) &&
        control_stays_on_edges(loop))
      found.loops.push_back(std::move(loop));
  if (found.loops.empty())
    return found;
  found.trip_counts = loops_with_known_trip_counts(graph, found.loops);
  LoopScope scope;
  PeelingBudget budget(graph);
  auto is_none = [&](const Loop &loop) { return !found.trip_counts.count(loop.head()) && !budget.accept(loop); };
  found.loops.erase(std::remove_if(found.loops.begin(), found.loops.end(), is_none), found.loops.end());
  return found;
}

static edge entry_edge(class loop *loop) {
  // The preheader determines the loop to which the copied blocks will belong. This is the innermost loop that contains
  // both ends of the entry edge.
  create_preheader(loop, CP_SIMPLE_PREHEADERS);
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, loop->header->preds)
    if (e->src != loop->latch)
      return e;
  gcc_unreachable();
}

// Inserts a copy of the loop body before the loop header. GCC requires all loops to have preheaders and simple latches,
// but checks only the peeled loop, which has both.
static void peel_one(class loop *loop) {
  edge entry = entry_edge(loop);
  loops_state_set(LOOPS_HAVE_PREHEADERS | LOOPS_HAVE_SIMPLE_LATCHES);
  auto_sbitmap wont_exit(2);
  bitmap_clear(wont_exit);
  bool done = compat_peel(loop, entry, wont_exit, DLTHE_FLAG_UPDATE_FREQ);
  gcc_assert(done);
  loops_state_clear(LOOPS_HAVE_PREHEADERS | LOOPS_HAVE_SIMPLE_LATCHES);
}

PeeledCfg peel_cfg(const Peeled &peeled, const std::vector<edge> &edges) {
  PeeledCfg cfg;
  size_t num_blocks = static_cast<size_t>(n_basic_blocks_for_fn(cfun));
  for (size_t block = 0; block < num_blocks; block++)
    cfg.blocks.push_back(block_of(static_cast<int>(block)));
  cfg.edges = edges;
  if (peeled.copies.empty())
    return cfg;
  LoopScope scope;
  initialize_original_copy_tables();
  std::vector<class loop *> loops;
  for (const Peeled::Copy &copy : peeled.copies)
    loops.push_back(cfg.blocks[static_cast<size_t>(copy.blocks.front())]->loop_father);
  for (size_t index = 0; index < loops.size(); index++) {
    const Peeled::Copy &copy = peeled.copies[index];
    peel_one(loops[index]);
    cfg.blocks[static_cast<size_t>(copy.blocks.front())] = loops[index]->header;
    for (int block : copy.blocks)
      cfg.blocks.push_back(get_bb_copy(cfg.blocks[static_cast<size_t>(block)]));
    for (int e : copy.edges)
      cfg.edges.push_back(copied_edge(cfg.edges[static_cast<size_t>(e)]));
  }
  // Peeling may have copied a back edge of an outer loop.
  loops_state_set(LOOPS_NEED_FIXUP);
  free_original_copy_tables();
  update_ssa(TODO_update_ssa);
  return cfg;
}

} // namespace pathprof
