// SPDX-License-Identifier: GPL-3.0-or-later
// The one cycle-cutting step that all models share, and exact path counts.
//
// Cut are: back edges of a depth-first search; abnormal edges; ordinary edges into the target of an
// abnormal edge (control arrives there without the path register, so every arrival starts a path); and
// edges that must go so that the number of paths stays within a limit (Ball and Larus 1996, sections 4
// and 5.3).
#ifndef PATHPROF_CORE_NUMBERING_CUT_H
#define PATHPROF_CORE_NUMBERING_CUT_H

#include <cstdint>

#include <gmpxx.h>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Marks back edges (kBack) and ordinary edges into targets of abnormal edges (kCut).  Afterwards the
// graph without its cut edges is acyclic, irreducible graphs included.
void mark_cuts(FlowGraph &graph);

// The number of paths of a graph whose cuts are marked: exact, however large.
mpz_class count_paths(const FlowGraph &graph);
mpz_class count_paths(const PathGraph &paths);

// Marks further edges kCut until the graph has at most `limit` paths.  Returns how many edges were cut,
// or -1 (with the graph unchanged) where even cutting everywhere leaves more than `limit` paths.
//
// A block at which the count passes a threshold loses out-edges, those first that save the most paths
// per execution.  Of the thresholds that do, some of all magnitudes are tried; the one at which the fewest
// executions lose their continuation is taken, the larger one of two.  `spared`, by edge: they are not cut; empty:
// none.
int cut_to_limit(FlowGraph &graph, uint64_t limit, const std::vector<char> &spared = {});

} // namespace pathprof

#endif
