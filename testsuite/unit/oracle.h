// SPDX-License-Identifier: GPL-3.0-or-later
// The definition of executed paths, read off a block trace by brute force.  Nothing here uses a
// numbering, a spanning tree or a plan.
#ifndef PATHPROF_TESTSUITE_ORACLE_H
#define PATHPROF_TESTSUITE_ORACLE_H

#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "core/flow_graph.h"

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

// A loop by its head: how many of its iterations a path spans, and its back edges.
struct Span {
  uint32_t k = 1;
  std::set<int> back_edges;
};
using Spans = std::map<int, Span>;

// A path on its way through loops with a span: where, in its edges, it came to the head of the one it is in.
struct SpanningPath {
  DefinedPath path;
  std::vector<size_t> arrivals;

  // Goes on over an edge; true if the path ends there instead.
  bool walk(const FlowGraph &graph, const Spans &spans, int e) {
    const Edge &edge = graph.edge(e);
    auto span = spans.find(edge.dst);
    bool is_round = span != spans.end() && span->second.back_edges.count(e);
    if (is_round ? arrivals.size() == span->second.k : edge.is_cut())
      return true;
    path.edges.push_back(e);
    arrive(edge.dst, spans, is_round);
    return false;
  }

  // The path that begins where this one ended.
  SpanningPath next(const FlowGraph &graph, const Spans &spans, int e) const {
    const Edge &edge = graph.edge(e);
    auto span = spans.find(edge.dst);
    SpanningPath after;
    after.path.first = edge.dst;
    if (span == spans.end() || !span->second.back_edges.count(e)) {
      after.arrive(edge.dst, spans, false);
      return after;
    }
    if (arrivals.size() > 1) {
      after.path.edges.assign(path.edges.begin() + static_cast<long>(arrivals[1]), path.edges.end());
      for (size_t i = 1; i < arrivals.size(); i++)
        after.arrivals.push_back(arrivals[i] - arrivals[1]);
      after.path.edges.push_back(e);
    }
    after.arrivals.push_back(after.path.edges.size());
    after.path.context = after.path.edges.size();
    return after;
  }

  void arrive(int block, const Spans &spans, bool is_round) {
    if (!spans.count(block))
      return;
    if (!is_round)
      arrivals.clear();
    arrivals.push_back(path.edges.size());
  }
};

// Adds the paths of one activation where paths span iterations.
inline void defined_spanning_paths(const FlowGraph &graph, const Spans &spans, const std::vector<int> &trace,
                                   std::map<DefinedPath, uint64_t> &counts) {
  SpanningPath path;
  int block = kEntryBlock;
  for (int e : trace) {
    block = graph.edge(e).dst;
    if (!path.walk(graph, spans, e))
      continue;
    path.path.cut_off = true;
    if (end_is_countable(graph, e))
      counts[path.path]++;
    path = path.next(graph, spans, e);
  }
  path.path.cut_off = graph.succs(block).empty() && block != kExitBlock;
  if (block == kExitBlock || path.path.cut_off)
    counts[path.path]++;
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
  std::set<std::pair<DefinedPath, std::vector<size_t>>> begun;
  std::vector<SpanningPath> work{SpanningPath()};
  auto begin = [&](SpanningPath path) {
    if (begun.insert({path.path, path.arrivals}).second)
      work.push_back(std::move(path));
  };
  while (!work.empty() && found.size() <= limit) {
    SpanningPath path = work.back();
    work.pop_back();
    int block = path.path.edges.empty() ? path.path.first : graph.edge(path.path.edges.back()).dst;
    DefinedPath whole = path.path;
    whole.cut_off = block != kExitBlock;
    if (block == kExitBlock || graph.succs(block).empty())
      found.insert(whole);
    for (int e : graph.succs(block)) {
      SpanningPath longer = path;
      if (!longer.walk(graph, spans, e)) {
        work.push_back(std::move(longer));
        continue;
      }
      found.insert(whole);
      begin(path.next(graph, spans, e));
    }
  }
  return found;
}

} // namespace pathprof::testing

#endif
