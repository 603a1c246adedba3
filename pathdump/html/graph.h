// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the nodes and edges of a control-flow graph that an HTML page draws.
//
// A chain of blocks that are always executed together is one node. For a large graph, only the executed part is drawn;
// each drawn node has one stub that represents all omitted or unexecuted edges that leave it. A small graph is also
// drawn this way at first, and can be unfolded.
#ifndef PATHPROF_PATHDUMP_HTML_GRAPH_H
#define PATHPROF_PATHDUMP_HTML_GRAPH_H

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof::html {

struct DrawnNode {
  std::vector<int> blocks; // blocks of the node; for a stub, the targets of the omitted edges from `stub_of`
  uint64_t count = 0;
  int stub_of = -1; // index of the node to which the stub belongs, or -1
  bool is_stub() const { return stub_of >= 0; }
};

struct DrawnEdge {
  size_t from, to; // indices of nodes
  uint64_t count = 0;
  unsigned flags = 0; // flags of all flow edges that the drawn edge represents
  int flow_edge = -1; // index of the represented flow edge, or -1 for an edge to a stub
};

enum class Extent { Whole, Executed, OnPaths, None };
const char *to_string(Extent extent);

struct DrawnGraph {
  Extent extent = Extent::None;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
  std::vector<int> node_of; // index of the node, by block; −1: not drawn
  std::vector<int> edge_of; // index of the drawn edge, by flow edge; −1: within a node, or not drawn
  size_t num_blocks = 0;    // number of reachable blocks of the function
};

// Returns the drawings of a function. The first drawing shows the executed part of the graph or, if that is too large,
// the blocks marked in `on_paths`. If both are too large, the first drawing is empty. If the function has unexecuted
// code and the whole graph is small enough, a second drawing shows the whole graph. `counts` contains the count of each
// flow edge.
std::vector<DrawnGraph> draw_graph(const Function &function, const std::vector<uint64_t> &counts,
                                   const std::vector<char> &on_paths);

} // namespace pathprof::html

#endif
