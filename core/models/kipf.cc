// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of up to k acyclic paths (D'Elia and Demetrescu, OOPSLA 2013), which are kept in a forest
// (core/models/forest.h).
#include "core/models/models.h"

namespace pathprof {

namespace {

constexpr uint64_t kMostPaths = (uint64_t{1} << 62) - 1; // that a number can name

class Kipf : public Model {
public:
  Kipf()
      : Model(Mode::Kipf,
              {Feature::AcyclicPaths, Feature::Stages, Feature::K, Feature::RegisterCounts, Feature::Sequences}) {}

  std::string paths_text(uint32_t k) const override {
    return "acyclic paths, and beside them sequences of up to " + std::to_string(k);
  }

  // The forest holds the paths that ran, however many there could be.
  std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                    const WantedIterations &wanted) const override {
    return Model::limit(graph, model, {kMostPaths, kMostPaths, limits.skip_on_overflow}, wanted);
  }
};

} // namespace

const Model &kipf_model() {
  static const Kipf model;
  return model;
}

} // namespace pathprof
