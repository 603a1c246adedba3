// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=kiter: k-iteration paths of loops (Roy and Srikant, CGO 2009).
#include <map>
#include <utility>

#include "core/models/kiter_loop_selection.h"
#include "core/models/kiter_graph.h"
#include "core/models/kiter_plan.h"
#include "core/models/models.h"
#include "core/numbering/cut.h"

namespace pathprof {

namespace {

class KIter : public Model {
public:
  KIter()
      : Model(Mode::KIter, {Feature::Stages, Feature::PathLimit, Feature::RegisterCounts, Feature::K,
                            Feature::Numberings, Feature::LoopIterations, Feature::Switch, Feature::Values}) {}

  CfgForm form() const override { return CfgForm::BackEdgesHaveBlocks; }

  std::string paths_text(uint32_t k) const override {
    return "paths across up to " + std::to_string(k) + (k == 1 ? " iteration" : " iterations") + " of a loop";
  }

  // Returns a description that states whether the path leaves the loop in this iteration or starts another iteration.
  std::string choice_text(const FlowGraph &graph, const PathEdge &choice) const override {
    return choice.dst < graph.num_blocks() ? "leaves the loop" : "continues the loop";
  }

  PathGraph path_graph(const FlowGraph &graph, const PathModel &model) const override {
    return kiter_path_graph(graph, model);
  }

  std::vector<CollapsedLoop> collapsed_loops(const FlowGraph &graph, const PathModel &model) const override {
    return iteration_scheme(graph, model).collapsed.loops;
  }

  bool has_room(const FlowGraph &graph, const PathModel &model) const override {
    return kiter_graph_has_room(graph, model);
  }

  mpz_class num_paths_uncut(const FlowGraph &graph, const PathModel &model,
                            const WantedIterations &wanted) const override {
    PathModel whole = model;
    whole.loops = wanted_iterations(graph, wanted);
    return count_paths(kiter_path_graph(graph, whole));
  }

  // First truncates edges until the number of acyclic paths satisfies the limit.  Then reduces k until the number of
  // k-iteration paths also satisfies it.
  std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                    const WantedIterations &wanted) const override {
    std::string overflow = Model::limit(graph, model, limits, wanted);
    std::map<int, uint32_t> k_of;
    for (const Edge &edge : graph.edges())
      if (edge.flags & kBack)
        k_of[edge.dst] = 1;
    for (const LoopIterations &loop : choose_iterations(graph, model.numbering, limits.paths_max, wanted))
      k_of[loop.head] = loop.k;
    model.loops.clear();
    for (auto [head, k] : k_of)
      model.loops.push_back({head, k});
    return overflow;
  }

  RegisterCounterPlan plan(const PlanInputs &inputs) const override {
    if (!inputs.model.spans_iterations())
      return Model::plan(inputs);
    const FlowGraph &graph = inputs.paths.flow();
    PlacementOptions options = inputs.options;
    options.counted_loops.assign(static_cast<size_t>(graph.num_blocks()), 0);
    for (const Loop &loop : inputs.loops)
      options.counted_loops[static_cast<size_t>(loop.head())] = 1;
    KIterPlan plan = plan_iterations(graph, inputs.model, options, inputs.trip_counts);
    return {peel(graph, {}), std::move(plan.plan), std::move(plan.increments), {}, {}};
  }
};

} // namespace

const Model &kiter_model() {
  static const KIter model;
  return model;
}

} // namespace pathprof
