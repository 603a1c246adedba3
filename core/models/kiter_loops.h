// SPDX-License-Identifier: GPL-3.0-or-later
// Loops whose paths span iterations: which ones can, and what a model does with the loops of a graph.
//
// Around a loop that holds others paths can span iterations, too: those inside are contracted then
// (core/models/contracted_loop.h). While they run the register is theirs, and what it was is saved.
#ifndef PATHPROF_CORE_MODELS_KITER_LOOPS_H
#define PATHPROF_CORE_MODELS_KITER_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/graph/loop.h"
#include "core/models/contracted_loop.h"
#include "core/models/path_model.h"

namespace pathprof {

// The loops whose paths can span iterations: control enters at the head only, nothing inside is cut but the
// back edges, and where one of these begins no other cut edge does: whether a path ends because control goes
// around must be seen from where it ends.  Cuts must be marked.
std::vector<Loop> iterable_loops(const FlowGraph &graph);

// Whether a natural loop holds others, and would be such a loop if those were contracted.
bool is_contractible(const FlowGraph &graph, const Loop &loop);

// A loop whose paths span iterations, with what its copies are made of.
struct IteratedLoop {
  Loop loop;
  uint32_t k = 2;
  std::vector<int> leaving; // Blocks of the loop from which some path leaves without going around, in ascending order.

  bool is_back(int edge) const { return loop.is_back_edge(edge); }
  bool stays(const Edge &edge) const { return loop.stays(edge); }
  bool can_leave(int block) const { return std::binary_search(leaving.begin(), leaving.end(), block); }
};

// What a model of k-iteration paths does with a graph's loops.  Of loops with k > 1 one inside of the other, the outer
// one counts.
struct IterationScheme {
  ContractedGraph contracted;      // the loops inside of those that hold others and have k > 1
  std::vector<IteratedLoop> loops; // of the contracted graph
};
IterationScheme iteration_scheme(const FlowGraph &graph, const PathModel &model);

} // namespace pathprof

#endif
