// SPDX-License-Identifier: GPL-3.0-or-later
// Forests of path sequences (D'Elia and Demetrescu, OOPSLA 2013).
//
// An activation's stream is the numbers of the paths that it ran through, one after the other.  Of all streams
// the k-iteration path forest (k-IPF) has each sequence of at most k successive numbers with the number of its
// occurrences: the sequence is the labels from a root to a node, the node's count is the occurrences.
//
// Building it would touch k nodes a number.  What is built instead is the k-slab forest (k-SF), in which every
// number counts at one node: the labels from the root to that node are the end of the stream so far, at least
// min(k, length so far) of them.  So each sequence that ends there is found once, as the last labels on the path
// to a node, and sums over nodes give the k-IPF.  How far back the labels go is the slab's business: streams are
// cut into chunks of k-1 numbers, and a node's labels begin at the start of the chunk before the current one
// (or of the first).
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
  uint32_t parent = kNone; // a root has none
  uint32_t depth = 1;      // labels from the root to here
  uint64_t id = 0;         // the label
  uint64_t count = 0;
};

// Parents come before their children.
using Forest = std::vector<ForestNode>;

// The most labels on the path to a node of the k-SF.
inline uint32_t slab_depth(uint32_t k) {
  return k < 2 ? 1 : 2 * k - 2;
}

// Builds a k-SF: procedure process_bl_path_id of the paper.
class SlabBuilder {
public:
  explicit SlabBuilder(uint32_t k) : k_(k) {}

  void begin(); // a new activation: the marker * of the paper
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

// Who sees the nodes of a k-IPF in preorder, siblings by their labels.
class PrefixVisitor {
public:
  virtual ~PrefixVisitor() = default;
  // A node; its ancestors are those that were entered and not yet left.  The sequence ends at the nodes `ends`
  // of the k-SF.  False: its children are not looked at.
  virtual bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &ends) = 0;
  virtual void leave() = 0;
};

// Walks the k-IPF of a k-SF: make_k_ipf and join_subtree of the paper, where all subtrees that join are walked
// at once, so that the k-IPF, which may be k times as large as the k-SF, is never in memory.  Sequences that
// never occur are not in it, unless longer ones do: a process may have forgotten them since (pathrt_reset, fork).
void walk_prefix_forest(const Forest &slabs, uint32_t k, PrefixVisitor &visitor);

// The same, in memory.
Forest prefix_forest(const Forest &slabs, uint32_t k);

// How often each path was taken, by increasing number: the first level of the k-IPF.
std::vector<std::pair<uint64_t, uint64_t>> path_counts(const Forest &slabs);

} // namespace pathprof

#endif
