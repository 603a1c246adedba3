// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the natural loops of a flow graph.
#ifndef PATHPROF_CORE_GRAPH_LOOP_H
#define PATHPROF_CORE_GRAPH_LOOP_H

#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

// A loop that control enters at its header only.  No abnormal edge enters, leaves or stays in the loop.
class Loop {
public:
  std::vector<int> back_edges; // edges from the loop's blocks to the header, in increasing order
  std::vector<int> blocks;     // blocks of the loop; the header comes first
  int head() const { return blocks.front(); }

  // Prepares the functions below; must be called when `blocks` is complete.
  void sort_members();
  bool contains(int block) const;
  bool is_back_edge(int edge) const;
  // Returns true if both ends of the edge are in the loop, as for a back edge.
  bool stays(const Edge &edge) const { return contains(edge.src) && contains(edge.dst); }

private:
  std::vector<int> members_; // blocks of the loop in increasing order
};

// Returns the loop with this header, even if abnormal edges make it unusable, or a loop without blocks if there is
// none.
Loop loop_at(const FlowGraph &graph, int head);

// Sorts the loops so that inner loops precede the loops that contain them.
void sort_inner_first(std::vector<Loop> &loops);

// Returns all natural loops without abnormal edges, one per header; inner loops precede outer loops.  Truncation points
// must be marked.
std::vector<Loop> natural_loops(const FlowGraph &graph);

// Returns true if a path that started outside can enter the loop; its first iteration then differs from later
// iterations.
bool is_entered_on_paths(const FlowGraph &graph, const Loop &loop);

// Returns the share of header executions that enter the loop from outside, computed from the edge frequencies.
double first_share(const FlowGraph &graph, const Loop &loop);

// Returns the average trip count (iterations per entry), computed from the edge frequencies; at least 1.
double trips(const FlowGraph &graph, const Loop &loop);

} // namespace pathprof

#endif
