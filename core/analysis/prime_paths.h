// SPDX-License-Identifier: GPL-3.0-or-later
// Prime paths, and how often each ran (Ammann and Offutt, Introduction to Software Testing, 2nd edition, 7.2.1).
//
// A simple path passes no block twice, but that its first block may also be its last: it is a simple cycle then.  A
// prime path is a simple path that is no proper part of another one; each cycle is as many prime paths as it has
// blocks, one for each that it can begin at.  Blocks are those of the flow graph without ENTRY and EXIT, edges those
// that are not abnormal.
//
// A prime path occurs in an activation wherever its blocks are passed one behind the other.  At each position of an
// activation's blocks at most one prime path begins: the longest simple path from there, if it is prime, which its
// first and last block tell.  So what is spent on counting depends on what ran, not on how many prime paths there are.
//
// Occurrences are counted in sequences of acyclic paths (core/models/forest.h): each in the one that begins with the
// path in which its first block is, and ends with the one in which its last block is.  Between two paths lies a cut
// edge, so an occurrence with n cut edges needs sequences of n + 1 paths.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_PATHS_H
#define PATHPROF_CORE_ANALYSIS_PRIME_PATHS_H

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "core/models/forest.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Its blocks; of a cycle the first one is also the last.
using PrimePath = std::vector<int>;

inline bool is_cycle(const PrimePath &path) {
  return path.size() > 1 && path.front() == path.back();
}

// The blocks and edges that prime paths are made of.  Keeps a reference.
class PrimeGraph {
public:
  explicit PrimeGraph(const FlowGraph &flow);

  const FlowGraph &flow() const { return *flow_; }
  int num_blocks() const { return static_cast<int>(succs_.size()); }
  // Blocks that can be reached from ENTRY, in increasing order.
  const std::vector<int> &blocks() const { return blocks_; }
  // Each block once, though parallel edges lead there.
  const std::vector<int> &succs(int block) const { return succs_[static_cast<size_t>(block)]; }
  const std::vector<int> &preds(int block) const { return preds_[static_cast<size_t>(block)]; }
  // The first of the edges from a block to another one, of those that are cut or of those that are not; -1: none.
  int edge(int src, int dst, bool is_cut) const;
  // An edge between them; a cut one only if there is no other.
  int edge(int src, int dst) const;
  // Whether a block without edges is a path by itself: not one that control leaves over abnormal edges alone.
  bool stands_alone(int block) const { return stands_alone_[static_cast<size_t>(block)]; }

  // How many of a path's edges are cut, and how many acyclic paths a sequence must have to show the path: one more
  // than that, unless the path's last edge is cut and says alone where control went on.
  uint32_t num_cuts(const PrimePath &path) const;
  uint32_t needed_paths(const PrimePath &path) const;
  // Whether one cut edge leaves a block and no other: a path that ends there goes on over it.
  bool has_only_cut(int block) const { return only_cut_[static_cast<size_t>(block)] >= 0; }
  int only_cut(int block) const { return only_cut_[static_cast<size_t>(block)]; }

private:
  const FlowGraph *flow_;
  std::vector<int> blocks_;
  std::vector<std::vector<int>> succs_, preds_;
  std::vector<char> stands_alone_;
  std::vector<int> only_cut_; // by block: the edge, or -1
};

// How often each prime path that ran did, saturating.
using PrimeCounts = std::map<PrimePath, uint64_t>;

// Of the sequences of at most `k` paths of a k-SF; `path_of` decodes a number of it.  Prime paths that need longer
// sequences are not among them.
PrimeCounts count_prime_paths(const PrimeGraph &graph, const Forest &slabs, uint32_t k,
                              const std::function<Path(uint64_t)> &path_of);

// A number of paths with which sequences show every prime path of a graph whose cuts are marked: at most
// kMaxIterations, which may be too few.  In a reducible graph without other cuts than back edges: how deep loops are
// nested, and one more.
uint32_t paths_for_prime_paths(const FlowGraph &flow);

} // namespace pathprof

#endif
