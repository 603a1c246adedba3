// SPDX-License-Identifier: GPL-3.0-or-later
// What a page draws of a function's control-flow graph.
//
// A chain of blocks that control runs through from the first to the last is one node.  Of a large graph only the part
// that ran is drawn; for what leads away from it, or never ran, each node has one stub.  So it is at first of small
// ones, too, which can be unfolded.
#ifndef PATHPROF_PATHDUMP_HTML_GRAPH_H
#define PATHPROF_PATHDUMP_HTML_GRAPH_H

#include <cstdint>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof::html {

struct DrawnNode {
  std::vector<int> blocks; // of a stub: those that edges from `stub_of` lead to
  uint64_t count = 0;
  int stub_of = -1; // a node
  bool is_stub() const { return stub_of >= 0; }
};

struct DrawnEdge {
  size_t from, to; // nodes
  uint64_t count = 0;
  unsigned flags = 0; // of all flow edges that it stands for
  int flow_edge = -1; // that one; -1: to a stub it may stand for several
};

enum class Extent { Whole, Executed, OnPaths, None };
const char *to_string(Extent extent);

struct DrawnGraph {
  Extent extent = Extent::None;
  std::vector<DrawnNode> nodes;
  std::vector<DrawnEdge> edges;
  std::vector<int> node_of; // by block; −1: not drawn
  std::vector<int> edge_of; // by flow edge; −1: within a node, or not drawn
  size_t num_blocks = 0;    // of the function, as far as control could come to them
};

// What a page draws: as much of the graph as it has room for, of what ran, else of what `on_paths` says by block, or
// nothing; and if something never ran and there is room for that, the whole.  `counts` are traversals by flow edge.
std::vector<DrawnGraph> draw_graph(const Function &function, const std::vector<uint64_t> &counts,
                                   const std::vector<char> &on_paths);

} // namespace pathprof::html

#endif
