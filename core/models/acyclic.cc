// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=acyclic: acyclic paths (Ball and Larus, MICRO-29 1996).
#include "core/models/models.h"

namespace pathprof {

namespace {

class Acyclic : public Model {
public:
  Acyclic()
      : Model(Mode::Acyclic, {Feature::AcyclicPaths, Feature::Stages, Feature::PathLimit, Feature::RegisterCounts,
                              Feature::Cycles, Feature::ExactTermination, Feature::Switch, Feature::Values}) {}

  std::string paths_text(uint32_t) const override { return "acyclic paths"; }
};

} // namespace

const Model &acyclic_model() {
  static const Acyclic model;
  return model;
}

} // namespace pathprof
