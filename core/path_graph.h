// SPDX-License-Identifier: GPL-3.0-or-later
// The acyclic graph whose ENTRY-to-EXIT walks are the paths (Ball and Larus 1996, section 4).
//
// It has the blocks of a flow graph and three kinds of edges: the real edges that are not cut; one
// surrogate ENTRY→w for every block w where a cut edge arrives; one surrogate v→EXIT for every block v
// where a cut edge leaves or where control cannot go on (the block has no successor).  Surrogates are
// distinct from a real edge between the same two blocks.
//
// Invariant: the flow graph without its cut edges has no cycle; `mark_cuts` (core/cut.h) sees to that.
#ifndef PATHPROF_CORE_PATH_GRAPH_H
#define PATHPROF_CORE_PATH_GRAPH_H

#include <cstdint>
#include <string>
#include <vector>

#include "core/flow_graph.h"

namespace pathprof {

enum class PathEdgeKind { Real, Start, End };

struct PathEdge {
  PathEdgeKind kind = PathEdgeKind::Real;
  int src = 0;
  int dst = 0;
  std::vector<int> via;  // flow edges: the real edge; or the cut edges that share the surrogate
  double frequency = 0;  // sum over `via`; for a block without successors, the block's frequency
};

// Why a path starts or ends where it does.  The names are those of the JSON export.
enum class PathStart { Entry, Loop, Cut, Handler };
enum class PathEnd { Exit, BackEdge, Cut, NoReturn, Call };
const char *to_string(PathStart start);
const char *to_string(PathEnd end);

// One path, decoded.  `blocks` starts with ENTRY (0) if the path starts at the function's entry and ends
// with EXIT (1) if it leaves the function; `edges` are the flow edges walked between them.
struct Path {
  PathStart start = PathStart::Entry;
  PathEnd end = PathEnd::Exit;
  std::vector<int> blocks;
  std::vector<int> edges;
  uint32_t call = 0; // PathEnd::Call: at which call of the last block
};

class PathGraph {
public:
  // Builds the acyclic graph of a flow graph whose cuts are marked.  Keeps a reference to `flow`.
  explicit PathGraph(const FlowGraph &flow);

  const FlowGraph &flow() const { return *flow_; }
  int num_edges() const { return static_cast<int>(edges_.size()); }
  const PathEdge &edge(int index) const { return edges_[index]; }
  const std::vector<PathEdge> &edges() const { return edges_; }

  // Indices of path-graph edges: real edges in the stable order, then surrogates in block order.
  const std::vector<int> &succs(int block) const { return succs_[block]; }
  const std::vector<int> &preds(int block) const { return preds_[block]; }

  // The blocks that lie on some path, every block after all of its successors.
  const std::vector<int> &reverse_topological() const { return order_; }

  // False for a graph whose cuts leave a cycle: never after mark_cuts, but perhaps in hostile data.
  bool is_acyclic() const;

  // The path that walks these path-graph edges from ENTRY to EXIT.
  Path make_path(const std::vector<int> &walk) const;

private:
  void add_edge(PathEdge edge);
  void add_surrogates();
  void sort_blocks();
  PathStart start_of(const PathEdge &edge) const;
  PathEnd end_of(const PathEdge &edge) const;

  const FlowGraph *flow_;
  std::vector<PathEdge> edges_;
  std::vector<std::vector<int>> succs_;
  std::vector<std::vector<int>> preds_;
  std::vector<int> order_;
};

} // namespace pathprof

#endif
