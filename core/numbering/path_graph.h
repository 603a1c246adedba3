// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the path graph: an acyclic graph whose walks from ENTRY to EXIT are the paths (Ball and Larus 1996, section
// 4).
//
// For acyclic paths, its nodes are the blocks of a flow graph, and it has three kinds of edges: the real edges that are
// not truncation points; one surrogate edge ENTRY→w per block w that a cut edge enters; and one surrogate edge v→EXIT
// per block v that a cut edge leaves or that has no successor.  Surrogate edges are distinct from a real edge between
// the same two blocks.
//
// For longer paths (core/models/kiter_graph.h), a block has several nodes: one for each part of a path that can contain
// the block.
//
// Invariant: the flow graph without its cut edges has no cycle; `mark_cuts` (core/numbering/cut.h) ensures this.
#ifndef PATHPROF_CORE_NUMBERING_PATH_GRAPH_H
#define PATHPROF_CORE_NUMBERING_PATH_GRAPH_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// Kinds of path-graph edges.  A Decision edge does not represent control flow but distinguishes paths that continue in
// different ways.
enum class PathEdgeKind { Real, Start, End, Decision };

struct PathEdge {
  PathEdgeKind kind = PathEdgeKind::Real;
  int src = 0;               // source node
  int dst = 0;               // destination node
  std::vector<int> via;      // flow edges: the real edge, or the cut edges that share the surrogate edge
  double frequency = 0;      // sum over `via`; for a block without successors, the frequency of the block
  bool ends_context = false; // true if another path was counted for the blocks before this edge
};

// Reasons why a path starts or ends at a node.  The JSON export uses the same names.
enum class PathStart { Entry, Loop, Cut, Handler };
enum class PathEnd { Exit, BackEdge, Cut, NoReturn, Call };
const char *to_string(PathStart start);
const char *to_string(PathEnd end);

// A point at which a path passes through a collapsed loop (core/models/collapsed_loop.h).  The last edge before this
// point leads to the loop header.  The next edge, if any, leaves the loop.
struct CollapsedLoopVisit {
  int head = 0;      // loop header
  size_t blocks = 0; // number of the path's blocks before the loop
  size_t edges = 0;  // number of the path's edges up to the loop
};

// A decoded path.  If the path starts at the function entry, `blocks` starts with ENTRY (0).  If the path leaves the
// function, `blocks` ends with EXIT (1).  `edges` are the flow edges between these blocks.
//
// A path can begin with context: blocks that the activation executed earlier and that were counted with a preceding
// path.  Sums over executed blocks, edges or activations exclude the context.
struct Path {
  PathStart start = PathStart::Entry;
  PathEnd end = PathEnd::Exit;
  std::vector<int> blocks;
  std::vector<int> edges;
  size_t context_blocks = 0; // number of leading blocks that are context
  size_t context_edges = 0;  // number of leading edges that are context
  // For each nested context, the number of the path's blocks up to the end of the context.  The innermost context comes
  // last.
  std::vector<size_t> contexts = {};
  std::vector<CollapsedLoopVisit> loop_visits = {};
  uint32_t call = 0; // for PathEnd::Call: index of the call in the last block

  // Returns true if an activation of the function can begin with this path.
  bool begins_activation() const { return start == PathStart::Entry && context_blocks == 0; }

  // Returns true if the path ends when control leaves a collapsed loop.
  bool ends_in_loop_visit() const { return !loop_visits.empty() && loop_visits.back().edges == edges.size(); }
};

class PathGraph {
public:
  // Builds the graph of acyclic paths for a flow graph whose truncation points are marked.  The nodes are the blocks of
  // the flow graph.  Keeps a reference to `flow`.
  explicit PathGraph(const FlowGraph &flow);
  // Builds a graph of acyclic paths in which no path ends at a block for which `may_end_at` returns false.
  PathGraph(const FlowGraph &flow, const std::function<bool(int)> &may_end_at);

  // Creates a graph without edges.  Node 0 is ENTRY and node 1 is EXIT.  `block_of` maps each node to its block, to
  // kCollapsed if the node is a collapsed loop, or to kNoBlock.
  static constexpr int kNoBlock = -1, kCollapsed = -2;
  PathGraph(const FlowGraph &flow, std::vector<int> block_of);

  // Adds an edge.  All edges must be added before `sort_nodes` is called.
  void add_edge(PathEdge edge);
  // Add the surrogate edge ENTRY→`node` or `node`→EXIT, which represents the cut edges `via`.  If `via` is empty, no
  // edge is added.
  void add_start(int node, std::vector<int> via);
  void add_end(int node, std::vector<int> via);
  // Adds the surrogate edge for the paths that end at `block`, either because cut edges leave the block in `graph` or
  // because the block has no successor in `graph`.  The block's node has the same number as the block.
  void add_ends_of(const FlowGraph &graph, int block);
  void sort_nodes();

  // Specifies that the out-edges of `node` are numbered in the order in which they were added, regardless of the number
  // of paths through each edge.
  void keep_order(int node) { keeps_order_[node] = 1; }
  bool keeps_order(int node) const { return keeps_order_[node]; }

  const FlowGraph &flow() const { return *flow_; }
  int num_nodes() const { return static_cast<int>(block_of_.size()); }
  int block_of(int node) const { return block_of_[node]; }
  int num_edges() const { return static_cast<int>(edges_.size()); }
  const PathEdge &edge(int index) const { return edges_[index]; }
  const std::vector<PathEdge> &edges() const { return edges_; }

  // Return the indices of the path-graph edges that leave or enter a node.  For acyclic paths, real edges come first,
  // in the stable order.  Surrogate edges follow in block order.
  const std::vector<int> &succs(int node) const { return succs_[node]; }
  const std::vector<int> &preds(int node) const { return preds_[node]; }

  // Returns the nodes that lie on at least one path, in reverse topological order.
  const std::vector<int> &reverse_topological() const { return order_; }

  // Returns false if the graph contains a cycle.  This can happen only with malicious input, and never after a call to
  // mark_cuts.
  bool is_acyclic() const;

  // Returns the path that corresponds to a walk from ENTRY to EXIT.  The walk is given as a list of path-graph edges.
  Path make_path(const std::vector<int> &walk) const;

  // Return the reason why a path starts or ends with this surrogate edge.
  PathStart start_of(const PathEdge &edge) const;
  PathEnd end_of(const PathEdge &edge) const;

private:
  void add_surrogate(PathEdgeKind kind, int src, int dst, std::vector<int> via);

  const FlowGraph *flow_;
  std::vector<int> block_of_;
  std::vector<char> keeps_order_;
  std::vector<PathEdge> edges_;
  std::vector<std::vector<int>> succs_;
  std::vector<std::vector<int>> preds_;
  std::vector<int> order_;
};

} // namespace pathprof

#endif
