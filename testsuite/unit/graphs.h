// SPDX-License-Identifier: GPL-3.0-or-later
// Control-flow graphs of known shape, for tests.
#ifndef PATHPROF_TESTSUITE_GRAPHS_H
#define PATHPROF_TESTSUITE_GRAPHS_H

#include <vector>

#include "core/graph/flow_graph.h"
#include "core/numbering/cut.h"

namespace pathprof::testing {

// Returns a graph with the edges, and marks its cuts.
inline FlowGraph flow_graph(int num_blocks, const std::vector<Edge> &edges) {
  FlowGraph graph(num_blocks);
  for (const Edge &edge : edges)
    graph.add_edge(edge.src, edge.dst, edge.flags, edge.frequency);
  mark_cuts(graph);
  return graph;
}

// Returns a chain of `n` diamonds from ENTRY, in which each diamond ends in the block that starts the next diamond. The
// edges in `ends` leave the last block, 2 + 3n.  A chain that leads to EXIT has 2^n paths.
inline FlowGraph diamonds(int n, const std::vector<Edge> &ends) {
  std::vector<Edge> edges = {{kEntryBlock, 2}};
  for (int head = 2; head < 2 + 3 * n; head += 3)
    edges.insert(edges.end(),
                 {{head, head + 1, kTrue}, {head, head + 2, kFalse}, {head + 1, head + 3}, {head + 2, head + 3}});
  edges.insert(edges.end(), ends.begin(), ends.end());
  return flow_graph(3 + 3 * n, edges);
}

inline FlowGraph diamonds(int n) {
  return diamonds(n, {{2 + 3 * n, kExitBlock}});
}

} // namespace pathprof::testing

#endif
