// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the natural loops of a flow graph.
#ifndef PATHPROF_CORE_GRAPH_LOOP_H
#define PATHPROF_CORE_GRAPH_LOOP_H

#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// A loop that control can enter only at its header.  None of its edges, including the edges that enter or leave the
// loop, is abnormal.
class Loop {
public:
  std::vector<int> back_edges; // edges from the loop's blocks to the header, in increasing order
  std::vector<int> blocks;     // blocks of the loop; the header comes first
  int head() const { return blocks.front(); }

  // Must be called after `blocks` is complete and before any of the following functions is called.
  void sort_members();
  bool contains(int block) const;
  bool is_back_edge(int edge) const;
  // Returns true if the source and the destination of the edge are in the loop.  This includes back edges.
  bool stays(const Edge &edge) const { return contains(edge.src) && contains(edge.dst); }

private:
  std::vector<int> members_; // blocks of the loop in increasing order
};

// Returns the loop with this header, even if it has abnormal edges.  If there is no such loop, returns a loop without
// blocks.
Loop loop_at(const FlowGraph &graph, int head);

// Sorts the loops so that inner loops precede the loops that contain them.
void sort_inner_first(std::vector<Loop> &loops);

// Returns all natural loops without abnormal edges, one per header.  Inner loops precede outer loops.  Truncation
// points must be marked.
std::vector<Loop> natural_loops(const FlowGraph &graph);

// Returns true if paths that start outside the loop can enter it.  The first iteration of the loop then differs from
// later iterations.
bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop);

// Returns the fraction of the header's executions in which control enters the loop from outside, according to the edge
// frequencies.
double first_share(const FlowGraph &graph, const Loop &loop);

// Returns the average trip count (iterations per entry) according to the edge frequencies.  The result is at least 1.
double trips(const FlowGraph &graph, const Loop &loop);

} // namespace pathprof

#endif
