// SPDX-License-Identifier: GPL-3.0-or-later
// The definition of executed paths, read off a block trace by brute force.  Nothing here uses a
// numbering, a spanning tree or a plan.
#ifndef PATHPROF_TESTSUITE_ORACLE_H
#define PATHPROF_TESTSUITE_ORACLE_H

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof::testing {

// A path as its definition has it: first block, flow edges walked, and whether it was cut off (by a cut
// edge or a block without successors) rather than leaving through EXIT.
struct DefinedPath {
  int first = kEntryBlock;
  std::vector<int> edges;
  bool cut_off = false;
  bool cut_short = false; // it ended in the middle: at a call of its last block
  size_t context = 0;     // of these edges, how many another path was counted for

  auto key() const { return std::tie(first, edges, cut_off, cut_short, context); }
  bool operator<(const DefinedPath &other) const { return key() < other.key(); }
  bool operator==(const DefinedPath &other) const { return key() == other.key(); }
};

// What counting can see of a path that an abnormal edge ends: nothing, if the path could also have gone
// on from that block (no code can be placed on the abnormal edge alone).
inline bool end_is_countable(const FlowGraph &graph, int edge) {
  if (!(graph.edge(edge).flags & kAbnormal))
    return true;
  for (int e : graph.succs(graph.edge(edge).src))
    if (!graph.edge(e).is_cut())
      return false;
  return true;
}

// The paths of one activation with exact termination: at an abnormal edge beside ordinary ones, and where
// the trace stops, the path was cut short by a call in its last block.
inline void defined_exact_paths(const FlowGraph &graph, const std::vector<int> &trace,
                                std::map<DefinedPath, uint64_t> &counts) {
  DefinedPath path;
  int block = kEntryBlock;
  for (int e : trace) {
    const Edge &edge = graph.edge(e);
    block = edge.dst;
    if (!edge.is_cut()) {
      path.edges.push_back(e);
      continue;
    }
    bool only_abnormal = true;
    for (int other : graph.succs(edge.src))
      only_abnormal = only_abnormal && (graph.edge(other).flags & kAbnormal);
    path.cut_short = (edge.flags & kAbnormal) && !only_abnormal;
    path.cut_off = !path.cut_short;
    counts[path]++;
    path = {edge.dst, {}};
  }
  path.cut_off = graph.succs(block).empty() && block != kExitBlock;
  path.cut_short = !path.cut_off && block != kExitBlock;
  counts[path]++;
}

// Adds the paths of one activation.  A trace that stops in the middle leaves its last path uncounted.
inline void defined_paths(const FlowGraph &graph, const std::vector<int> &trace,
                          std::map<DefinedPath, uint64_t> &counts) {
  DefinedPath path;
  int block = kEntryBlock;
  for (int e : trace) {
    const Edge &edge = graph.edge(e);
    block = edge.dst;
    if (edge.is_cut()) {
      path.cut_off = true;
      if (end_is_countable(graph, e))
        counts[path]++;
      path = {edge.dst, {}};
    } else {
      path.edges.push_back(e);
    }
  }
  if (block == kExitBlock) {
    counts[path]++;
  } else if (graph.succs(block).empty()) {
    path.cut_off = true;
    counts[path]++;
  }
}

// A loop by its head: how many of its iterations a path spans, its back edges, and the blocks of the loops that are
// collapsed in it, by their heads.
struct Span {
  uint32_t k = 1;
  std::set<int> back_edges;
  std::map<int, std::set<int>> collapsed = {};
};
using Spans = std::map<int, Span>;

// Where an activation is, in the paths that run.
//
// A path goes on over up to k iterations of a loop with a span.  Where it comes to a collapsed loop it
// stands still until control leaves, and goes on over the edge by which control does.  Meanwhile paths
// that begin at the collapsed loop's head run there: they end at cut edges, and where control leaves.
class PathWalker {
public:
  PathWalker(const FlowGraph &graph, const Spans &spans) : graph_(&graph), spans_(&spans) {}

  // Goes on over an edge.  Calls `ended` with the paths that end there; true if any begins.
  template <typename Ended>
  bool walk(int e, Ended ended) {
    const Edge &edge = graph_->edge(e);
    if (within_ && within_->count(edge.dst)) {
      if (!edge.is_cut())
        inner_.edges.push_back(e);
      else
        end_inner(ended, e, edge.dst);
      return edge.is_cut();
    }
    if (within_)
      end_inner(ended, e, kEntryBlock);
    within_ = nullptr;
    bool ends = walk_outer(e);
    if (ends) {
      path_.cut_off = true;
      ended(path_, e);
      begin_next(e);
    }
    return enter(edge.dst) || ends;
  }

  // The path if this block, where it is, can be the last one.
  std::optional<DefinedPath> last_path(int block) const {
    DefinedPath last = path_;
    last.cut_off = block != kExitBlock;
    return graph_->succs(block).empty() ? std::make_optional(last) : std::nullopt;
  }

  auto key() const { return std::tie(path_, arrivals_, inner_); }

private:
  template <typename Ended>
  void end_inner(Ended ended, int e, int next) {
    inner_.cut_off = true;
    ended(inner_, e);
    inner_ = {next, {}};
  }

  const Span *span_at(int head) const {
    auto span = spans_->find(head);
    return span == spans_->end() ? nullptr : &span->second;
  }

  // True if the path ends.
  bool walk_outer(int e) {
    const Edge &edge = graph_->edge(e);
    const Span *span = span_at(edge.dst);
    bool is_round = span && span->back_edges.count(e);
    if (is_round ? arrivals_.size() == span->k : edge.is_cut())
      return true;
    path_.edges.push_back(e);
    arrive(edge.dst, is_round);
    return false;
  }

  void begin_next(int e) {
    const Edge &edge = graph_->edge(e);
    const Span *span = span_at(edge.dst);
    DefinedPath next;
    next.first = edge.dst;
    std::vector<size_t> arrivals;
    if (span && span->back_edges.count(e)) {
      if (arrivals_.size() > 1) {
        next.edges.assign(path_.edges.begin() + static_cast<long>(arrivals_[1]), path_.edges.end());
        for (size_t i = 1; i < arrivals_.size(); i++)
          arrivals.push_back(arrivals_[i] - arrivals_[1]);
        next.edges.push_back(e);
      }
      next.context = next.edges.size();
    }
    path_ = std::move(next);
    arrivals_ = std::move(arrivals);
    arrive(edge.dst, true);
  }

  void arrive(int block, bool is_round) {
    if (!span_at(block))
      return;
    if (!is_round)
      arrivals_.clear();
    arrivals_.push_back(path_.edges.size());
  }

  // True if the block is the head of a collapsed loop.
  bool enter(int block) {
    for (const auto &[head, span] : *spans_) {
      auto loop = span.collapsed.find(block);
      if (loop == span.collapsed.end())
        continue;
      within_ = &loop->second;
      inner_ = {block, {}};
      return true;
    }
    return false;
  }

  const FlowGraph *graph_;
  const Spans *spans_;
  DefinedPath path_;
  std::vector<size_t> arrivals_;          // where, in its edges, it came to the head of the loop that it is in
  const std::set<int> *within_ = nullptr; // the blocks of the collapsed loop that control is in
  DefinedPath inner_;
};

// Adds the paths of one activation where paths span iterations.
inline void defined_spanning_paths(const FlowGraph &graph, const Spans &spans, const std::vector<int> &trace,
                                   std::map<DefinedPath, uint64_t> &counts) {
  PathWalker walker(graph, spans);
  auto count = [&](const DefinedPath &path, int end) {
    if (end_is_countable(graph, end))
      counts[path]++;
  };
  for (int e : trace)
    walker.walk(e, count);
  if (auto last = walker.last_path(trace.empty() ? kEntryBlock : graph.edge(trace.back()).dst))
    counts[*last]++;
}

// Every path of a graph whose cuts are marked, by exhaustive search; stops after `limit` paths.
inline std::set<DefinedPath> all_paths(const FlowGraph &graph, size_t limit) {
  std::set<int> starts{kEntryBlock};
  std::vector<char> reachable = reachable_blocks(graph);
  for (const Edge &edge : graph.edges())
    if (edge.is_cut() && reachable[edge.src])
      starts.insert(edge.dst);
  std::set<DefinedPath> found;
  for (int start : starts) {
    std::vector<std::pair<int, std::vector<int>>> work{{start, {}}};
    while (!work.empty() && found.size() <= limit) {
      auto [block, edges] = work.back();
      work.pop_back();
      if (block == kExitBlock) {
        found.insert({start, edges});
        continue;
      }
      bool ends = graph.succs(block).empty();
      for (int e : graph.succs(block)) {
        if (graph.edge(e).is_cut()) {
          ends = true;
          continue;
        }
        std::vector<int> longer = edges;
        longer.push_back(e);
        work.push_back({graph.edge(e).dst, longer});
      }
      if (ends)
        found.insert({start, edges, true});
    }
  }
  return found;
}

// Every path where paths span iterations, likewise.  A path may be followed by another from each of its ends.
inline std::set<DefinedPath> all_spanning_paths(const FlowGraph &graph, const Spans &spans, size_t limit) {
  std::set<DefinedPath> found;
  std::set<std::tuple<DefinedPath, std::vector<size_t>, DefinedPath>> begun;
  std::vector<std::pair<PathWalker, int>> work{{PathWalker(graph, spans), kEntryBlock}};
  auto find = [&](const DefinedPath &path, int) { found.insert(path); };
  while (!work.empty() && found.size() <= limit) {
    auto [walker, block] = work.back();
    work.pop_back();
    if (auto last = walker.last_path(block))
      found.insert(*last);
    for (int e : graph.succs(block)) {
      PathWalker longer = walker;
      if (!longer.walk(e, find) || begun.insert(longer.key()).second)
        work.push_back({std::move(longer), graph.edge(e).dst});
    }
  }
  return found;
}

} // namespace pathprof::testing

#endif
