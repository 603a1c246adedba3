// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the control-flow graph of a function, from which every path model is built.
//
// Blocks are numbered as in GCC: 0 is ENTRY, 1 is EXIT, and the other blocks keep GCC's index, so numbers may be unused
// (a block without edges).  Edges have a *stable order*, the order in which they were added.  Every numbering depends
// on this order, so code that stores a graph must store the order, too.
//
// An edge with one of the three cut flags is a *truncation point*, also called a *cut edge*: a path ends at its source,
// and a new path starts at its destination (Ball and Larus, MICRO-29 1996, section 4).
#ifndef PATHPROF_CORE_GRAPH_FLOW_GRAPH_H
#define PATHPROF_CORE_GRAPH_FLOW_GRAPH_H

#include <vector>

namespace pathprof {

inline constexpr int kEntryBlock = 0;
inline constexpr int kExitBlock = 1;

// Edge flags.  The notes store the numeric values (doc/format.md).
enum EdgeFlag : unsigned {
  kTrue = 1u << 0,
  kFalse = 1u << 1,
  kFallthru = 1u << 2,
  kEh = 1u << 3,
  kAbnormal = 1u << 4, // no code can be placed on the edge; always a truncation point
  kBack = 1u << 5,     // back edge of a depth-first search; always a truncation point
  kCut = 1u << 6,      // truncation point for another reason: the path limit or an abnormal edge next to it
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
  // Creates a graph with `num_blocks` blocks, including ENTRY and EXIT, and no edges.
  explicit FlowGraph(int num_blocks = 2);
  // Creates a graph with the given edges, whose order becomes the stable order.  All block numbers must be below
  // `num_blocks`.
  FlowGraph(int num_blocks, std::vector<Edge> edges);

  // Appends an edge and returns its index in the stable order.
  int add_edge(int src, int dst, unsigned flags = 0, double frequency = 1);

  int num_blocks() const { return static_cast<int>(succs_.size()); }
  int num_edges() const { return static_cast<int>(edges_.size()); }
  const Edge &edge(int index) const { return edges_[index]; }
  Edge &edge(int index) { return edges_[index]; }
  const std::vector<Edge> &edges() const { return edges_; }

  // Return the indices of the edges that leave or enter a block, in the stable order.
  const std::vector<int> &succs(int block) const { return succs_[block]; }
  const std::vector<int> &preds(int block) const { return preds_[block]; }

  // has_pred_with returns true if any edge that enters the block has one of the flags. has_succ_with returns true if
  // any edge that leaves the block has one of the flags.
  bool has_pred_with(int block, unsigned flags) const;
  bool has_succ_with(int block, unsigned flags) const;

private:
  std::vector<Edge> edges_;
  std::vector<std::vector<int>> succs_;
  std::vector<std::vector<int>> preds_;
};

// Returns the sum of the frequencies of the given edges.
double frequency_of(const FlowGraph &graph, const std::vector<int> &edges);

// Returns, for each block, 1 if the block is reachable from ENTRY through edges of any kind, and 0 otherwise.
std::vector<char> reachable_blocks(const FlowGraph &graph);

// cut_preds returns the cut edges that enter `block` from reachable blocks, and cut_succs returns the cut edges that
// leave `block`.
std::vector<int> cut_preds(const FlowGraph &graph, int block, const std::vector<char> &reachable);
std::vector<int> cut_succs(const FlowGraph &graph, int block);

} // namespace pathprof

#endif
