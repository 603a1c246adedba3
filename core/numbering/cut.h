// SPDX-License-Identifier: GPL-3.0-or-later
// Marks truncation points, in the same way for all models, and counts paths exactly.
//
// The back edges of a depth-first search and all abnormal edges are truncation points.  Ordinary edges into the target
// of an abnormal edge are truncation points, too: control can arrive there without the path register, so every arrival
// starts a path.  Further edges become truncation points so that the number of paths stays within a limit (Ball and
// Larus 1996, sections 4 and 5.3).
#ifndef PATHPROF_CORE_NUMBERING_CUT_H
#define PATHPROF_CORE_NUMBERING_CUT_H

#include <cstdint>

#include <gmpxx.h>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Marks the edges to cut: back edges (kBack), and ordinary edges to blocks that are targets of abnormal edges (kCut).
// Without these edges, the graph is acyclic, even if it was irreducible.
void mark_cuts(FlowGraph &graph);

// Returns the exact number of paths in a graph whose truncation points are marked.  The number can be arbitrarily
// large.
mpz_class count_paths(const FlowGraph &graph);
mpz_class count_paths(const PathGraph &paths);

// Marks further edges kCut until the graph has at most `limit` paths.  Returns the number of added truncation points,
// or -1 (and leaves the graph unchanged) if the graph has more than `limit` paths even with all possible truncation
// points.
//
// If the path count of a block exceeds a threshold, its out-edges are truncated, beginning with the edge that saves the
// most paths relative to its execution frequency.  Thresholds of all magnitudes are tried; the function selects the
// threshold that truncates the fewest executions, or the largest such threshold.  Edges with a nonzero entry in
// `spared` are never truncated; an empty vector spares no edge.
int cut_to_limit(FlowGraph &graph, uint64_t limit, const std::vector<char> &spared = {});

} // namespace pathprof

#endif
