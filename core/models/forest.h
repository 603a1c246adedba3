// SPDX-License-Identifier: GPL-3.0-or-later
// Defines forests of path sequences (D'Elia and Demetrescu, OOPSLA 2013).
//
// The stream of an activation is the sequence of the path IDs that it executed.  The k-iteration path forest (k-IPF)
// contains every subsequence of at most k consecutive path IDs of all streams, with its number of occurrences: the
// labels from a root to a node are the sequence, and the node's count is the number of occurrences.
//
// Building the k-IPF directly would update k nodes per path ID.  The runtime builds the k-slab forest (k-SF) instead,
// in which each path ID is counted at one node.  The labels from the root to this node are the last path IDs of the
// stream, at least min(k, length so far) of them.  Every sequence that ends there is thus found once, as the last
// labels from a root to a node, and sums over nodes give the k-IPF.  Slabs determine how far back the labels reach: a
// stream is divided into slabs of k-1 path IDs, and a node's labels start at the beginning of the previous slab (or of
// the first slab).
#ifndef PATHPROF_CORE_MODELS_FOREST_H
#define PATHPROF_CORE_MODELS_FOREST_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace pathprof {

struct ForestNode {
  static constexpr uint32_t kNone = UINT32_MAX;
  uint32_t parent = kNone; // kNone for a root
  uint32_t depth = 1;      // number of labels from the root to this node
  uint64_t id = 0;         // label of the node: a path ID
  uint64_t count = 0;
};

// The nodes of a forest.  Parents precede their children.
using Forest = std::vector<ForestNode>;

// Returns the maximum number of labels from a root to a node of the k-SF.
inline uint32_t slab_depth(uint32_t k) {
  return k < 2 ? 1 : 2 * k - 2;
}

// Builds a k-SF from streams of path IDs.  Implements the paper's procedure process_bl_path_id.
class SlabBuilder {
public:
  explicit SlabBuilder(uint32_t k) : k_(k) {}

  void begin(); // starts a new activation: the marker * of the paper
  void process(uint64_t id);

  const Forest &forest() const { return forest_; }

private:
  uint32_t child(uint32_t parent, uint64_t id);

  uint32_t k_;
  Forest forest_;
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> children_;
  uint64_t n_ = 0;
  uint32_t tau_ = ForestNode::kNone;
  uint32_t beta_ = ForestNode::kNone;
};

// Visitor for the nodes of a k-IPF.  The nodes are visited in preorder, and siblings are ordered by label.
class PrefixVisitor {
public:
  virtual ~PrefixVisitor() = default;
  // Enters a node.  The ancestors of the node are the nodes that have been entered but not yet left.  `ends` lists the
  // k-SF nodes at which the node's sequence ends.  Returns false to skip the children.
  virtual bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &ends) = 0;
  virtual void leave() = 0;
};

// Traverses the k-IPF that corresponds to a k-SF, like the paper's procedures make_k_ipf and join_subtree.  The
// subtrees to be joined are traversed simultaneously, so the k-IPF, which can be k times as large as the k-SF, is never
// built.  Sequences with count 0 are skipped unless a longer sequence has a nonzero count, which can happen after
// pathrt_reset or fork.
void walk_prefix_forest(const Forest &slabs, uint32_t k, PrefixVisitor &visitor);

// Returns the execution count of each path, ordered by path ID.  These counts are the first level of the k-IPF.
std::vector<std::pair<uint64_t, uint64_t>> path_counts(const Forest &slabs);

} // namespace pathprof

#endif
