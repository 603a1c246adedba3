// SPDX-License-Identifier: GPL-3.0-or-later
// Natural loops.
#ifndef PATHPROF_CORE_GRAPH_LOOP_H
#define PATHPROF_CORE_GRAPH_LOOP_H

#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// A loop that control enters at its head only, without abnormal edges in, into or out of it.
class Loop {
public:
  std::vector<int> back_edges; // from its blocks to the head, in increasing order
  std::vector<int> blocks;     // the head first
  int head() const { return blocks.front(); }

  // To be called when `blocks` is complete; the functions below need it.
  void sort_members();
  bool contains(int block) const;
  bool is_back_edge(int edge) const;
  // Whether the edge is in the loop; back edges are.
  bool stays(const Edge &edge) const { return contains(edge.src) && contains(edge.dst); }

private:
  std::vector<int> members_; // its blocks in increasing order
};

// The loop with this head whatever enters it, or one without blocks.
Loop loop_at(const FlowGraph &graph, int head);

// Inner loops come before those around them.
void sort_inner_first(std::vector<Loop> &loops);

// All such loops, one a head, those that are in another before it.  Cuts must be marked.
std::vector<Loop> natural_loops(const FlowGraph &graph);

// Whether a path that began elsewhere can enter: the first iteration differs from the others then.
bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop);

// The share of iterations that are the first since control came from outside, by the edges' frequencies.
double first_share(const FlowGraph &graph, const Loop &loop);

// Iterations for each time that control comes from outside, by the edges' frequencies; at least 1.
double trips(const FlowGraph &graph, const Loop &loop);

} // namespace pathprof

#endif
