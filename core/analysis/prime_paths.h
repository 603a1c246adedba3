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

// Blocks of a prime path; the first and last blocks of a cycle are equal.
using PrimePath = std::vector<int>;

inline bool is_cycle(const PrimePath &path) {
  return path.size() > 1 && path.front() == path.back();
}

// The blocks and edges of prime paths; keeps a reference to the flow graph.
class PrimeGraph {
public:
  explicit PrimeGraph(const FlowGraph &flow);

  const FlowGraph &flow() const { return *flow_; }
  int num_blocks() const { return static_cast<int>(succs_.size()); }
  // Returns the blocks that are reachable from ENTRY, in increasing order.
  const std::vector<int> &blocks() const { return blocks_; }
  // Return each successor or predecessor once, even if there are parallel edges.
  const std::vector<int> &succs(int block) const { return succs_[static_cast<size_t>(block)]; }
  const std::vector<int> &preds(int block) const { return preds_[static_cast<size_t>(block)]; }
  // Returns the first edge from `src` to `dst` that is (or is not) a truncation point, or -1.
  int edge(int src, int dst, bool is_cut) const;
  // Returns an edge from `src` to `dst`, preferably one that is not a truncation point, or -1.
  int edge(int src, int dst) const;
  // Returns true if the block without edges is a path by itself; false if control leaves it only over abnormal edges.
  bool stands_alone(int block) const { return stands_alone_[static_cast<size_t>(block)]; }

  // Return the number of cut edges on a path, and the number of acyclic paths that a sequence needs to show the path.
  // The second number is one more than the first, unless the last edge is cut and is its block's only cut edge.
  uint32_t num_cuts(const PrimePath &path) const;
  uint32_t needed_paths(const PrimePath &path) const;
  // Returns true if exactly one cut edge leaves the block and it is not abnormal; a path that ends there then continues
  // over this edge.
  bool has_only_cut(int block) const { return only_cut_[static_cast<size_t>(block)] >= 0; }
  int only_cut(int block) const { return only_cut_[static_cast<size_t>(block)]; }

private:
  const FlowGraph *flow_;
  std::vector<int> blocks_;
  std::vector<std::vector<int>> succs_, preds_;
  std::vector<char> stands_alone_;
  std::vector<int> only_cut_; // only cut out-edge of each block, or -1
};

// Execution count of each executed prime path, saturated.
using PrimeCounts = std::map<PrimePath, uint64_t>;

// Counts the prime paths in the sequences of at most `k` paths in a k-SF; `path_of` decodes a path ID.  Prime paths
// that need longer sequences are not counted.
PrimeCounts count_prime_paths(const PrimeGraph &graph, const Forest &slabs, uint32_t k,
                              const std::function<Path(uint64_t)> &path_of);

// Returns a sequence length that shows every prime path of a graph with marked truncation points, limited to
// kMaxIterations, which may not be enough.  In a reducible graph whose only truncation points are back edges, the
// result is the depth of the loop nest plus one.
uint32_t paths_for_prime_paths(const FlowGraph &flow);

} // namespace pathprof

#endif
