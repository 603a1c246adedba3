// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the path graph of intracontext paths: paths in loops, with the path that led to the loop as context (Melski
// and Reps, TR 1382, 1998, section 7).
//
// The header of a loop with context has two nodes: its *loop-entry node*, at which control arrives from outside, and
// the node of the block itself.  Two edges lead from the loop-entry node to the block.  One of these edges represents
// the first iteration.  The other edge represents the back edges, and the part of the path before it is context.  A
// path that starts with a back edge thus names one of the paths that lead to the loop, including their own contexts.
#ifndef PATHPROF_CORE_MODELS_INTRACONTEXT_H
#define PATHPROF_CORE_MODELS_INTRACONTEXT_H

#include <vector>

#include <gmpxx.h>

#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Returns the loops that can have context, ordered by header.  Control must enter such a loop only at its header, and
// at least one entry edge must not be a cut edge.  The loop must not have abnormal edges.  Truncation points must be
// marked.
std::vector<LoopIterations> context_loops(const FlowGraph &graph);

// Returns the graph of intracontext paths for these loops.  Loops that cannot have context are ignored.  If control
// enters a loop through a cut edge, the paths that start at the header have no context in any iteration.
PathGraph context_graph(const FlowGraph &graph, const std::vector<LoopIterations> &loops);

// Returns the loops that can keep their context if the function may have at most `limit` paths.  Loops lose their
// context in order of decreasing cost, which is the number of paths that the context adds, divided by the execution
// frequency of the back edges.  The result can be empty.
std::vector<LoopIterations> loops_within(const FlowGraph &graph, std::vector<LoopIterations> loops,
                                         const mpz_class &limit);

} // namespace pathprof

#endif
