// SPDX-License-Identifier: GPL-3.0-or-later
// Plans that count paths across iterations (Roy and Srikant, CGO 2009).
//
// Numbering::Register needs the path register, the number of the body so far, and the last k − 1 bodies as digits of
// one number; Numbering::Paper the numbers of k windows (core/plan/plan.h, Window).  While a contracted loop runs, the
// register is that loop's, and what it was is saved.
#ifndef PATHPROF_CORE_MODELS_KITER_PLAN_H
#define PATHPROF_CORE_MODELS_KITER_PLAN_H

#include "core/models/path_model.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/plan/counted_loops.h"

namespace pathprof {

// A plan that counts the model's paths, and by how much its register falls behind (core/plan/placement.h).
struct KIterPlan {
  Plan plan;
  Increments increments;
};
// Loops whose trip count is known are counted at their exits where that is possible (Numbering::Register).
KIterPlan plan_iterations(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options = {},
                          const TripCounts &trip_counts = {});

} // namespace pathprof

#endif
