// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=preferential: acyclic paths, some of which are interesting (Vaswani, Nori and Chilimbi, POPL 2007).
// The interesting paths have array counters even if all paths together would need a hash table
// (core/numbering/preferential.h).
#include "core/models/models.h"

namespace pathprof {

namespace {

class Preferential : public Model {
public:
  Preferential()
      : Model(Mode::Preferential, {Feature::AcyclicPaths, Feature::Stages, Feature::PathLimit, Feature::RegisterCounts,
                                   Feature::InterestingPaths, Feature::Switch, Feature::Values}) {}

  Mode numbered_as() const override { return Mode::Acyclic; }

  std::string paths_text(uint32_t) const override { return "acyclic paths"; }
};

} // namespace

const Model &preferential_model() {
  static const Preferential model;
  return model;
}

} // namespace pathprof
