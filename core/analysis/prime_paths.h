// SPDX-License-Identifier: GPL-3.0-or-later
// Counts prime paths (Ammann and Offutt, Introduction to Software Testing, 2nd edition, 7.2.1).
//
// A simple path contains no block twice, except that its first block may also be its last; it is then a simple cycle.
// A prime path is a simple path that is not a proper part of another simple path.  A cycle corresponds to one prime
// path per block at which it can start.  Blocks are those of the flow graph except ENTRY and EXIT; abnormal edges are
// ignored.
//
// A prime path is executed when control passes its blocks consecutively.  At each position in an activation's blocks,
// at most one prime path starts: the longest simple path from there, if the path is prime, which depends on its first
// and last blocks.  The cost of counting is therefore determined by the execution, not by the number of prime paths.
//
// Executions are counted in sequences of acyclic paths (core/models/forest.h).  The sequence starts with the acyclic
// path that contains the prime path's first block and ends with the one that contains its last block.  Consecutive
// acyclic paths are separated by a cut edge, so a prime path with n cut edges needs sequences of n + 1 paths.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_PATHS_H
#define PATHPROF_CORE_ANALYSIS_PRIME_PATHS_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/models/forest.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// The blocks of a prime path.  If the path is a cycle, its first block is also its last.
using PrimePath = std::vector<int>;

inline bool is_cycle(const PrimePath &path) {
  return path.size() > 1 && path.front() == path.back();
}

// The graph in which prime paths are found: the flow graph without ENTRY, EXIT and abnormal edges.  Keeps a reference
// to the flow graph.
class PrimeGraph {
public:
  explicit PrimeGraph(const FlowGraph &flow);

  const FlowGraph &flow() const { return *flow_; }
  int num_blocks() const { return static_cast<int>(succs_.size()); }
  // Returns the blocks that are reachable from ENTRY, in increasing order.
  const std::vector<int> &blocks() const { return blocks_; }
  // Return the successors or predecessors of a block without duplicates, even if there are parallel edges.
  const std::vector<int> &succs(int block) const { return succs_[static_cast<size_t>(block)]; }
  const std::vector<int> &preds(int block) const { return preds_[static_cast<size_t>(block)]; }
  // Returns the first cut edge from `src` to `dst` if `is_cut` is true, or the first uncut edge otherwise.  Returns -1
  // if there is no such edge.
  int edge(int src, int dst, bool is_cut) const;
  // Returns an edge from `src` to `dst`, preferably an uncut edge, or -1 if there is none.
  int edge(int src, int dst) const;
  // For a block without successors and predecessors in this graph, returns true if the block alone is a prime path, and
  // false if only abnormal edges enter and leave it.
  bool stands_alone(int block) const { return stands_alone_[static_cast<size_t>(block)]; }

  // num_cuts returns the number of cut edges on a path. needed_paths returns the minimum length of a sequence of
  // acyclic paths that contains the path.  That length is one more than the number of cut edges, unless the path ends
  // with a cut edge that is the only cut edge out of its source block.
  uint32_t num_cuts(const PrimePath &path) const;
  uint32_t needed_paths(const PrimePath &path) const;
  // Returns true if exactly one cut edge leaves the block and that edge is not abnormal.  After an acyclic path that
  // ends at the block, control then takes this edge.
  bool has_only_cut(int block) const { return only_cut_[static_cast<size_t>(block)] >= 0; }
  int only_cut(int block) const { return only_cut_[static_cast<size_t>(block)]; }

private:
  const FlowGraph *flow_;
  std::vector<int> blocks_;
  std::vector<std::vector<int>> succs_, preds_;
  std::vector<char> stands_alone_;
  std::vector<int> only_cut_; // only cut out-edge of each block, or -1
};

// Saturated execution count of each executed prime path.
using PrimeCounts = std::map<PrimePath, uint64_t>;

// Counts the prime paths in the sequences of at most `k` acyclic paths that the k-slab forest `slabs` contains.
// `path_of` decodes a path ID.  Prime paths that need longer sequences are not counted.
PrimeCounts count_prime_paths(const PrimeGraph &graph, const Forest &slabs, uint32_t k,
                              const std::function<Path(uint64_t)> &path_of);

// Returns a sequence length that suffices to observe every prime path of the graph.  The result is at most
// kMaxIterations, even if a longer sequence would be necessary.  Truncation points must be marked.  If the graph is
// reducible and only its back edges are truncation points, the result is the loop nesting depth plus one.
uint32_t paths_for_prime_paths(const FlowGraph &flow);

} // namespace pathprof

#endif
