// SPDX-License-Identifier: GPL-3.0-or-later
// Paths through loops with the path that led to the loop as their context (Melski and Reps, TR 1382, 1998,
// section 7).
//
// The head of a loop with context is two nodes: its *loop-entry node*, where control arrives from outside, and the
// block itself.  Two edges lead from the loop-entry node to the block: one for the first iteration; the other stands
// for the back edges, and what the path had passed before it is context.  So a path around the loop, or from it on,
// names one of the paths to the loop's head, and of those around it in turn.
#ifndef PATHPROF_CORE_MODELS_INTRACONTEXT_H
#define PATHPROF_CORE_MODELS_INTRACONTEXT_H

#include <vector>

#include <gmpxx.h>

#include "core/models/path_model.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// The loops that can have context, by heads: control enters at the head only, somewhere on an edge that is not
// cut, and no abnormal edge is on the path.  Cuts must be marked.
std::vector<LoopIterations> context_loops(const FlowGraph &graph);

// The graph of paths with the contexts of these loops; those that cannot have context are ignored.  A path that
// starts at a head where a cut edge enters the loop has no context, nor have those of later iterations.
PathGraph context_graph(const FlowGraph &graph, const std::vector<LoopIterations> &loops);

// The loops that keep their context so that there are at most `limit` paths.  It is taken away first where that
// saves the most paths per execution that loses its context; none is left if nothing else helps.
std::vector<LoopIterations> loops_within(const FlowGraph &graph, std::vector<LoopIterations> loops,
                                         const mpz_class &limit);

} // namespace pathprof

#endif
