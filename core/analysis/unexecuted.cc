// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for unexecuted paths around each executed path.
#include "core/analysis/unexecuted.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_set>

#include "core/analysis/nearest_search.h"

namespace pathprof {

namespace {

using Executed = std::pair<uint64_t, uint64_t>; // path ID and execution count

// An edge of the contracted graph.  It leads from a node with several successors to the next such node or to EXIT.
struct ContractedEdge {
  uint64_t val = 0; // modulo 2^64, like sums of vals
  int to = kExitBlock;
};

class Search {
public:
  Search(const PathGraph &graph, const PathNumbering &numbering, const std::vector<Executed> &executed, size_t limit,
         uint64_t &effort)
      : graph_(graph), numbering_(numbering), limit_(limit), effort_(effort),
        contracted_(static_cast<size_t>(graph.num_nodes())), contracted_of_(static_cast<size_t>(graph.num_edges()), -1),
        taken_(contracted_.size(), kNotPassed), suffix_(contracted_.size(), 0), to_come_(contracted_.size(), 0),
        executed_(executed) {
    std::stable_sort(executed_.begin(), executed_.end(),
                     [](const Executed &a, const Executed &b) { return a.second > b.second; });
    for (const Executed &path : executed_)
      ran_.insert(path.first);
    contract();
  }

  UnexecutedPaths run() {
    if (executed_.empty())
      return {};
    uint64_t num_unexecuted = numbering_.num_paths() - ran_.size();
    return search_by_distance<UnexecutedPaths>(1, &found_, limit_, effort_, [&](uint32_t distance) {
      if (found_.size() >= num_unexecuted)
        return false;
      look_at(distance);
      return true;
    });
  }

private:
  static constexpr int kNotPassed = -1;
  static constexpr uint32_t kFar = std::numeric_limits<uint32_t>::max() / 2;

  bool decides(int node) const { return graph_.succs(node).size() > 1; }

  // Follows `edge` and the edges after it to the next node with several successors, or to EXIT.
  ContractedEdge contracted_edge(int edge) const {
    ContractedEdge contracted;
    for (;;) {
      contracted.val += static_cast<uint64_t>(numbering_.val(edge));
      contracted.to = graph_.edge(edge).dst;
      if (contracted.to == kExitBlock || decides(contracted.to))
        return contracted;
      edge = graph_.succs(contracted.to).front();
    }
  }

  void contract() {
    for (int node : graph_.reverse_topological()) {
      if (!decides(node))
        continue;
      nodes_.push_back(node);
      for (int edge : graph_.succs(node)) {
        contracted_of_[static_cast<size_t>(edge)] = static_cast<int>(contracted_[static_cast<size_t>(node)].size());
        contracted_[static_cast<size_t>(node)].push_back(contracted_edge(edge));
      }
    }
    start_ = decides(kEntryBlock) || graph_.succs(kEntryBlock).empty()
                 ? ContractedEdge{0, kEntryBlock}
                 : contracted_edge(graph_.succs(kEntryBlock).front());
  }

  // Finds all paths at the given distance from an executed path, except those that are nearer to another executed path.
  void look_at(uint32_t distance) {
    for (const Executed &path : executed_) {
      follow(path.first);
      if (distance > 1)
        count_decisions_to_come();
      path_ = &path;
      distance_ = distance;
      walk(start_.to, start_.val, distance);
      for (int node : passed_)
        taken_[static_cast<size_t>(node)] = kNotPassed;
      if (effort_ == 0)
        return;
    }
  }

  void follow(uint64_t id) {
    passed_.clear();
    std::vector<int> walk = numbering_.walk_of(id);
    uint64_t rest = 0;
    for (auto edge = walk.rbegin(); edge != walk.rend(); ++edge) {
      int node = graph_.edge(*edge).src;
      rest += static_cast<uint64_t>(numbering_.val(*edge));
      if (!decides(node))
        continue;
      taken_[static_cast<size_t>(node)] = contracted_of_[static_cast<size_t>(*edge)];
      suffix_[static_cast<size_t>(node)] = rest;
      passed_.push_back(node);
    }
    spend(walk.size());
  }

  void spend(uint64_t edges) { effort_ -= std::min(effort_, edges); }

  // Computes, for each node, the minimum number of decisions on a walk from the node until the walk rejoins the
  // executed path or reaches EXIT.
  void count_decisions_to_come() {
    for (int node : nodes_) {
      uint32_t least = kFar;
      for (const ContractedEdge &contracted : contracted_[static_cast<size_t>(node)])
        least = std::min(least, 1 + decisions_from(contracted.to));
      to_come_[static_cast<size_t>(node)] = least;
      spend(contracted_[static_cast<size_t>(node)].size());
    }
  }

  bool is_on_path(int node) const { return node == kExitBlock || taken_[static_cast<size_t>(node)] != kNotPassed; }
  uint32_t decisions_from(int node) const { return is_on_path(node) ? 0 : to_come_[static_cast<size_t>(node)]; }

  // Finds the walks from the node `from` that make exactly `from_left` decisions that the executed path does not
  // contain.  Each stack entry represents a different prefix, so no path is found twice.  Uses a stack instead of
  // recursion because paths can be very long.
  void walk(int from, uint64_t from_val, uint32_t from_left) {
    struct Place {
      int node;
      uint64_t val;
      uint32_t left;
    };
    std::vector<Place> stack{{from, from_val, from_left}};
    while (!stack.empty() && effort_ > 0) {
      auto [node, val, left] = stack.back();
      stack.pop_back();
      if (left == 0 || node == kExitBlock) {
        if (left == 0)
          see(node == kExitBlock ? val : val + suffix_[static_cast<size_t>(node)]);
        continue;
      }
      const std::vector<ContractedEdge> &succs = contracted_[static_cast<size_t>(node)];
      spend(succs.size());
      for (size_t i = 0; i < succs.size(); i++) {
        uint32_t after = left - (taken_[static_cast<size_t>(node)] != static_cast<int>(i));
        bool can_join = distance_ == 1 ? after > 0 || is_on_path(succs[i].to) : decisions_from(succs[i].to) <= after;
        if (can_join)
          stack.push_back({succs[i].to, val + succs[i].val, after});
      }
    }
  }

  void see(uint64_t id) {
    if (ran_.count(id) == 0 && seen_.insert(id).second)
      found_.push_back({id, path_->first, path_->second, distance_});
  }

  const PathGraph &graph_;
  const PathNumbering &numbering_;
  size_t limit_;
  uint64_t &effort_;
  std::vector<std::vector<ContractedEdge>> contracted_; // edges of each node with several successors
  std::vector<int> contracted_of_;                      // contracted edge of each path-graph edge, or -1
  std::vector<int> nodes_;                              // nodes with several successors; each follows its successors
  ContractedEdge start_;
  // State for the current executed path.
  std::vector<int> taken_;        // edge that the executed path takes at each node, or kNotPassed
  std::vector<uint64_t> suffix_;  // sum of the vals from each node of the executed path to EXIT
  std::vector<uint32_t> to_come_; // minimum number of further decisions at each node that is not on the path
  std::vector<int> passed_;
  const Executed *path_ = nullptr;
  uint32_t distance_ = 0;

  std::vector<Executed> executed_; // sorted by decreasing count
  std::unordered_set<uint64_t> ran_, seen_;
  std::vector<UnexecutedPath> found_;
};

} // namespace

bool UnexecutedPath::operator<(const UnexecutedPath &other) const {
  return std::tie(distance, other.count, id) < std::tie(other.distance, count, other.id);
}

UnexecutedPaths nearest_unexecuted(const PathGraph &graph, const PathNumbering &numbering,
                                   const std::vector<Executed> &executed, size_t limit, uint64_t &effort) {
  return Search(graph, numbering, executed, limit, effort).run();
}

} // namespace pathprof
