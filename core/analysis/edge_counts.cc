// SPDX-License-Identifier: GPL-3.0-or-later
// Edge counts from path counts.
#include "core/analysis/edge_counts.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace pathprof {

namespace {

using Amount = unsigned __int128;

// Cut edges as what flows from the surrogates at their sources to those at their targets.  Where
// one edge of a surrogate is left its count follows; where that helps nowhere, one edge is given a
// count.
class CutFlow {
public:
  CutFlow(const FlowGraph &flow, const std::vector<double> &estimate)
      : estimate_(estimate), count_(flow.num_edges(), 0), settled_(flow.num_edges(), 0), end_(flow.num_edges(), kNone),
        start_(flow.num_edges(), kNone) {}

  // All ends come before the first start: what is known of them is tried first.
  void add_end(Amount count, const std::vector<int> &edges) { add(end_, count, edges); }
  void add_start(Amount count, const std::vector<int> &edges) { add(start_, count, edges); }

  // Counts by flow edge; 0 for those without surrogates.
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
    Amount left; // for the edges that are not settled
    std::vector<int> edges;
    size_t num_open; // edges that are not settled
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

  // What both of an edge's sides have left.
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

  // The other side may have settled it meanwhile.
  void settle_last(int surrogate) {
    std::vector<int> open = open_edges(surrogate);
    if (open.empty())
      return;
    int e = open.front();
    settle(e, surrogate == end_[e] ? std::max(surrogates_[surrogate].left, arrivals_over(e)) : most_of(e));
  }

  // What surely came over an edge, as no other leads to its target.  Behind a fork that is more than what ended
  // before it: the paths of the parent and of the child start there.
  Amount arrivals_over(int e) const {
    return start_[e] != kNone && surrogates_[start_[e]].edges.size() == 1 ? surrogates_[start_[e]].left : 0;
  }

  // Gives the first open edge its share, within what the other sides of all open edges have left.
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
  std::set<int> last_open_; // surrogates that had one open edge left when they were added
  std::vector<Amount> count_;
  std::vector<char> settled_;
  std::vector<int> end_, start_; // by flow edge: its surrogates
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
  for (const ContractedLoopVisit &visit : path.loop_visits) {
    if (visit.edges > path.context_edges)
      entered_[visit.head] += count;
    if (visit.edges >= path.context_edges && visit.edges < path.edges.size())
      left_[flow.edge(path.edges[visit.edges]).src] += count;
  }
}

// A path of a contracted loop is counted before the one around it, unless the profile is damaged.
static Amount without(Amount count, Amount loop_visits) {
  return count - std::min(count, loop_visits);
}

// Nothing can be placed on an abnormal edge.  Paths that leave over it are counted before the last
// statement of a block in which every path ends; not under exact termination if there are ordinary
// edges too, for then they are counted as cut short (core/plan/placement.cc).
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
  const std::vector<Amount> &of_cuts = cuts.solve();
  std::vector<uint64_t> counts(flow.num_edges());
  for (int e = 0; e < flow.num_edges(); e++)
    counts[e] = static_cast<uint64_t>(std::min<Amount>(on_edge_[e] + of_cuts[e], UINT64_MAX));
  return counts;
}

} // namespace pathprof
