// SPDX-License-Identifier: GPL-3.0-or-later
// Places operations outside of loops as for acyclic paths, and adds the operations on windows inside loops.
#include "core/models/kiter_plan.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/models/kiter_graph.h"
#include "core/numbering/numbering.h"

namespace pathprof {

namespace {

using Vals = std::vector<int64_t>;

// Base class that places the operations on the path register.  Derived classes add the operations on windows.
class IterationsPlanner {
public:
  IterationsPlanner(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options)
      : original_(graph), builder_(graph, model), graph_(builder_.graph()), paths_(builder_.build()),
        numbering_(paths_), options_(options), outer_(graph_, identity(graph_)),
        loop_entered_at_(paths_.num_nodes(), -1) {
    options_.barriers.assign(graph_.num_blocks(), 0);
    for (size_t index = 0; index < builder_.loops().size(); index++) {
      loop_entered_at_[builder_.copies()[index].enter] = static_cast<int>(index);
      for (int block : builder_.loops()[index].loop.blocks)
        options_.barriers[block] = 1;
    }
  }

protected:
  static std::vector<int> identity(const FlowGraph &graph) {
    std::vector<int> blocks;
    for (int block = 0; block < graph.num_blocks(); block++)
      blocks.push_back(block);
    return blocks;
  }

  // Adds an edge to `outer_`, which contains each block once and is used to place the operations on the path register.
  // In `outer_`, a loop header is reached by the entry edges of the loop and by one edge for the paths that start at
  // the header.
  void add_outer(const PathEdge &edge, int dst, int64_t val) {
    PathEdge copy = edge;
    copy.dst = dst;
    outer_.add_edge(std::move(copy));
    outer_vals_.push_back(val);
  }

  void add_outer_starts() {
    for (const IteratedLoop &loop : builder_.loops()) {
      double frequency = frequency_of(graph_, loop.loop.back_edges);
      outer_.add_edge({PathEdgeKind::Start, kEntryBlock, loop.loop.head(), {}, frequency, false});
      outer_vals_.push_back(0);
    }
    outer_.sort_nodes();
  }

  // Returns the index of the loop that control enters at this node, or -1.
  int entered_at(int node) const { return loop_entered_at_[node]; }

  int block_at(int node) const {
    int loop = entered_at(node);
    return loop < 0 ? node : builder_.loops()[loop].loop.head();
  }

  bool is_block(int node) const { return node < graph_.num_blocks(); }

  bool is_collapsed(const PathEdge &edge) const { return builder_.collapsed_of(edge) >= 0; }

  // Returns the surrogate edge at which the paths from the loop header start.
  int start_edge(size_t loop) const {
    int first = builder_.copies()[loop].started.front().at(builder_.loops()[loop].loop.head());
    for (int e : paths_.preds(first))
      if (paths_.edge(e).kind == PathEdgeKind::Start)
        return e;
    return -1;
  }

  void enter(size_t index, Plan &plan) const {
    const IteratedLoop &loop = builder_.loops()[index];
    for (int e : graph_.preds(loop.loop.head()))
      if (!loop.is_back(e))
        plan.on_edge[e].push_back(op::Enter{index});
  }

  // Adds the operations inside collapsed loops.  While control is in a collapsed loop, the path register belongs to
  // that loop.
  void add_collapsed(Plan &plan) const {
    const CollapsedGraph &collapsed = builder_.collapsed();
    if (collapsed.loops.empty())
      return;
    std::vector<Plan> inside;
    for (size_t index = 0; index < collapsed.loops.size(); index++)
      inside.push_back(place_collapsed(static_cast<int>(index)));
    for (int e = 0; e < original_.num_edges(); e++) {
      const Edge &edge = original_.edge(e);
      int left = collapsed.left_by(edge), entered = collapsed.entered_by(edge), within = collapsed.loop_of[edge.src];
      Ops ops;
      if (within >= 0)
        append(ops, inside[within].on_edge[e]);
      if (left >= 0)
        ops.push_back(op::Restore{collapsed.loops[left].loop.head()});
      append(ops, plan.on_edge[e]);
      if (entered >= 0) {
        ops.push_back(op::Save{collapsed.loops[entered].loop.head()});
        append(ops, inside[entered].on_edge[e]);
      }
      plan.on_edge[e] = std::move(ops);
    }
    for (std::vector<Ops> *of_block : {&plan.at_start, &plan.before_end})
      of_block->resize(original_.num_blocks());
    plan.selects.resize(original_.num_blocks());
  }

  const FlowGraph &original_;
  KIterGraph builder_;
  const FlowGraph &graph_; // graph in which inner loops are collapsed
  PathGraph paths_;
  PathNumbering numbering_;
  PlacementOptions options_;
  PathGraph outer_;
  Vals outer_vals_;
  std::vector<int> loop_entered_at_; // index of the loop that control enters at each node, or -1

private:
  static void append(Ops &to, const Ops &from) { to.insert(to.end(), from.begin(), from.end()); }

  Plan place_collapsed(int index) const {
    PathGraph inside(original_, identity(original_));
    Vals vals;
    for (int e = 0; e < paths_.num_edges(); e++)
      if (builder_.collapsed_of(paths_.edge(e)) == index) {
        inside.add_edge(paths_.edge(e));
        vals.push_back(numbering_.val(e));
      }
    inside.sort_nodes();
    PlacementOptions options;
    options.hoist_counts = options_.hoist_counts;
    std::vector<char> in_tree = maximum_spanning_tree(inside);
    return place(inside, in_tree, chord_increments(inside, in_tree, vals).of_edge, options);
  }
};

class RegisterPlanner : public IterationsPlanner {
public:
  using IterationsPlanner::IterationsPlanner;

  KIterPlan run(const TripCounts &known) {
    TripCounts trip_counts; // empty if loops are collapsed: neither these loops nor their outer loops use trip counts
    if (builder_.collapsed().loops.empty())
      trip_counts = known;
    for (int e = 0; e < paths_.num_edges(); e++) {
      const PathEdge &edge = paths_.edge(e);
      bool is_outer = is_block(edge.src) && (is_block(edge.dst) || entered_at(edge.dst) >= 0);
      if (is_outer && edge.kind != PathEdgeKind::Decision && !is_collapsed(edge))
        add_outer(edge, block_at(edge.dst), numbering_.val(e));
    }
    add_outer_starts();
    KIterPlan best = place_outer();
    std::vector<Loop> counted_loops;
    for (size_t loop = 0; loop < builder_.loops().size(); loop++)
      if (add_window(loop, trip_counts, best))
        counted_loops.push_back(builder_.loops()[loop].loop);
    sink_others(trip_counts, counted_loops, best.plan);
    add_collapsed(best.plan);
    return best;
  }

private:
  KIterPlan place_outer() const {
    std::vector<KIterPlan> best;
    double lowest = 0;
    for (const TreePolicy &policy : tree_policies(options_.try_policies)) {
      std::vector<char> in_tree = maximum_spanning_tree(outer_, policy, {}, options_.copied);
      Increments increments = chord_increments(outer_, in_tree, outer_vals_);
      Plan plan = place(outer_, in_tree, increments.of_edge, options_);
      double cost = cost_of(plan, graph_);
      if (!best.empty() && cost >= lowest)
        continue;
      lowest = cost;
      best = {{std::move(plan), std::move(increments)}};
    }
    return std::move(best.front());
  }

  // Moves the counts of loops without windows to the loop exits, if possible.
  void sink_others(const TripCounts &trip_counts, const std::vector<Loop> &counted_loops, Plan &plan) const {
    std::vector<Loop> others;
    for (Loop &loop : natural_loops(graph_))
      if (trip_counts.count(loop.head()) &&
          std::none_of(builder_.loops().begin(), builder_.loops().end(),
                       [&](const IteratedLoop &one) { return one.loop.head() == loop.head(); }))
        others.push_back(std::move(loop));
    pathprof::sink_counts(others, trip_counts, graph_, plan, counted_loops);
  }

  // Adds the window of a loop and the operations that count its paths.  Returns true if no operation remains in the
  // loop.
  bool add_window(size_t index, const TripCounts &trip_counts, KIterPlan &result) const {
    int head = builder_.loops()[index].loop.head();
    Plan &plan = result.plan;
    plan.windows.push_back(window_of(index, result));
    const Window &window = plan.windows[index]; // add_window is called for the loops in order
    if (window.keeps_head)
      plan.at_start[head].push_back(op::SaveHead{});
    auto trip_count = trip_counts.find(head);
    if (window.counts_at_exit && trip_count != trip_counts.end() && trip_count->second >= window.k) {
      sink_known(index, trip_count->second, plan);
      return true;
    }
    enter(index, plan);
    window.counts_at_exit ? sink_counts(index, plan) : count_bodies(index, plan);
    return false;
  }

  // Returns the window of a loop.  In the loop, `planned` must contain only operations on the path register.
  Window window_of(size_t index, const KIterPlan &planned) const {
    const IteratedLoop &loop = builder_.loops()[index];
    const LoopCopies &copies = builder_.copies()[index];
    int head = loop.loop.head();
    int64_t deficit = planned.increments.deficit_at[head];
    auto num_paths_from = [&](int node) { return static_cast<int64_t>(numbering_.num_paths_from(node)); };
    Window window;
    window.k = loop.k;
    window.exits = loop.can_leave(head) ? num_paths_from(head) : 0;
    window.num_bodies = num_paths_from(copies.entered.back().at(head));
    window.num_paths_from_head = window.exits + window.num_bodies;
    window.start = numbering_.val(start_edge(index)) - deficit;
    window.counted = deficit + window.exits;
    for (size_t iterations = 1; iterations < loop.k; iterations++)
      window.num_paths_after.push_back(num_paths_from(copies.decisions[iterations]));
    window.keeps_head = has_ops_inside(loop, planned.plan);
    window.counts_at_exit =
        window.num_bodies == 1 && !window.keeps_head && !options_.counted_loops.empty() && options_.counted_loops[head];
    return window;
  }

  bool has_ops_inside(const IteratedLoop &loop, const Plan &plan) const {
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block))
        if (loop.stays(graph_.edge(e)) && !plan.on_edge[e].empty())
          return true;
    return false;
  }

  // Counts the paths of a loop on its exit edges.  The trip count must be known and at least k.
  void sink_known(size_t index, uint64_t trip_count, Plan &plan) const {
    const IteratedLoop &loop = builder_.loops()[index];
    const Window &window = plan.windows[index];
    Ops ops = exit_count_ops((window.k - 1) * window.exits + window.counted,
                             {window.start + window.counted, trip_count - window.k}, window.start);
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block))
        if (!loop.stays(graph_.edge(e)))
          plan.on_edge[e].insert(plan.on_edge[e].begin(), ops.begin(), ops.end());
  }

  void sink_counts(size_t index, Plan &plan) const {
    const IteratedLoop &loop = builder_.loops()[index];
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        Ops &ops = plan.on_edge[e];
        if (loop.is_back(e))
          ops.push_back(op::BackEdge{index});
        else if (!loop.stays(graph_.edge(e)))
          ops.insert(ops.begin(), op::CountAtExit{index});
      }
  }

  // Adds the operations that compute the number of the path through the current loop body.  They are placed like the
  // operations for acyclic paths through a function that consists of the loop body only.
  void count_bodies(size_t index, Plan &plan) const {
    const IteratedLoop &loop = builder_.loops()[index];
    FlowGraph body(graph_.num_blocks());
    std::vector<int> edge_of{-1};
    body.add_edge(kEntryBlock, loop.loop.head(), 0, std::numeric_limits<double>::max());
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        const Edge &edge = graph_.edge(e);
        if (!loop.stays(edge))
          continue;
        body.add_edge(block, loop.is_back(e) ? kExitBlock : edge.dst, 0, edge.frequency);
        edge_of.push_back(e);
      }
    PathGraph bodies(body);
    PathNumbering numbers(bodies);
    std::vector<char> in_tree = maximum_spanning_tree(bodies);
    PlacementOptions options;
    options.hoist_counts = false;
    Plan placed = place(bodies, in_tree, chord_increments(bodies, in_tree, numbers.vals()).of_edge, options);
    for (int e = 1; e < body.num_edges(); e++) {
      Ops &ops = plan.on_edge[edge_of[e]];
      for (const Op &op : placed.on_edge[e])
        append_body(ops, op, numbers.num_paths() > 1, index);
    }
  }

  // Converts an operation on the path register to an operation on the register for the current loop body.  No such
  // operations are needed if the loop has a single body path.
  static void append_body(Ops &ops, const Op &op, bool is_numbered, size_t index) {
    auto set = [&](int64_t value) {
      if (is_numbered)
        ops.push_back(op::SetBody{value});
    };
    auto add = [&](int64_t delta) {
      if (is_numbered && delta != 0)
        ops.push_back(op::AddBody{delta});
    };
    if (auto *path_set = std::get_if<op::Set>(&op))
      set(path_set->value);
    else if (auto *path_add = std::get_if<op::Add>(&op))
      add(path_add->delta);
    else if (auto *count_at = std::get_if<op::CountAt>(&op))
      add(count_at->offset);
    else
      set(std::get<op::CountConst>(op).path);
    if (is_any_of<op::CountAt, op::CountConst>(op))
      ops.push_back(op::BackEdge{index});
  }
};

// Implements Algorithm 3 of the paper without chords, as a reference for comparisons.  The published algorithm selects
// compensated weights by a single flag for all windows.  If k is 3 or more, however, each window needs its own choice:
// only windows that started at the loop header use compensated weights.
class PaperPlanner : public IterationsPlanner {
public:
  using IterationsPlanner::IterationsPlanner;

  KIterPlan run() {
    for (int e = 0; e < paths_.num_edges(); e++) {
      const PathEdge &edge = paths_.edge(e);
      bool enters = entered_at(edge.dst) >= 0;
      if (is_block(edge.src) && (is_block(edge.dst) || enters) && !is_back_edge(edge) && !is_collapsed(edge))
        add_outer(edge, block_at(edge.dst), builder_.loop_of(edge.src) < 0 ? numbering_.val(e) : 0);
    }
    add_outer_starts();
    std::vector<char> in_tree(outer_.num_edges(), 0);
    KIterPlan result{place(outer_, in_tree, outer_vals_, options_), {outer_vals_, {}}};
    result.increments.deficit_at.assign(graph_.num_blocks(), 0);
    for (size_t loop = 0; loop < builder_.loops().size(); loop++)
      add_window(loop, result.plan);
    add_collapsed(result.plan);
    return result;
  }

private:
  // Returns true if the edge ends a path at the back edge of an iterated loop, where a window is counted.
  bool is_back_edge(const PathEdge &edge) const {
    int loop = edge.kind == PathEdgeKind::End ? builder_.loop_of(edge.src) : -1;
    return loop >= 0 && builder_.loops()[loop].is_back(edge.via.front());
  }

  // Adds the window of a loop and the operations on it.  Each edge from a block of the loop changes the partial path
  // IDs by its own weights.  Operations on the path register remain only on edges that leave the loop.
  void add_window(size_t index, Plan &plan) const {
    const IteratedLoop &loop = builder_.loops()[index];
    Window window;
    window.k = loop.k;
    window.has_numbers = true;
    window.start = numbering_.val(start_edge(index));
    plan.windows.push_back(std::move(window));
    enter(index, plan);
    for (int block : loop.loop.blocks)
      for (int e : graph_.succs(block)) {
        size_t weights = plan.weights.size();
        plan.weights.push_back(weights_of(index, e));
        Ops &ops = plan.on_edge[e];
        if (loop.stays(graph_.edge(e)))
          ops = {op::Accumulate{weights}};
        else
          ops.insert(ops.begin(), op::Leave{weights});
        if (loop.is_back(e))
          ops.push_back(op::BackEdge{index});
      }
  }

  // Returns the weights of an edge.  Before the k-th iteration, an edge that leaves the loop is not on any path from
  // the loop header.
  WindowWeights weights_of(size_t index, int e) const {
    const LoopCopies &copies = builder_.copies()[index];
    int block = graph_.edge(e).src;
    WindowWeights weights;
    for (const LoopCopies::Copy &copy : copies.entered)
      weights.entered.push_back(val_at(copy.at(block), e));
    for (const LoopCopies::Copy &copy : copies.started)
      weights.started.push_back(val_at(copy.at(block), e));
    weights.started.push_back(weights.entered.back());
    return weights;
  }

  int64_t val_at(int node, int e) const {
    for (int edge : paths_.succs(node)) {
      const std::vector<int> &via = paths_.edge(edge).via;
      if (std::find(via.begin(), via.end(), e) != via.end())
        return numbering_.val(edge);
    }
    return 0;
  }
};

} // namespace

KIterPlan plan_iterations(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options,
                          const TripCounts &trip_counts) {
  if (model.numbering == Numbering::Paper)
    return PaperPlanner(graph, model, options).run();
  return RegisterPlanner(graph, model, options).run(trip_counts);
}

} // namespace pathprof
