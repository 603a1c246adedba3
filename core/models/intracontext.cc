// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=intracontext: builds the path graph and selects the loops with context.
#include "core/models/intracontext.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_set>
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
  double entered = 0;  // frequency of entries from outside through edges that are not truncation points
  double repeated = 0; // frequency of the back edges
};

bool by_head(const ContextLoop &a, const ContextLoop &b) {
  return a.head < b.head;
}

// Finds the loops that can have context.  Skips loops that control enters only through cut edges, because no path can
// extend into such a loop from outside.
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

// Performs Transformations 1 and 2 of the paper.  Edges are added in the same order as in the graph of acyclic paths.
// The edges of a loop-entry node are added together with the edges of the loop header.
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
    paths.add_edge({PathEdgeKind::Decision, entry_node, loop.head, {}, loop.entered});
    paths.add_edge({PathEdgeKind::Decision, entry_node, loop.head, loop.back_edges, loop.repeated, true});
  }

  const FlowGraph &graph_;
  const std::vector<ContextLoop> &loops_;
  std::vector<char> reachable_;
  std::vector<int> entry_of_; // loop-entry node of each block, or kNone
  std::vector<char> repeats_; // nonzero for each back edge of a loop with a loop-entry node
};

// Returns the loops in `found` whose headers occur in `list`.
std::vector<ContextLoop> listed(std::vector<ContextLoop> found, const std::vector<LoopIterations> &list) {
  std::unordered_set<int> heads;
  for (const LoopIterations &one : list)
    heads.insert(one.head);
  found.erase(
      std::remove_if(found.begin(), found.end(), [&](const ContextLoop &loop) { return !heads.count(loop.head); }),
      found.end());
  return found;
}

std::vector<LoopIterations> list_of(const std::vector<ContextLoop> &loops) {
  std::vector<LoopIterations> list;
  for (const ContextLoop &loop : loops)
    list.push_back({loop.head, 1});
  return list;
}

// Maintains the numbers of walks to and from each node while loops lose and regain their context.
//
// The graph is always the one in which all loops have context.  A loop without context differs in the numbers of two
// edges: the second edge from its loop-entry node to its header does not exist, and a path may start at the header
// because of the back edges.  A change is propagated only as far as numbers change, which is rarely beyond the next cut
// edges.  The time for a function with many loops is therefore proportional to its size, not to its square.
class ContextChoice {
public:
  ContextChoice(const FlowGraph &graph, const std::vector<ContextLoop> &loops)
      : graph_(graph), loops_(loops), paths_(Builder(graph, loops).build()), has_context_(loops.size(), 1),
        starts_without_(loops.size(), 0), position_(paths_.num_nodes(), 0), to_(paths_.num_nodes()),
        from_(paths_.num_nodes()) {
    std::vector<char> reachable = reachable_blocks(graph);
    for (size_t i = 0; i < loops.size(); i++)
      starts_without_[i] = starts_with_back_edges_only(loops[i], reachable);
    const std::vector<int> &order = paths_.reverse_topological();
    for (size_t i = 0; i < order.size(); i++)
      position_[order[i]] = static_cast<int>(i);
    from_[kExitBlock] = 1;
    for (int node : order)
      for (int e : paths_.succs(node))
        from_[node] += from_[paths_.edge(e).dst];
    to_[kEntryBlock] = 1;
    for (auto node = order.rbegin(); node != order.rend(); ++node)
      for (int e : paths_.succs(*node))
        to_[paths_.edge(e).dst] += to_[*node];
    for (size_t i = 0; i < loops.size(); i++)
      rank(i);
  }

  const mpz_class &num_paths() const { return from_[kEntryBlock]; }
  bool has_context(size_t loop) const { return has_context_[loop]; }

  // Returns the loop whose context adds the most paths relative to the execution frequency of its back edges, or
  // nothing if no loop has context.  In case of a tie, returns the first such loop.
  std::optional<size_t> costliest() const {
    return ranking_.empty() ? std::nullopt : std::optional<size_t>(ranking_.begin()->loop);
  }

  // Returns the number of paths that would result if the given loop regained its context.
  mpz_class num_paths_with(size_t loop) const {
    return num_paths() + from_[loops_[loop].head] * (to_[entry_node(loop)] - starts_without_[loop]);
  }

  void set_context(size_t loop, bool has_it) {
    unrank(loop);
    has_context_[loop] = has_it;
    int sign = has_it ? 1 : -1, entry = entry_node(loop), head = loops_[loop].head;
    from_[kEntryBlock] -= sign * starts_without_[loop] * from_[head];
    propagate_from(entry, sign * from_[head]);
    propagate_to(head, sign * (to_[entry] - starts_without_[loop]));
    rank(loop);
  }

private:
  struct Rank {
    mpf_class paths_each; // paths that the context adds, divided by the frequency of the back edges
    size_t loop;
    bool operator<(const Rank &other) const {
      return paths_each != other.paths_each ? paths_each > other.paths_each : loop < other.loop;
    }
  };

  int entry_node(size_t loop) const { return graph_.num_blocks() + static_cast<int>(loop); }

  int starts_with_back_edges_only(const ContextLoop &loop, const std::vector<char> &reachable) const {
    std::vector<int> arrivals = cut_preds(graph_, loop.head, reachable);
    return !arrivals.empty() && std::all_of(arrivals.begin(), arrivals.end(), [&](int e) {
      return std::find(loop.back_edges.begin(), loop.back_edges.end(), e) != loop.back_edges.end();
    });
  }

  // Returns true if the edge must be ignored: it represents the back edges of a loop that currently has no context.
  bool is_missing(const PathEdge &edge) const {
    return edge.ends_context && !has_context_[static_cast<size_t>(edge.src - graph_.num_blocks())];
  }

  // Computes the rank of a loop from the number of paths that its context adds.  With context, the back edges add all
  // combinations of a path to the loop-entry node and a path from the header.  Without context, they add each path from
  // the header once, or no paths if paths start at the header anyway.
  Rank rank_of(size_t loop) const {
    const mpz_class &paths_in = to_[entry_node(loop)];
    bool starts_anyway = to_[loops_[loop].head] > 2 * paths_in;
    mpz_class paths = (paths_in - (starts_anyway ? 0 : 1)) * from_[loops_[loop].head];
    return {mpf_class(paths) / (std::max(loops_[loop].repeated, 0.0) + 1e-9), loop};
  }

  void rank(size_t loop) {
    if (has_context_[loop])
      ranking_.insert(rank_of(loop));
  }
  // Removes a loop from the ranking.  Must be called before changing any number that rank_of() uses.
  void unrank(size_t loop) {
    if (has_context_[loop])
      ranking_.erase(rank_of(loop));
  }

  template <typename Change>
  void change_number_of(int node, Change change) {
    std::optional<size_t> loop = loop_at(node);
    if (loop)
      unrank(*loop);
    change();
    if (loop)
      rank(*loop);
  }

  std::optional<size_t> loop_at(int node) const {
    if (node >= graph_.num_blocks())
      return static_cast<size_t>(node - graph_.num_blocks());
    auto found = std::lower_bound(loops_.begin(), loops_.end(), node,
                                  [](const ContextLoop &loop, int head) { return loop.head < head; });
    return found != loops_.end() && found->head == node
               ? std::optional<size_t>(static_cast<size_t>(found - loops_.begin()))
               : std::nullopt;
  }

  // Adds `more` to the number of walks from `node` to EXIT, and propagates the change to the predecessors of `node`.
  void propagate_from(int node, const mpz_class &more) {
    std::map<int, mpz_class> open{{position_[node], more}}; // ordered by position; a node follows all of its successors
    while (!open.empty()) {
      auto next = open.extract(open.begin());
      int at = paths_.reverse_topological()[static_cast<size_t>(next.key())];
      if (next.mapped() == 0)
        continue;
      change_number_of(at, [&] { from_[at] += next.mapped(); });
      std::optional<size_t> loop = loop_of_head(at);
      if (loop && !has_context_[*loop])
        from_[kEntryBlock] += starts_without_[*loop] * next.mapped();
      for (int e : paths_.preds(at)) {
        const PathEdge &edge = paths_.edge(e);
        if (edge.src == kEntryBlock)
          from_[kEntryBlock] += next.mapped();
        else if (!is_missing(edge))
          open[position_[edge.src]] += next.mapped();
      }
    }
  }

  // Adds `more` to the number of walks from ENTRY to `node`, and propagates the change to the successors of `node`.
  void propagate_to(int node, const mpz_class &more) {
    std::map<int, mpz_class, std::greater<>> open{{position_[node], more}};
    while (!open.empty()) {
      auto next = open.extract(open.begin());
      int at = paths_.reverse_topological()[static_cast<size_t>(next.key())];
      if (next.mapped() == 0)
        continue;
      change_number_of(at, [&] { to_[at] += next.mapped(); });
      for (int e : paths_.succs(at)) {
        const PathEdge &edge = paths_.edge(e);
        if (edge.dst != kExitBlock && !is_missing(edge))
          open[position_[edge.dst]] += next.mapped();
      }
    }
  }

  std::optional<size_t> loop_of_head(int node) const {
    return node < graph_.num_blocks() ? loop_at(node) : std::nullopt;
  }

  const FlowGraph &graph_;
  const std::vector<ContextLoop> &loops_; // sorted by header
  PathGraph paths_;
  std::vector<char> has_context_;    // nonzero for each loop with context
  std::vector<int> starts_without_;  // 1 for each loop at whose header paths start only if it has no context
  std::vector<int> position_;        // position of each node in reverse topological order
  std::vector<mpz_class> to_, from_; // walks to and from each node; the walks to EXIT are not needed
  std::set<Rank> ranking_;           // loops with context
};

} // namespace

std::vector<LoopIterations> context_loops(const FlowGraph &graph) {
  return list_of(find_loops(graph));
}

PathGraph context_graph(const FlowGraph &graph, const std::vector<LoopIterations> &loops) {
  return Builder(graph, listed(find_loops(graph), loops)).build();
}

// First, loops lose their context until the limit is satisfied.  Then each of these loops regains its context if the
// limit permits.
std::vector<LoopIterations> loops_within(const FlowGraph &graph, std::vector<LoopIterations> list,
                                         const mpz_class &limit) {
  std::vector<ContextLoop> loops = listed(find_loops(graph), list), kept;
  ContextChoice choice(graph, loops);
  std::vector<size_t> without;
  while (choice.num_paths() > limit) {
    std::optional<size_t> costliest = choice.costliest();
    if (!costliest)
      return {};
    choice.set_context(*costliest, false);
    without.push_back(*costliest);
  }
  std::stable_sort(without.begin(), without.end(),
                   [&](size_t a, size_t b) { return loops[a].repeated > loops[b].repeated; });
  for (size_t loop : without)
    if (choice.num_paths_with(loop) <= limit)
      choice.set_context(loop, true);
  for (size_t i = 0; i < loops.size(); i++)
    if (choice.has_context(i))
      kept.push_back(loops[i]);
  return list_of(kept);
}

namespace {

class IntraContext : public Model {
public:
  IntraContext()
      : Model(Mode::IntraContext,
              {Feature::Stages, Feature::PathLimit, Feature::LoopContexts, Feature::Switch, Feature::Values}) {}

  CfgForm form() const override { return CfgForm::Reducible; }

  std::string paths_text(uint32_t) const override { return "acyclic paths with the path that led to their loop"; }

  std::string loop_text(const LoopIterations &) const override { return "with context"; }

  // Returns a description that states whether the path enters the loop or continues in it.
  std::string choice_text(const FlowGraph &, const PathEdge &choice) const override {
    return choice.ends_context ? "continues the loop" : "enters the loop";
  }

  PathGraph path_graph(const FlowGraph &graph, const PathModel &model) const override {
    return model.loops.empty() ? PathGraph(graph) : context_graph(graph, model.loops);
  }

  mpz_class num_paths_uncut(const FlowGraph &graph, const PathModel &, const WantedIterations &) const override {
    return count_paths(context_graph(graph, context_loops(graph)));
  }

  // If edges were truncated so that the counters fit in an array, contexts must not increase the number of paths beyond
  // the size of that array.
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
