// SPDX-License-Identifier: GPL-3.0-or-later
// Loops contracted into single nodes, so that the loop around them is an innermost one (Roy and Srikant, CGO 2009,
// section 5).
//
// A path that enters a contracted loop stands still until control leaves the loop, and goes on over the edge by which
// it does.  What runs meanwhile is paths of the contracted loop's own, acyclic ones: they begin at its head
// where control comes there, from outside or around, and end where it leaves the loop or takes a cut edge.
#ifndef PATHPROF_CORE_MODELS_CONTRACTED_LOOP_H
#define PATHPROF_CORE_MODELS_CONTRACTED_LOOP_H

#include <vector>

#include "core/graph/loop.h"

namespace pathprof {

struct ContractedLoop {
  Loop loop;
  int around = 0; // the head of the loop around it
  int node = 0;   // what stands for it
};

// A flow graph in which some loops are nodes.  Blocks and edges keep their numbers; the nodes come behind the blocks.
// An edge into such a loop arrives at its node, one out of it leaves from there, and nothing else leads to its blocks.
struct ContractedGraph {
  FlowGraph graph;
  std::vector<ContractedLoop> loops;
  std::vector<int> loop_of; // by block: index, or -1

  explicit ContractedGraph(const FlowGraph &original);

  // Contracts the loops that are in `outer`, but not in another one there; `all` are the graph's natural loops.
  void contract_inside(const FlowGraph &original, const Loop &outer, const std::vector<Loop> &all);

  // The contracted loop that an edge of the original enters or leaves, or -1.
  int entered_by(const Edge &edge) const;
  int left_by(const Edge &edge) const;

private:
  void redirect_edges(const FlowGraph &original);
};

// Whether `inner` is a part of `outer`, and not all of it.
bool is_inside(const Loop &inner, const Loop &outer);

} // namespace pathprof

#endif
