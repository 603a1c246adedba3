// SPDX-License-Identifier: GPL-3.0-or-later
// The path graph of paths with the path that led to their loop, and which loops keep that within a limit.
#include "core/models/intracontext.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

#include "core/graph/loop.h"
#include "core/models/models.h"
#include "core/numbering/cut.h"

namespace pathprof {

namespace {

// A loop that can have context.
struct ContextLoop {
  int head;
  std::vector<int> back_edges;
  double entered = 0; // frequencies: from outside on paths, and over back edges
  double repeated = 0;
};

bool by_head(const ContextLoop &a, const ContextLoop &b) {
  return a.head < b.head;
}

// Where only cut edges enter, the path to the loop is part of no path.
std::vector<ContextLoop> find_loops(const FlowGraph &graph) {
  std::vector<char> reachable = reachable_blocks(graph);
  std::vector<ContextLoop> found;
  for (Loop &loop : natural_loops(graph)) {
    ContextLoop candidate{loop.head(), std::move(loop.back_edges)};
    bool on_paths = false;
    for (int e : graph.preds(candidate.head)) {
      const Edge &edge = graph.edge(e);
      if (edge.is_cut() || !reachable[edge.src])
        continue;
      on_paths = true;
      candidate.entered += edge.frequency;
    }
    for (int e : candidate.back_edges)
      candidate.repeated += graph.edge(e).frequency;
    if (on_paths)
      found.push_back(std::move(candidate));
  }
  std::sort(found.begin(), found.end(), by_head);
  return found;
}

// Transformations 1 and 2.  Edges are in the order of the acyclic graph, but what is at a loop-entry node comes with
// its head.
class Builder {
public:
  Builder(const FlowGraph &graph, const std::vector<ContextLoop> &loops)
      : graph_(graph), loops_(loops), reachable_(reachable_blocks(graph)), entry_of_(graph.num_blocks(), kNone),
        repeats_(graph.num_edges(), 0) {
    for (size_t i = 0; i < loops.size(); i++) {
      entry_of_[loops[i].head] = graph.num_blocks() + static_cast<int>(i);
      for (int e : loops[i].back_edges)
        repeats_[e] = 1;
    }
  }

  PathGraph build() const {
    std::vector<int> block_of(graph_.num_blocks());
    std::iota(block_of.begin(), block_of.end(), 0);
    block_of.resize(block_of.size() + loops_.size(), PathGraph::kNoBlock);
    PathGraph paths(graph_, std::move(block_of));
    for (int e = 0; e < graph_.num_edges(); e++) {
      const Edge &edge = graph_.edge(e);
      int entry_node = entry_of_[edge.dst];
      if (reachable_[edge.src] && !edge.is_cut())
        paths.add_edge(
            {PathEdgeKind::Real, edge.src, entry_node == kNone ? edge.dst : entry_node, {e}, edge.frequency});
    }
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (reachable_[block] && block != kExitBlock)
        add_starts_and_ends(paths, block);
    paths.sort_nodes();
    return paths;
  }

private:
  static constexpr int kNone = -1;

  void add_starts_and_ends(PathGraph &paths, int block) const {
    std::vector<int> arrivals;
    for (int e : cut_preds(graph_, block, reachable_))
      if (!repeats_[e])
        arrivals.push_back(e);
    paths.add_start(block, std::move(arrivals));
    if (entry_of_[block] != kNone)
      add_entry_node(paths, loops_[static_cast<size_t>(entry_of_[block] - graph_.num_blocks())], entry_of_[block]);
    paths.add_ends_of(graph_, block);
  }

  static void add_entry_node(PathGraph &paths, const ContextLoop &loop, int entry_node) {
    paths.add_edge({PathEdgeKind::Choice, entry_node, loop.head, {}, loop.entered});
    paths.add_edge({PathEdgeKind::Choice, entry_node, loop.head, loop.back_edges, loop.repeated, true});
  }

  const FlowGraph &graph_;
  const std::vector<ContextLoop> &loops_;
  std::vector<char> reachable_;
  std::vector<int> entry_of_; // by block
  std::vector<char> repeats_; // by flow edge: a back edge that has a loop-entry node
};

// Of those found, the loops that are listed.
std::vector<ContextLoop> listed(std::vector<ContextLoop> found, const std::vector<LoopIterations> &list) {
  auto is_listed = [&](const ContextLoop &loop) {
    return std::any_of(list.begin(), list.end(), [&](const LoopIterations &one) { return one.head == loop.head; });
  };
  found.erase(std::remove_if(found.begin(), found.end(), [&](const ContextLoop &loop) { return !is_listed(loop); }),
              found.end());
  return found;
}

std::vector<LoopIterations> list_of(const std::vector<ContextLoop> &loops) {
  std::vector<LoopIterations> list;
  for (const ContextLoop &loop : loops)
    list.push_back({loop.head, 1});
  return list;
}

// Walks to each node, and from it.
struct WalkCounts {
  std::vector<mpz_class> to, from;

  explicit WalkCounts(const PathGraph &paths) : to(paths.num_nodes()), from(paths.num_nodes()) {
    const std::vector<int> &order = paths.reverse_topological();
    from[kExitBlock] = 1;
    for (int node : order)
      for (int e : paths.succs(node))
        from[node] += from[paths.edge(e).dst];
    to[kEntryBlock] = 1;
    for (auto node = order.rbegin(); node != order.rend(); ++node)
      for (int e : paths.succs(*node))
        to[paths.edge(e).dst] += to[*node];
  }
};

// Which of these loops gives the most paths for its context, per execution that has it.
size_t find_costliest(const FlowGraph &graph, const std::vector<ContextLoop> &loops, const WalkCounts &walks) {
  size_t costliest = 0;
  mpf_class highest = -1;
  for (size_t i = 0; i < loops.size(); i++) {
    // From the head there are so many paths on for each path to its loop-entry node; without context for all together,
    // unless paths start at the head anyway.
    mpz_class paths_in = walks.to[static_cast<size_t>(graph.num_blocks()) + i];
    bool starts_anyway = walks.to[loops[i].head] > 2 * paths_in;
    mpz_class paths = (paths_in - (starts_anyway ? 0 : 1)) * walks.from[loops[i].head];
    mpf_class each = mpf_class(paths) / (std::max(loops[i].repeated, 0.0) + 1e-9);
    if (each > highest) {
      highest = each;
      costliest = i;
    }
  }
  return costliest;
}

} // namespace

std::vector<LoopIterations> context_loops(const FlowGraph &graph) {
  return list_of(find_loops(graph));
}

PathGraph context_graph(const FlowGraph &graph, const std::vector<LoopIterations> &loops) {
  return Builder(graph, listed(find_loops(graph), loops)).build();
}

// What was taken away early can turn out to fit in the end.
std::vector<LoopIterations> loops_within(const FlowGraph &graph, std::vector<LoopIterations> list,
                                         const mpz_class &limit) {
  std::vector<ContextLoop> kept = listed(find_loops(graph), list), without;
  for (;;) {
    WalkCounts walks(Builder(graph, kept).build());
    if (walks.from[kEntryBlock] <= limit)
      break;
    if (kept.empty())
      return {};
    auto costliest = kept.begin() + static_cast<std::ptrdiff_t>(find_costliest(graph, kept, walks));
    without.push_back(std::move(*costliest));
    kept.erase(costliest);
  }
  std::stable_sort(without.begin(), without.end(),
                   [](const ContextLoop &a, const ContextLoop &b) { return a.repeated > b.repeated; });
  for (const ContextLoop &loop : without) {
    std::vector<ContextLoop> more = kept;
    more.insert(std::upper_bound(more.begin(), more.end(), loop, by_head), loop);
    if (count_paths(Builder(graph, more).build()) <= limit)
      kept = std::move(more);
  }
  return list_of(kept);
}

namespace {

class IntraContext : public Model {
public:
  IntraContext()
      : Model(Mode::IntraContext,
              {Feature::Stages, Feature::PathLimit, Feature::LoopContexts, Feature::Switch, Feature::Values}) {}

  CfgForm form() const override { return CfgForm::Reducible; }

  std::string paths_text(uint32_t) const override { return "paths with the way that led to their loop"; }

  std::string loop_text(const LoopIterations &) const override { return "with context"; }

  // Whether this iteration is the first.
  std::string choice_text(const FlowGraph &, const PathEdge &choice) const override {
    return choice.ends_context ? "comes around" : "enters";
  }

  PathGraph path_graph(const FlowGraph &graph, const PathModel &model) const override {
    return model.loops.empty() ? PathGraph(graph) : context_graph(graph, model.loops);
  }

  mpz_class num_paths_uncut(const FlowGraph &graph, const PathModel &, const WantedIterations &) const override {
    return count_paths(context_graph(graph, context_loops(graph)));
  }

  // Where edges are cut, contexts must not bring paths in excess of an array's counters back.
  std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                    const WantedIterations &) const override {
    model.loops = context_loops(graph);
    mpz_class num_paths = count_paths(path_graph(graph, model));
    std::string overflow = cut_to_limits(graph, num_paths, limits);
    auto as_exact = [](uint64_t number) { return mpz_class(static_cast<unsigned long>(number)); };
    if (overflow.empty() && num_paths > as_exact(limits.paths_max)) {
      mpz_class most = as_exact(std::min(limits.paths_max, limits.array_max));
      if (count_paths(graph) > most)
        most = as_exact(limits.paths_max);
      model.loops = loops_within(graph, context_loops(graph), most);
    }
    return overflow;
  }
};

} // namespace

const Model &intracontext_model() {
  static const IntraContext model;
  return model;
}

} // namespace pathprof
