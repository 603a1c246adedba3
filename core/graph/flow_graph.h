// SPDX-License-Identifier: GPL-3.0-or-later
// A function's control-flow graph as the path models see it.
//
// Blocks are numbered as in GCC: 0 is ENTRY, 1 is EXIT, the others carry the compiler's index, so gaps
// are possible (a block without edges).  Edges have a *stable order*, the order in which they were
// added; every numbering depends on it, so whoever stores a graph must store that order.
//
// An edge that carries one of the three cut flags ends the path at its source and starts a new one at
// its destination (Ball and Larus, MICRO-29 1996, section 4).
#ifndef PATHPROF_CORE_GRAPH_FLOW_GRAPH_H
#define PATHPROF_CORE_GRAPH_FLOW_GRAPH_H

#include <vector>

namespace pathprof {

inline constexpr int kEntryBlock = 0;
inline constexpr int kExitBlock = 1;

// Edge flags.  The values are part of the notes' encoding (doc/format.md).
enum EdgeFlag : unsigned {
  kTrue = 1u << 0,
  kFalse = 1u << 1,
  kFallthru = 1u << 2,
  kEh = 1u << 3,
  kAbnormal = 1u << 4, // nothing can be placed on it; always cut
  kBack = 1u << 5,     // back edge of a depth-first search; always cut
  kCut = 1u << 6,      // cut for another reason: the path limit, or a neighbour that is abnormal
};
inline constexpr unsigned kEdgeFlagMask = (1u << 7) - 1;
inline constexpr unsigned kCutMask = kAbnormal | kBack | kCut;

struct Edge {
  int src = 0;
  int dst = 0;
  unsigned flags = 0;
  double frequency = 1; // estimated or measured executions; only ratios matter

  bool is_cut() const { return flags & kCutMask; }
};

class FlowGraph {
public:
  // A graph of blocks 0 … num_blocks-1 (at least ENTRY and EXIT) without edges.
  explicit FlowGraph(int num_blocks = 2);
  // A graph with these edges, in their stable order, between blocks below num_blocks.
  FlowGraph(int num_blocks, std::vector<Edge> edges);

  // Appends an edge and returns its index in the stable order.
  int add_edge(int src, int dst, unsigned flags = 0, double frequency = 1);

  int num_blocks() const { return static_cast<int>(succs_.size()); }
  int num_edges() const { return static_cast<int>(edges_.size()); }
  const Edge &edge(int index) const { return edges_[index]; }
  Edge &edge(int index) { return edges_[index]; }
  const std::vector<Edge> &edges() const { return edges_; }

  // Indices of the edges that leave or enter a block, in the stable order.
  const std::vector<int> &succs(int block) const { return succs_[block]; }
  const std::vector<int> &preds(int block) const { return preds_[block]; }

  // True if some edge with one of the flags enters or leaves the block.
  bool has_pred_with(int block, unsigned flags) const;
  bool has_succ_with(int block, unsigned flags) const;

private:
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> succs_;
  std::vector<std::vector<int>> preds_;
};

// Executions of these edges together.
double frequency_of(const FlowGraph &graph, const std::vector<int> &edges);

// Which blocks can be reached from ENTRY over any edge.
std::vector<char> reachable_blocks(const FlowGraph &graph);

// The cut edges that arrive at a block from reachable blocks, and those that leave it.
std::vector<int> cut_preds(const FlowGraph &graph, int block, const std::vector<char> &reachable);
std::vector<int> cut_succs(const FlowGraph &graph, int block);

} // namespace pathprof

#endif
