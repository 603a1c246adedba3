// SPDX-License-Identifier: GPL-3.0-or-later
// Plans the counting of k-iteration paths (Roy and Srikant, CGO 2009).
//
// Numbering::Register needs the path register, the number of the current body, and the last k − 1 bodies as digits of
// one number.  Numbering::Paper needs the partial path IDs of k windows (Window in core/plan/plan.h).  While control is
// in a collapsed loop, that loop uses the path register, and the outer path's value is saved.
#ifndef PATHPROF_CORE_MODELS_KITER_PLAN_H
#define PATHPROF_CORE_MODELS_KITER_PLAN_H

#include "core/models/path_model.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/plan/counted_loops.h"

namespace pathprof {

// A plan that counts the paths of a model, and the chord increments on which the plan is based (core/plan/placement.h).
struct KIterPlan {
  Plan plan;
  Increments increments;
};
// Returns a plan that counts the paths of the model.  With Numbering::Register, loops with a known trip count are
// counted at their exits if possible.
KIterPlan plan_iterations(const FlowGraph &graph, const PathModel &model, const PlacementOptions &options = {},
                          const TripCounts &trip_counts = {});

} // namespace pathprof

#endif
