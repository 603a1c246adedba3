// SPDX-License-Identifier: GPL-3.0-or-later
// The definition of intraprocedural context paths, read off a block trace by brute force: dominance by leaving
// blocks out, paths by looking back through the trace.  Nothing here uses core/graph/loop.h, a path graph or a plan.
#ifndef PATHPROF_TESTSUITE_ORACLE_CONTEXT_H
#define PATHPROF_TESTSUITE_ORACLE_CONTEXT_H

#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "testsuite/unit/oracle.h"

namespace pathprof::testing {

// Where the walk begins, its edges, after how many of them parts of the context end, and whether it was cut off.
struct ContextPath {
  int first = kEntryBlock;
  std::vector<int> edges;
  std::vector<size_t> contexts;
  bool cut_off = false;

  auto key() const { return std::tie(first, edges, contexts, cut_off); }
  bool operator<(const ContextPath &other) const { return key() < other.key(); }
  bool operator==(const ContextPath &other) const { return key() == other.key(); }

  // The acyclic path that it is without its context.
  DefinedPath suffix(const FlowGraph &graph) const {
    if (contexts.empty())
      return {first, edges, cut_off};
    auto begin = edges.begin() + static_cast<std::ptrdiff_t>(contexts.back());
    return {graph.edge(*(begin - 1)).dst, {begin, edges.end()}, cut_off};
  }
};

// The loops of a graph that can be entered at their heads only, and on paths.
class DefinedLoops {
public:
  explicit DefinedLoops(const FlowGraph &graph) : graph_(graph), reachable_(reachable_blocks(graph)) {
    for (int block = 2; block < graph.num_blocks(); block++)
      if (reachable_[block])
        find_loop(block);
  }

  std::set<int> heads() const {
    std::set<int> all;
    for (auto &[head, body] : body_)
      all.insert(head);
    return all;
  }
  // Forgets the context of all loops but these.
  void keep(const std::set<int> &heads) {
    for (auto loop = body_.begin(); loop != body_.end();)
      loop = heads.count(loop->first) ? std::next(loop) : body_.erase(loop);
  }
  bool has_context(int block) const { return body_.count(block) != 0; }
  bool is_back_edge(int e) const {
    auto loop = body_.find(graph_.edge(e).dst);
    return loop != body_.end() && loop->second.count(graph_.edge(e).src) != 0;
  }

private:
  bool dominates(int head, int block) const {
    std::set<int> seen{kEntryBlock};
    std::vector<int> work{kEntryBlock};
    while (!work.empty()) {
      int at = work.back();
      work.pop_back();
      if (at == block)
        return false;
      for (int e : graph_.succs(at))
        if (graph_.edge(e).dst != head && seen.insert(graph_.edge(e).dst).second)
          work.push_back(graph_.edge(e).dst);
    }
    return true;
  }

  void find_loop(int head) {
    std::set<int> body;
    std::vector<int> work;
    bool entered = false;
    for (int e : graph_.preds(head)) {
      const Edge &edge = graph_.edge(e);
      entered = entered || (!edge.is_cut() && reachable_[edge.src]);
      if ((edge.flags & kBack) && (edge.src == head || dominates(head, edge.src)) && body.insert(edge.src).second &&
          edge.src != head)
        work.push_back(edge.src);
    }
    if (body.empty() || !entered)
      return;
    body.insert(head);
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (int e : graph_.preds(block))
        if (body.insert(graph_.edge(e).src).second)
          work.push_back(graph_.edge(e).src);
    }
    // Dead code that leads both into the loop and to its head is taken as part of it.
    for (int e : graph_.preds(head))
      if (body.count(graph_.edge(e).src) && !(graph_.edge(e).flags & kBack))
        return;
    for (int block : body)
      if (graph_.has_pred_with(block, kAbnormal) || graph_.has_succ_with(block, kAbnormal))
        return;
    body_[head] = std::move(body);
  }

  const FlowGraph &graph_;
  std::vector<char> reachable_;
  std::map<int, std::set<int>> body_;
};

// The path that an activation is on when it has traversed the first `length` edges of its trace.  A path that a
// back edge starts has as context the path on which control came to the loop from outside.
inline ContextPath path_after(const FlowGraph &graph, const DefinedLoops &loops, const std::vector<int> &trace,
                              size_t length) {
  if (length == 0)
    return {};
  int last = trace[length - 1], block = graph.edge(last).dst;
  if (loops.is_back_edge(last)) {
    size_t entered = length - 1;
    while (graph.edge(trace[entered - 1]).dst != block || loops.is_back_edge(trace[entered - 1]))
      entered--;
    ContextPath path = path_after(graph, loops, trace, entered);
    if (!path.edges.empty())
      path.contexts.push_back(path.edges.size());
    return path;
  }
  if (graph.edge(last).is_cut())
    return {block, {}, {}};
  ContextPath path = path_after(graph, loops, trace, length - 1);
  path.edges.push_back(last);
  return path;
}

// Adds the paths of one activation, as defined_paths does.
inline void defined_context_paths(const FlowGraph &graph, const DefinedLoops &loops, const std::vector<int> &trace,
                                  std::map<ContextPath, uint64_t> &counts) {
  auto count = [&](size_t length, bool cut_off) {
    ContextPath path = path_after(graph, loops, trace, length);
    path.cut_off = cut_off;
    counts[path]++;
  };
  for (size_t i = 0; i < trace.size(); i++)
    if (graph.edge(trace[i]).is_cut() && end_is_countable(graph, trace[i]))
      count(i, true);
  int last = graph.edge(trace.back()).dst;
  if (last == kExitBlock || graph.succs(last).empty())
    count(trace.size(), last != kExitBlock);
}

// Every context path, by exhaustive search; stops after `limit` paths.
inline std::set<ContextPath> all_context_paths(const FlowGraph &graph, const DefinedLoops &loops, size_t limit) {
  std::set<ContextPath> found;
  std::vector<std::pair<int, ContextPath>> work{{kEntryBlock, {}}};
  std::vector<char> reachable = reachable_blocks(graph);
  std::set<int> starts;
  for (int e = 0; e < graph.num_edges(); e++)
    if (graph.edge(e).is_cut() && reachable[graph.edge(e).src] && !loops.is_back_edge(e))
      starts.insert(graph.edge(e).dst);
  for (int start : starts)
    work.push_back({start, {start, {}, {}}});
  while (!work.empty() && found.size() <= limit) {
    auto [block, path] = work.back();
    work.pop_back();
    if (block == kExitBlock) {
      found.insert(path);
      continue;
    }
    bool ends = graph.succs(block).empty();
    for (int e : graph.succs(block)) {
      if (graph.edge(e).is_cut()) {
        ends = true;
        continue;
      }
      ContextPath longer = path;
      longer.edges.push_back(e);
      int dst = graph.edge(e).dst;
      work.push_back({dst, longer});
      if (loops.has_context(dst)) {
        longer.contexts.push_back(longer.edges.size());
        work.push_back({dst, longer});
      }
    }
    if (ends) {
      path.cut_off = true;
      found.insert(path);
    }
  }
  return found;
}

} // namespace pathprof::testing

#endif
