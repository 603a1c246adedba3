// SPDX-License-Identifier: GPL-3.0-or-later
// A decoded path in the terms of the definition, and random graphs with their cuts marked.
#ifndef PATHPROF_TESTSUITE_DEFINITION_H
#define PATHPROF_TESTSUITE_DEFINITION_H

#include "core/numbering/cut.h"
#include "core/numbering/path_graph.h"
#include "testsuite/unit/oracle.h"
#include "testsuite/unit/random_graph.h"

namespace pathprof::testing {

inline DefinedPath definition_of(const Path &path) {
  bool cut_short = path.end == PathEnd::Call;
  return {path.blocks.front(), path.edges, path.end != PathEnd::Exit && !cut_short, cut_short, path.context_edges};
}

// Every third has abnormal edges, every seventh is larger.
inline FlowGraph graph_number(int index, Random &random) {
  RandomGraphOptions options;
  options.abnormal_percent = index % 3 == 0 ? 30 : 0;
  options.max_blocks = index % 7 == 0 ? 25 : 9;
  options.max_extra_edges = index % 7 == 0 ? 20 : 8;
  FlowGraph graph = random_graph(random, options);
  mark_cuts(graph);
  return graph;
}

} // namespace pathprof::testing

#endif
