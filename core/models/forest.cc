// SPDX-License-Identifier: GPL-3.0-or-later
// Builds a k-SF, and joins its trees to the k-IPF.
#include "core/models/forest.h"

#include <algorithm>

#include "core/numbering/saturate.h"

namespace pathprof {

// Construction of the k-SF.

void SlabBuilder::begin() {
  n_ = 0;
  tau_ = beta_ = ForestNode::kNone;
}

uint32_t SlabBuilder::child(uint32_t parent, uint64_t id) {
  auto [at, is_new] = children_.try_emplace({parent, id}, static_cast<uint32_t>(forest_.size()));
  if (is_new)
    forest_.push_back({parent, parent == ForestNode::kNone ? 1 : forest_[parent].depth + 1, id, 0});
  return at->second;
}

// With k = 1, every path ID is counted at a root of the forest.
void SlabBuilder::process(uint64_t id) {
  if (k_ < 2 || n_ % (k_ - 1) == 0) {
    beta_ = k_ < 2 ? ForestNode::kNone : tau_;
    tau_ = child(ForestNode::kNone, id);
  } else {
    tau_ = child(tau_, id);
  }
  if (beta_ != ForestNode::kNone)
    beta_ = child(beta_, id);
  forest_[beta_ != ForestNode::kNone ? beta_ : tau_].count++;
  n_++;
}

// Construction of the k-IPF.

namespace {

class PrefixWalk {
public:
  PrefixWalk(const Forest &slabs, uint32_t k, PrefixVisitor &visitor)
      : slabs_(slabs), k_(k), visitor_(visitor), first_child_(slabs.size() + 1, 0), children_(slabs.size()),
        to_count_(slabs.size(), UINT32_MAX) {
    for (const ForestNode &node : slabs)
      if (node.parent != ForestNode::kNone)
        first_child_[node.parent + 1]++;
    for (size_t i = 0; i < slabs.size(); i++)
      first_child_[i + 1] += first_child_[i];
    std::vector<uint32_t> next(first_child_.begin(), first_child_.end() - 1);
    for (uint32_t i = 0; i < slabs.size(); i++)
      if (slabs[i].parent != ForestNode::kNone)
        children_[next[slabs[i].parent]++] = i;
    for (size_t i = slabs.size(); i-- > 0;) {
      if (slabs[i].count)
        to_count_[i] = 0;
      if (slabs[i].parent != ForestNode::kNone && to_count_[i] != UINT32_MAX)
        to_count_[slabs[i].parent] = std::min(to_count_[slabs[i].parent], to_count_[i] + 1);
    }
  }

  void run() {
    std::vector<uint32_t> all(slabs_.size());
    for (uint32_t i = 0; i < all.size(); i++)
      all[i] = i;
    visit(all, 1);
  }

private:
  // Visits the k-IPF nodes at `depth` that correspond to the k-SF nodes in `nodes`.  If several of the k-SF nodes have
  // the same label, they correspond to the same k-IPF node.
  void visit(std::vector<uint32_t> &nodes, uint32_t depth) {
    std::stable_sort(nodes.begin(), nodes.end(), [&](uint32_t a, uint32_t b) { return slabs_[a].id < slabs_[b].id; });
    for (size_t first = 0, last; first < nodes.size(); first = last) {
      uint64_t id = slabs_[nodes[first]].id, count = 0;
      for (last = first; last < nodes.size() && slabs_[nodes[last]].id == id; last++)
        saturating_add(count, slabs_[nodes[last]].count);
      visit_one(id, count,
                {nodes.begin() + static_cast<ptrdiff_t>(first), nodes.begin() + static_cast<ptrdiff_t>(last)}, depth);
    }
  }

  // Returns true if any of these nodes has a nonzero count or a descendant with a nonzero count that ends a sequence of
  // at most k labels.  After a fork or a reset, a node with count 0 can have descendants with nonzero counts.
  bool leads_to_count(const std::vector<uint32_t> &ends, uint32_t depth) const {
    return std::any_of(ends.begin(), ends.end(), [&](uint32_t end) { return to_count_[end] <= k_ - depth; });
  }

  void visit_one(uint64_t id, uint64_t count, const std::vector<uint32_t> &ends, uint32_t depth) {
    if (count == 0 && !leads_to_count(ends, depth))
      return;
    if (visitor_.enter(id, count, ends) && depth < k_) {
      std::vector<uint32_t> below;
      for (uint32_t end : ends)
        below.insert(below.end(), children_.begin() + first_child_[end], children_.begin() + first_child_[end + 1]);
      visit(below, depth + 1);
    }
    visitor_.leave();
  }

  const Forest &slabs_;
  uint32_t k_;
  PrefixVisitor &visitor_;
  std::vector<uint32_t> first_child_;
  std::vector<uint32_t> children_;
  std::vector<uint32_t> to_count_; // distance to the nearest descendant with a count
};

} // namespace

void walk_prefix_forest(const Forest &slabs, uint32_t k, PrefixVisitor &visitor) {
  PrefixWalk(slabs, k, visitor).run();
}

std::vector<std::pair<uint64_t, uint64_t>> path_counts(const Forest &slabs) {
  std::map<uint64_t, uint64_t> counts;
  for (const ForestNode &node : slabs)
    if (node.count)
      saturating_add(counts[node.id], node.count);
  return {counts.begin(), counts.end()};
}

} // namespace pathprof
