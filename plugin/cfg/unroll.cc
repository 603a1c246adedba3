// SPDX-License-Identifier: GPL-3.0-or-later
// Selects short loops for complete unrolling (mode=kiter).
#include "plugin/cfg/unroll.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "core/graph/loop.h"

#include "plugin/gcc/copying.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"
#include "plugin/cfg/trip_count.h"

namespace pathprof {

// Returns true if the block contains a call that GCC might inline later. The final size of the block is then unknown.
static bool has_calls(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    if (is_gimple_call(statement) && !gimple_call_internal_p(statement) && !gimple_call_builtin_p(statement))
      return true;
  }
  return false;
}

namespace {

// Maximum trip count of a loop that can be unrolled. GCC stores the unroll factor in 16 bits and reserves the largest
// value.
constexpr uint64_t kMostTrips = std::numeric_limits<unsigned short>::max() - 1;

class Unroller {
public:
  Unroller(const FlowGraph &graph, const PathModel &model)
      : graph_(graph), model_(model), size_(graph.num_blocks(), 0) {
    for (int block = kExitBlock + 1; block < graph.num_blocks(); block++)
      size_[block] = size_of(BASIC_BLOCK_FOR_FN(cfun, block));
  }

  // Asks GCC to unroll the loop if the loop is short. Must be called for inner loops before outer loops.
  void look_at(const Loop &loop) {
    class loop *in_gcc = BASIC_BLOCK_FOR_FN(cfun, loop.head())->loop_father;
    bool may_be_unrolled = is_wanted(loop) && in_gcc->header->index == loop.head() && in_gcc->unroll == 0 &&
                           optimize_loop_for_speed_p(in_gcc);
    (may_be_unrolled && unroll(loop, in_gcc) ? unrolled_ : others_).push_back(loop.head());
  }

private:
  static bool contains_any(const Loop &loop, const std::vector<int> &heads) {
    return std::any_of(heads.begin(), heads.end(), [&](int head) { return loop.contains(head); });
  }

  // Returns true if paths span several iterations of the loop or the loop contains an unrolled loop. Always returns
  // false if the loop contains calls, or loops that are not unrolled.
  bool is_wanted(const Loop &loop) const {
    bool spans = std::any_of(model_.loops.begin(), model_.loops.end(),
                             [&](const LoopIterations &one) { return one.head == loop.head() && one.k > 1; });
    return (spans || contains_any(loop, unrolled_)) && !contains_any(loop, others_) &&
           std::none_of(loop.blocks.begin(), loop.blocks.end(),
                        [](int block) { return has_calls(BASIC_BLOCK_FOR_FN(cfun, block)); });
  }

  // Asks GCC to unroll the loop. Returns false and does nothing if the trip count is unknown or the unrolled loop would
  // be too large.
  bool unroll(const Loop &loop, class loop *in_gcc) {
    std::optional<uint64_t> trip_count = known_trip_count(loop);
    if (!trip_count || *trip_count > static_cast<uint64_t>(param_max_completely_peel_times) ||
        *trip_count >= kMostTrips)
      return false;
    const std::vector<int> &succs = graph_.succs(loop.head());
    bool leaves_at_head =
        std::any_of(succs.begin(), succs.end(), [&](int e) { return !loop.contains(graph_.edge(e).dst); });
    auto num_bodies = static_cast<int64_t>(*trip_count) + !leaves_at_head;
    int64_t size = 0;
    for (int block : loop.blocks)
      size += size_[block];
    if (size * num_bodies > param_max_completely_peeled_insns)
      return false;
    for (int block : loop.blocks)
      size_[block] *= num_bodies;
    in_gcc->unroll = static_cast<unsigned short>(*trip_count + 1);
    return true;
  }

  const FlowGraph &graph_;
  const PathModel &model_;
  std::vector<int64_t> size_;          // Size of each block, multiplied by the copies of its unrolled loops
  std::vector<int> unrolled_, others_; // Headers of the loops
};

} // namespace

void unroll_short_iterations(const FlowGraph &graph, const PathModel &model) {
  LoopScope scope;
  Unroller unroller(graph, model);
  for (const Loop &loop : natural_loops(graph))
    unroller.look_at(loop);
}

} // namespace pathprof
