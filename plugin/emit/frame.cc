// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code that maintains the frame of an activation (termination=exact).
#include <algorithm>
#include <cstddef>

#include "profile/format/abi.h"

#include "plugin/gcc/gcc.h"

#include "plugin/emit/frame.h"
#include "plugin/emit/frame_allocation.h"
#include "plugin/gcc/sequence.h"
#include "plugin/gcc/statements.h"

#include "core/numbering/prefix.h"

namespace pathprof {

ActivationFrame::ActivationFrame(const PlannedFunction &function, UnitVariables &variables,
                                 const RuntimeFunctions &runtime)
    : function_(function), variables_(variables), runtime_(runtime),
      frame_(create_tmp_reg(ptr_type_node, "pathframe")) {
  std::vector<char> calls(function.blocks.size(), 0);
  for (const PossibleEnd &site : function.calls)
    if (is_noted(site))
      calls[static_cast<size_t>(site.block)] = 1;
  stores_ = call_stores(function.plan->peeled.graph, function.plan->plan, calls);
  is_taken_ = blocks_with_frame(calls);
}

Arrival arrival_at(basic_block bb) {
  bool by_exception = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->preds) {
    if ((e->flags & EDGE_ABNORMAL) && !is_computed_goto(e))
      return Arrival::Jump;
    by_exception |= (e->flags & EDGE_EH) != 0;
  }
  return by_exception ? Arrival::Exception : Arrival::Ordinary;
}

// Adds to the set all blocks that are reachable from the blocks in the set or, if `forwards` is false, all blocks from
// which a block in the set is reachable.
static void close_over(std::vector<char> &set, const FlowGraph &graph, bool forwards) {
  std::vector<int> work;
  for (int block = 0; block < graph.num_blocks(); block++)
    if (set[static_cast<size_t>(block)])
      work.push_back(block);
  while (!work.empty()) {
    int block = work.back();
    work.pop_back();
    for (int e : forwards ? graph.succs(block) : graph.preds(block)) {
      int other = forwards ? graph.edge(e).dst : graph.edge(e).src;
      if (set[static_cast<size_t>(other)])
        continue;
      set[static_cast<size_t>(other)] = 1;
      work.push_back(other);
    }
  }
}

// Returns true if only a few edges enter or leave the set of blocks, and statements can be inserted on all of these
// edges.
bool ActivationFrame::has_few_borders(const std::vector<char> &set) const {
  constexpr int max_entrances = 3, max_exits = 4;
  const FlowGraph &graph = function_.plan->peeled.graph;
  int entrances = 0, exits = 0;
  for (int e = 0; e < graph.num_edges(); e++) {
    bool is_from = set[static_cast<size_t>(graph.edge(e).src)], is_to = set[static_cast<size_t>(graph.edge(e).dst)];
    if (is_from == is_to)
      continue;
    if (function_.edges[static_cast<size_t>(e)]->flags & EDGE_COMPLEX)
      return false;
    is_to ? entrances++ : exits++;
  }
  return entrances <= max_entrances && exits <= max_exits;
}

// Returns the blocks in which the activation has a frame: the blocks with the calls, and the blocks between two such
// calls. Control enters and leaves this region at most once. The frame is therefore allocated at most once, and paths
// without such a call need no frame. All blocks have the frame if too many edges cross the border of the region, or if
// no statement can be inserted on one of these edges. All blocks also have the frame if jumps arrive in the function,
// because a signal handler may jump there from any statement.
std::vector<char> ActivationFrame::blocks_with_frame(const std::vector<char> &calls) const {
  const FlowGraph &graph = function_.plan->peeled.graph;
  std::vector<char> behind(calls);
  bool is_jumped_to = false;
  for (size_t block = NUM_FIXED_BLOCKS; block < behind.size(); block++) {
    Arrival arrival = arrival_at(function_.blocks[block]);
    behind[block] |= arrival != Arrival::Ordinary;
    is_jumped_to |= arrival == Arrival::Jump;
  }
  std::vector<char> before(behind);
  close_over(behind, graph, true);
  close_over(before, graph, false);
  std::vector<char> between(behind.size());
  for (size_t block = NUM_FIXED_BLOCKS; block < between.size(); block++)
    between[block] = behind[block] && before[block];
  if (!optimize || is_jumped_to || !has_few_borders(between))
    std::fill(between.begin() + NUM_FIXED_BLOCKS, between.end(), 1);
  return between;
}

bool ActivationFrame::begins_on(int edge) const {
  const Edge &on = function_.plan->peeled.graph.edge(edge);
  return !is_taken_in(on.src) && is_taken_in(on.dst);
}

bool ActivationFrame::ends_on(int edge) const {
  const Edge &on = function_.plan->peeled.graph.edge(edge);
  return is_taken_in(on.src) && !is_taken_in(on.dst);
}

// Returns true if the call number must be stored in the frame before the call. No store is needed in two cases. If the
// call has no ordinary successor, the path is counted before the call. If the call returns twice, a new path starts
// after the call.
bool ActivationFrame::is_noted(const PossibleEnd &site) const {
  basic_block bb = gimple_bb(site.statement);
  bool goes_on = site.statement != compat_last_stmt(bb) || has_ordinary_succ(bb);
  return goes_on && !(starts_with_receiver(bb) && first_statement(bb) == site.statement);
}

// Returns one value for each call. If the sum of the edge values up to the call is known at compile time, the value
// encodes this sum. Otherwise, it encodes the amount that the runtime must add to the sum in the path register.
std::vector<int64_t> ActivationFrame::sums() const {
  std::vector<int64_t> sums;
  for (const PossibleEnd &site : function_.calls) {
    size_t block = static_cast<size_t>(site.block);
    int64_t behind = function_.plan->increments.deficit_at[block];
    const std::optional<int64_t> &known = stores_[block].known;
    sums.push_back(known ? (behind + *known) * 2 : behind * 2 + PATHPROF_SUM_IN_REGISTER);
  }
  return sums;
}

static tree frame_state(uint64_t state) {
  return build_int_cstu(word_type(), state);
}

// frame = enter (&frame_info);
void ActivationFrame::enter(gimple_seq *seq, const PathCounters &counters) {
  if (!info_)
    info_ = variables_.add_frame_info({function_.notes.name, function_.second_table, function_.notes.num_paths,
                                       counters.shift(), counters.base(), sums()});
  gcall *statement = gimple_build_call(runtime_.enter, 1, unshare_expr(info_));
  gimple_call_set_lhs(statement, frame_);
  gimple_seq_add_stmt(seq, statement);
}

// leave (frame);
gimple_seq ActivationFrame::leave() const {
  return call(runtime_.leave);
}

// frame->path_register = r; frame->call = 1 + place;
void ActivationFrame::note_calls(PathCounters &counters) const {
  PrefixNumbering numbering(function_.notes.num_paths, function_.notes.calls_by_block());
  int seen = ENTRY_BLOCK; // block of the preceding call
  for (const PossibleEnd &site : function_.calls) {
    if (!is_noted(site))
      continue;
    gimple_seq seq = nullptr;
    if (site.block != seen && stores_[static_cast<size_t>(site.block)].is_needed)
      store(&seq, offsetof(pathprof_frame, path_register), counters.register_word(&seq));
    seen = site.block;
    store(&seq, offsetof(pathprof_frame, call),
          word(static_cast<int64_t>(numbering.index_of_call(site.block, site.call)) + 1));
    gimple_stmt_iterator gsi = gsi_for_stmt(site.statement);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  }
}

// frame->call = PATHPROF_FRAME_COUNTED;
void ActivationFrame::note_count(gimple_seq *seq) const {
  store(seq, offsetof(pathprof_frame, call), frame_state(PATHPROF_FRAME_COUNTED));
}

// function (frame);
gimple_seq ActivationFrame::call(tree function) const {
  gimple_seq seq = nullptr;
  gimple_seq_add_stmt(&seq, gimple_build_call(function, 1, frame_));
  return seq;
}

// frame->field = value;
void ActivationFrame::store(gimple_seq *seq, size_t offset, tree value) const {
  gimple_seq_add_stmt(seq, gimple_build_assign(frame_field(frame_, offset), value));
}

} // namespace pathprof
