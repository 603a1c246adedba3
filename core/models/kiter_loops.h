// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the loops whose paths can span iterations, and applies a model to the loops of a graph.
//
// The paths of an outer loop can span iterations if its inner loops are collapsed (core/models/collapsed_loop.h).
// While control is in a collapsed loop, that loop uses the path register, and the outer path's value is saved.
#ifndef PATHPROF_CORE_MODELS_KITER_LOOPS_H
#define PATHPROF_CORE_MODELS_KITER_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/graph/loop.h"
#include "core/models/collapsed_loop.h"
#include "core/models/path_model.h"

namespace pathprof {

// Returns the loops whose paths can span iterations.  Control must enter such a loop only at its header, and the back
// edges must be the only truncation points in the loop.  No other cut edge may leave the source of a back edge, because
// the end of a path must show whether control takes the back edge.  Truncation points must be marked.
std::vector<Loop> iterable_loops(const FlowGraph &graph);

// Returns true if the natural loop contains inner loops, and its paths could span iterations if the inner loops were
// collapsed.
bool is_collapsible(const FlowGraph &graph, const Loop &loop);

// A loop whose paths span iterations.
struct IteratedLoop {
  Loop loop;
  uint32_t k = 2;
  std::vector<int> leaving; // blocks of the loop from which a path can leave the loop without taking a back edge, in
                            // increasing order

  bool is_back(int edge) const { return loop.is_back_edge(edge); }
  bool stays(const Edge &edge) const { return loop.stays(edge); }
  bool can_leave(int block) const { return std::binary_search(leaving.begin(), leaving.end(), block); }
};

// Result of applying a model of k-iteration paths to a graph.  If two nested loops have k > 1, the outer loop takes
// precedence.
struct IterationScheme {
  CollapsedGraph collapsed;        // graph in which the inner loops of outer loops with k > 1 are collapsed
  std::vector<IteratedLoop> loops; // loops of the collapsed graph whose paths span iterations
};
IterationScheme iteration_scheme(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
