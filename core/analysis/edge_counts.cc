// SPDX-License-Identifier: GPL-3.0-or-later
// Computes edge counts from path counts.
#include "core/analysis/edge_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace pathprof {

namespace {

using Amount = unsigned __int128;

// Computes the counts of cut edges.  A cut edge can belong to two surrogate edges: one for the paths that end at its
// source, and one for the paths that start at its target.  A cut edge is *open* until its count is final.  If only one
// cut edge of a surrogate edge is open, this cut edge receives the remaining count of the surrogate edge.  If every
// surrogate edge has several open cut edges, the count of one open cut edge is estimated.
class CutFlow {
public:
  CutFlow(const FlowGraph &flow, const std::vector<double> &estimate)
      : estimate_(estimate), count_(flow.num_edges(), 0), settled_(flow.num_edges(), 0), end_(flow.num_edges(), kNone),
        start_(flow.num_edges(), kNone) {}

  // Add the surrogate edge for the paths that end or start at a block.  All calls to add_end must precede the calls to
  // add_start, because the counts of path ends take precedence.
  void add_end(Amount count, const std::vector<int> &edges) { add(end_, count, edges); }
  void add_start(Amount count, const std::vector<int> &edges) { add(start_, count, edges); }

  // Returns the count of each flow edge.  The count is 0 for flow edges that no surrogate edge represents.
  const std::vector<Amount> &solve() {
    for (int next = 0; next < static_cast<int>(surrogates_.size());) {
      if (!last_open_.empty())
        settle_last(take_first());
      else if (surrogates_[next].num_open == 0)
        next++;
      else
        settle_one(next);
    }
    return count_;
  }

private:
  static constexpr int kNone = -1;

  struct Surrogate {
    Amount left;            // remaining count for the open edges
    std::vector<int> edges; // cut edges that share the surrogate edge
    size_t num_open;        // number of edges without a final count
  };

  void add(std::vector<int> &side, Amount count, const std::vector<int> &edges) {
    int index = static_cast<int>(surrogates_.size());
    surrogates_.push_back({count, edges, edges.size()});
    for (int e : edges)
      side[e] = index;
    if (edges.size() == 1)
      last_open_.insert(index);
  }

  int take_first() {
    int first = *last_open_.begin();
    last_open_.erase(last_open_.begin());
    return first;
  }

  std::vector<int> open_edges(int surrogate) const {
    std::vector<int> open;
    for (int e : surrogates_[surrogate].edges)
      if (!settled_[e])
        open.push_back(e);
    return open;
  }

  // Returns the largest count of the cut edge `e` that is consistent with the remaining counts of its two surrogate
  // edges.
  Amount most_of(int e) const {
    if (end_[e] == kNone || start_[e] == kNone)
      return surrogates_[std::max(end_[e], start_[e])].left;
    return std::min(surrogates_[end_[e]].left, surrogates_[start_[e]].left);
  }

  void settle(int e, Amount count) {
    count_[e] = count;
    settled_[e] = 1;
    for (int side : {end_[e], start_[e]}) {
      if (side == kNone)
        continue;
      Surrogate &surrogate = surrogates_[side];
      surrogate.left -= std::min(surrogate.left, count);
      if (--surrogate.num_open == 1)
        last_open_.insert(side);
    }
  }

  // Sets the final count of the last open cut edge of a surrogate edge.  Does nothing if the other surrogate edge of
  // the cut edge has already determined this count.
  void settle_last(int surrogate) {
    std::vector<int> open = open_edges(surrogate);
    if (open.empty())
      return;
    int e = open.front();
    settle(e, surrogate == end_[e] ? std::max(surrogates_[surrogate].left, arrivals_over(e)) : most_of(e));
  }

  // Returns the number of paths that start after `e`, or 0 if another cut edge leads to the same block.  After a fork,
  // more paths start than end, because a path starts in both the parent and the child.
  Amount arrivals_over(int e) const {
    return start_[e] != kNone && surrogates_[start_[e]].edges.size() == 1 ? surrogates_[start_[e]].left : 0;
  }

  // Estimates the count of the first open cut edge of a surrogate edge.  Divides the remaining count of the surrogate
  // edge among its open cut edges in proportion to `estimate_`.  Adjusts the result if it contradicts the remaining
  // counts of the other surrogate edges of these cut edges.
  void settle_one(int surrogate) {
    std::vector<int> open = open_edges(surrogate);
    int e = open.front();
    double sum = 0;
    Amount others = 0;
    for (int other : open) {
      sum += std::max(estimate_[other], 0.0);
      others += other == e ? 0 : most_of(other);
    }
    double part = sum > 0 ? std::max(estimate_[e], 0.0) / sum : 1 / static_cast<double>(open.size());
    Amount left = surrogates_[surrogate].left;
    auto share = static_cast<Amount>(std::round(part * static_cast<double>(left)));
    Amount least = left - std::min(left, others);
    settle(e, std::min(std::max(share, least), most_of(e)));
  }

  const std::vector<double> &estimate_;
  std::vector<Surrogate> surrogates_;
  std::set<int> last_open_; // surrogate edges that had one open edge when they were added
  std::vector<Amount> count_;
  std::vector<char> settled_;
  std::vector<int> end_, start_; // surrogate edges at the source and target of each flow edge, or kNone
};

} // namespace

EdgeCounts::EdgeCounts(const FlowGraph &flow, bool exact_termination, std::vector<char> uncounted)
    : paths_(flow), exact_termination_(exact_termination), uncounted_(std::move(uncounted)),
      on_edge_(flow.num_edges(), 0), starts_(flow.num_blocks(), 0), ends_(flow.num_blocks(), 0),
      entered_(flow.num_blocks(), 0), left_(flow.num_blocks(), 0) {}

void EdgeCounts::add(const Path &path, uint64_t count) {
  for (size_t i = path.context_edges; i < path.edges.size(); i++)
    on_edge_[path.edges[i]] += count;
  if (!path.begins_activation())
    starts_[path.blocks[path.context_blocks]] += count;
  if ((path.end == PathEnd::BackEdge || path.end == PathEnd::Cut) && !path.ends_in_loop_visit())
    ends_[path.blocks.back()] += count;
  add_passages(path, count);
}

void EdgeCounts::add_passages(const Path &path, uint64_t count) {
  const FlowGraph &flow = paths_.flow();
  for (const CollapsedLoopVisit &visit : path.loop_visits) {
    if (visit.edges > path.context_edges)
      entered_[visit.head] += count;
    if (visit.edges >= path.context_edges && visit.edges < path.edges.size())
      left_[flow.edge(path.edges[visit.edges]).src] += count;
  }
}

// Returns `count` minus `loop_visits`, or 0 if the difference is negative.  The difference is negative only in a
// damaged profile, because the paths inside a collapsed loop are counted before the enclosing path.
static Amount without(Amount count, Amount loop_visits) {
  return count - std::min(count, loop_visits);
}

// No code can be placed on an abnormal edge.  If every path through a block ends at the block, a path that leaves the
// block through an abnormal edge is counted before the last statement of the block.  With exact termination, such a
// path is counted as truncated instead if the block also has ordinary out-edges (core/plan/placement.cc).
std::vector<int> EdgeCounts::counted_ends(const PathEdge &end) const {
  const FlowGraph &flow = paths_.flow();
  bool any_uncut = false;
  std::vector<int> ordinary, counted;
  for (int e : end.via)
    if (uncounted_.empty() || !uncounted_[e])
      counted.push_back(e);
  for (int e : flow.succs(end.src))
    any_uncut |= !flow.edge(e).is_cut();
  std::copy_if(counted.begin(), counted.end(), std::back_inserter(ordinary),
               [&](int e) { return !(flow.edge(e).flags & kAbnormal); });
  bool all = !any_uncut && (ordinary.empty() || !exact_termination_);
  return all ? counted : ordinary;
}

std::vector<uint64_t> EdgeCounts::traversals(const std::vector<double> &estimate) const {
  const FlowGraph &flow = paths_.flow();
  CutFlow cuts(flow, estimate);
  for (const PathEdge &edge : paths_.edges())
    if (edge.kind == PathEdgeKind::End)
      cuts.add_end(without(ends_[edge.src], left_[edge.src]), counted_ends(edge));
  for (const PathEdge &edge : paths_.edges())
    if (edge.kind == PathEdgeKind::Start)
      cuts.add_start(without(starts_[edge.dst], entered_[edge.dst]), edge.via);
  return with_uncut(cuts.solve());
}

std::vector<uint64_t> EdgeCounts::with_uncut(const std::vector<Amount> &of_cuts) const {
  std::vector<uint64_t> counts(of_cuts.size());
  for (size_t e = 0; e < counts.size(); e++)
    counts[e] = static_cast<uint64_t>(std::min<Amount>(on_edge_[e] + of_cuts[e], UINT64_MAX));
  return counts;
}

// Only the surrogate edges that represent a single cut edge show that this cut edge was taken.
std::vector<uint64_t> EdgeCounts::least_traversals() const {
  std::vector<Amount> least(paths_.flow().num_edges(), 0);
  auto raise = [&](const std::vector<int> &edges, Amount count) {
    if (edges.size() == 1)
      least[edges.front()] = std::max(least[edges.front()], count);
  };
  for (const PathEdge &edge : paths_.edges())
    if (edge.kind == PathEdgeKind::End)
      raise(counted_ends(edge), without(ends_[edge.src], left_[edge.src]));
    else if (edge.kind == PathEdgeKind::Start)
      raise(edge.via, without(starts_[edge.dst], entered_[edge.dst]));
  return with_uncut(least);
}

} // namespace pathprof
