// SPDX-License-Identifier: GPL-3.0-or-later
// Paths across k iterations of innermost loops (Roy and Srikant, CGO 2009).
//
// A path that enters a loop goes on over up to k iterations.  At the back edge of the k-th it is counted, and so
// is, at every later one, the path of the last k iterations: the windows slide.  The path that
// leaves the loop is the longest one, with whatever follows.  Of a path that starts at the head, all
// but the last iteration is context: the window before it was counted for that.
//
// The graph of these paths has a loop several times, once for each iteration that a path can be in.  Under
// Numbering::Paper these copies are those of the paper's unrolled graph, its section 3.1, except that paths
// from the head have copies of their own, without the exits that they cannot take: the paper's val is the
// val in the copies for paths from outside, val − cval that in the copies for paths from the head.
//
// Numbering::Register makes the number of a path a function of little: where it came from, the bodies
// that it went around (each has a number below n, for the n ways from the head to a back edge), and how it
// leaves.  Of the ways on from the head in iteration i, the X that leave in it come first, and are numbered
// alike in every iteration; behind them are, for each body, the ways on from iteration i + 1.  One path
// register, the number of the body so far, and the last k − 1 bodies as digits of one number are enough to
// count every path, however large k is.
//
// Around a loop that holds others paths can span iterations, too: those inside are collapsed then (core/collapse.h).
// While they run the register is theirs, and what it was is saved.
#ifndef PATHPROF_CORE_KITER_H
#define PATHPROF_CORE_KITER_H

#include <cstdint>
#include <functional>
#include <vector>

#include "core/collapse.h"
#include "core/loop.h"
#include "core/model.h"
#include "core/placement.h"
#include "core/plan.h"
#include "core/settle.h"

namespace pathprof {

// The loops whose paths can span iterations: control enters at the head only, nothing inside is cut but the
// back edges, and where one of these begins no other cut edge does: whether a path ends because control goes
// around must be seen from where it ends.  Cuts must be marked.
std::vector<Loop> iterable_loops(const FlowGraph &graph);

// Whether a natural loop holds others, and would be such a loop if those were collapsed.
bool is_collapsible(const FlowGraph &graph, const Loop &loop);

// What the model collapses: the loops inside of those that hold others and have k > 1.  Of such loops one inside of
// the other, the outer one counts.
std::vector<CollapsedLoop> collapsed_loops(const FlowGraph &graph, const PathModel &model);

// Whether the model's graph has at most so many copies of blocks for the iterations: from a few bytes of notes loops of
// many blocks and iterations could ask for any amount of memory.
inline constexpr uint64_t kMaxCopies = uint64_t{1} << 18;
bool has_room(const FlowGraph &graph, const PathModel &model);

// The graph of a model with Mode::KIter.
PathGraph kiter_path_graph(const FlowGraph &graph, const PathModel &model);

// The loops of the model: each of the iterable loops gets the largest k, at most what `wanted` says of it, with
// which the graph has no more than `limit` paths and kMaxCopies copies; those that run most come first.  Before them
// come collapsible loops of which `wanted_around` says more than 1.
std::vector<LoopIterations> choose_iterations(const FlowGraph &graph, Numbering numbering, uint64_t limit,
                                              const std::function<uint32_t(const Loop &)> &wanted,
                                              const std::function<uint32_t(const Loop &)> &wanted_around = {});

// All that is wanted, whatever the number of paths.
std::vector<LoopIterations> wanted_iterations(const FlowGraph &graph,
                                              const std::function<uint32_t(const Loop &)> &wanted,
                                              const std::function<uint32_t(const Loop &)> &wanted_around);

// A plan that counts the model's paths, and by how much its register falls behind (core/placement.h).
struct KIterPlan {
  Plan plan;
  Increments increments;
};
// Loops whose number of rounds is known settle where that is possible (Numbering::Register).
KIterPlan plan_iterations(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options = {},
                          const Settling &settling = {});

} // namespace pathprof

#endif
