// SPDX-License-Identifier: GPL-3.0-or-later
// The acyclic graph whose ENTRY-to-EXIT walks are the paths (Ball and Larus 1996, section 4).
//
// Of acyclic paths it has the blocks of a flow graph and three kinds of edges: the real edges that are not
// cut; one surrogate ENTRY→w for every block w where a cut edge arrives; one surrogate v→EXIT for every
// block v where a cut edge leaves or where control cannot go on (the block has no successor).  Surrogates
// are distinct from a real edge between the same two blocks.
//
// Of longer paths (core/models/kiter_graph.h) it has several nodes for a block: one for each part of
// a path that the block can be in.
//
// Invariant: the flow graph without its cut edges has no cycle; `mark_cuts` (core/numbering/cut.h) sees to that.
#ifndef PATHPROF_CORE_NUMBERING_PATH_GRAPH_H
#define PATHPROF_CORE_NUMBERING_PATH_GRAPH_H

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// A Choice is no control flow: it tells paths apart that go on differently from here.
enum class PathEdgeKind { Real, Start, End, Decision };

struct PathEdge {
  PathEdgeKind kind = PathEdgeKind::Real;
  int src = 0; // nodes
  int dst = 0;
  std::vector<int> via;      // flow edges: the real edge; or the cut edges that share the surrogate
  double frequency = 0;      // sum over `via`; for a block without successors, the block's frequency
  bool ends_context = false; // what the path had passed until here, another path was counted for
};

// Why a path starts or ends where it does.  The names are those of the JSON export.
enum class PathStart { Entry, Loop, Cut, Handler };
enum class PathEnd { Exit, BackEdge, Cut, NoReturn, Call };
const char *to_string(PathStart start);
const char *to_string(PathEnd end);

// Where a path passes a contracted loop (core/models/contracted_loop.h): behind so many of its blocks and edges.  The
// last of these edges leads to the loop's head, the next one, unless the path ends there, out of the loop.
struct ContractedLoopVisit {
  int head = 0;
  size_t blocks = 0;
  size_t edges = 0;
};

// One path, decoded.  `blocks` starts with ENTRY (0) if the path starts at the function's entry and ends
// with EXIT (1) if it leaves the function; `edges` are the flow edges walked between them.
//
// A path may begin with context: blocks that the activation passed earlier, when another path was counted
// for them.  Sums over executed blocks, edges or activations leave the context out.
struct Path {
  PathStart start = PathStart::Entry;
  PathEnd end = PathEnd::Exit;
  std::vector<int> blocks;
  std::vector<int> edges;
  size_t context_blocks = 0; // how many of them are context
  size_t context_edges = 0;
  // Context can have context in turn: behind how many blocks each part of it ends, the innermost last.
  std::vector<size_t> contexts = {};
  std::vector<ContractedLoopVisit> loop_visits = {};
  uint32_t call = 0; // PathEnd::Call: at which call of the last block

  // Whether an activation of the function begins with this path.
  bool begins_activation() const { return start == PathStart::Entry && context_blocks == 0; }

  // Whether it ends when control leaves a contracted loop.
  bool ends_in_loop_visit() const { return !loop_visits.empty() && loop_visits.back().edges == edges.size(); }
};

class PathGraph {
public:
  // Builds the graph of acyclic paths, where nodes are blocks, of a flow graph whose cuts are marked.  Keeps a
  // reference to `flow`.
  explicit PathGraph(const FlowGraph &flow);
  // The same, but no path ends at blocks where it may not.
  PathGraph(const FlowGraph &flow, const std::function<bool(int)> &may_end_at);

  // A graph without edges.  Node 0 is ENTRY and node 1 EXIT; the others stand for the block that
  // `block_of` says, for none, or for a contracted loop.
  static constexpr int kNoBlock = -1, kContracted = -2;
  PathGraph(const FlowGraph &flow, std::vector<int> block_of);

  // Edges are complete when the blocks are sorted.
  void add_edge(PathEdge edge);
  // Surrogates ENTRY→`node` and `node`→EXIT that these edges of the flow graph share; none if there are none.
  void add_start(int node, std::vector<int> via);
  void add_end(int node, std::vector<int> via);
  // The surrogate by which paths end at a block, which is its own node: for the cut edges that leave it in `graph`, or
  // because it has no successor there.
  void add_ends_of(const FlowGraph &graph, int block);
  void sort_nodes();

  // The node's edges are numbered in the order in which they were added, not by their numbers of paths.
  void keep_order(int node) { keeps_order_[node] = 1; }
  bool keeps_order(int node) const { return keeps_order_[node]; }

  const FlowGraph &flow() const { return *flow_; }
  int num_nodes() const { return static_cast<int>(block_of_.size()); }
  int block_of(int node) const { return block_of_[node]; }
  int num_edges() const { return static_cast<int>(edges_.size()); }
  const PathEdge &edge(int index) const { return edges_[index]; }
  const std::vector<PathEdge> &edges() const { return edges_; }

  // Indices of path-graph edges; of acyclic paths: real edges in the stable order, then surrogates in block
  // order.
  const std::vector<int> &succs(int node) const { return succs_[node]; }
  const std::vector<int> &preds(int node) const { return preds_[node]; }

  // The nodes that lie on some path, every node after all of its successors.
  const std::vector<int> &reverse_topological() const { return order_; }

  // False for a graph whose cuts leave a cycle: never after mark_cuts, but perhaps in hostile data.
  bool is_acyclic() const;

  // The path that walks these path-graph edges from ENTRY to EXIT.
  Path make_path(const std::vector<int> &walk) const;

  // Why a path starts at its first edge and ends at its last.
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
