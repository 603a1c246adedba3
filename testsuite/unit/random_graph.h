// SPDX-License-Identifier: GPL-3.0-or-later
// Random control-flow graphs and random walks over them, for tests.
#ifndef PATHPROF_TESTSUITE_RANDOM_GRAPH_H
#define PATHPROF_TESTSUITE_RANDOM_GRAPH_H

#include <random>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof::testing {

using Random = std::mt19937_64;

inline int below(Random &random, int n) {
  return std::uniform_int_distribution<int>(0, n - 1)(random);
}

struct RandomGraphOptions {
  int max_blocks = 9;       // besides ENTRY and EXIT
  int abnormal_percent = 0; // share of extra edges that are abnormal
  int max_extra_edges = 8;
  bool dead_code = true; // blocks that nothing reaches
};

// Any shape: irreducible regions, self loops, blocks without successors, parallel edges (a switch with
// two cases to one block), unreachable code.  ENTRY has one successor, as in GCC.
inline FlowGraph random_graph(Random &random, const RandomGraphOptions &options = {}) {
  int blocks = 1 + below(random, options.max_blocks);
  FlowGraph graph(blocks + 2);
  auto any = [&] { return 2 + below(random, blocks); };
  auto frequency = [&] { return static_cast<double>(below(random, 1000)); };
  graph.add_edge(kEntryBlock, 2, kFallthru, frequency());
  for (int block = 2; block < blocks + 2; block++) {
    if (below(random, 10) == 0)
      continue; // control ends here
    int dst = block + 1 < blocks + 2 && below(random, 3) ? block + 1 : any();
    if (block == blocks + 1 || below(random, 6) == 0)
      dst = kExitBlock;
    graph.add_edge(block, dst, 0, frequency());
  }
  int extra = below(random, options.max_extra_edges + 1);
  for (int i = 0; i < extra; i++) {
    int src = any();
    bool abnormal = below(random, 100) < options.abnormal_percent;
    int dst = !abnormal && below(random, 5) == 0 ? kExitBlock : any();
    graph.add_edge(src, dst, abnormal ? kAbnormal : 0u, frequency());
  }
  if (options.dead_code && below(random, 3) == 0) {
    FlowGraph with_dead(graph.num_blocks() + 1);
    for (const Edge &edge : graph.edges())
      with_dead.add_edge(edge.src, edge.dst, edge.flags, edge.frequency);
    with_dead.add_edge(graph.num_blocks(), any(), 0, frequency());
    return with_dead;
  }
  return graph;
}

// One activation: flow edges from ENTRY until EXIT, a dead end, or `max_steps` (an activation that never
// returns).
inline std::vector<int> random_trace(Random &random, const FlowGraph &graph, int max_steps = 60) {
  std::vector<int> trace;
  int block = kEntryBlock;
  while (block != kExitBlock && !graph.succs(block).empty() && static_cast<int>(trace.size()) < max_steps) {
    const std::vector<int> &succs = graph.succs(block);
    int e = succs[below(random, static_cast<int>(succs.size()))];
    trace.push_back(e);
    block = graph.edge(e).dst;
  }
  return trace;
}

} // namespace pathprof::testing

#endif
