// SPDX-License-Identifier: GPL-3.0-or-later
// Counts prime paths and finds unexecuted prime paths (Ammann and Offutt, Introduction to Software Testing, 2nd
// edition, 7.2.1).
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

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <gmpxx.h>

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
  // Returns true if a block that has no successors and no predecessors in this graph is a prime path by itself.
  // Returns false if all edges of the block in the flow graph are abnormal.  The result is meaningless for other
  // blocks.
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

// ---- total number of prime paths (prime_total.cc) ----
//
// A path passes through strongly connected components in topological order, and its part in one component is
// independent of its part in the next.  Only the first component determines whether a block could precede the path, and
// only the last component determines whether the path could continue.  Simple paths are therefore enumerated within
// components only, and the numbers are added and multiplied across components.  A function without loops takes time
// proportional to its edges, however many paths it has.

struct PrimeTotal {
  mpz_class all = 0;
  mpz_class measured = 0; // number of prime paths that sequences of `k` paths can show (PrimeGraph::needed_paths)
  bool is_exact = true;   // false if the numbers are lower bounds
};

// Counts all prime paths.  `effort` is decremented for each visited edge, and the enumeration stops when it reaches 0.
PrimeTotal count_all_prime_paths(const PrimeGraph &graph, uint32_t k, uint64_t &effort);

// ---- prime paths that were not executed, nearest to executed prime paths first (prime_missing.cc) ----
//
// As for acyclic paths (core/analysis/unexecuted.h), the decisions of a path are its edges out of blocks with several
// out-edges.  The distance from an executed path is the number of decisions that the executed path does not contain.  A
// walk with too many such decisions is abandoned, so near paths are found without visiting all paths.

struct MissingPrimePath {
  PrimePath path;
  PrimePath nearest;     // nearest executed path; the most frequent path, and then the first, in case of a tie
  uint64_t count = 0;    // execution count of `nearest`
  uint32_t distance = 0; // 0 if the nearest path contains all decisions of the path

  // Orders paths by increasing distance, then by decreasing count of the nearest executed path, and then by their block
  // numbers.
  bool operator<(const MissingPrimePath &other) const;
};

struct MissingPrimePaths {
  std::vector<MissingPrimePath> paths; // in sorted order
  bool is_complete = true;             // false if the search was stopped early, so `paths` may omit nearer paths
};

// For a missing path whose distance is 0, returns the index in `path` at which the last block of `nearest` occurs.
// Control executes `path` if it executes `nearest` and then the blocks of `path` after this index.  Returns 0 if the
// first block of `path` is not in `nearest` or is the last block of `nearest`, or if the last block of `nearest` is not
// in `path`.
size_t end_of_nearest(const MissingPrimePath &missing);

// Returns true if the block has several out-edges.
bool decides(const PrimeGraph &graph, int block);

// Returns up to `limit` prime paths that were not executed, starting with the paths that are nearest to executed paths.
// Only prime paths that fit in a sequence of `k` acyclic paths are considered.  If nothing was executed, returns no
// paths.  `effort` is decremented for each visited edge, and the search stops when it reaches 0.
MissingPrimePaths nearest_missing(const PrimeGraph &graph, const PrimeCounts &executed, uint32_t k, size_t limit,
                                  uint64_t &effort);

} // namespace pathprof

#endif
