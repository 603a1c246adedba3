// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=kipf: sequences of up to k acyclic paths (D'Elia and Demetrescu, OOPSLA 2013), which the runtime
// stores in a forest (core/models/forest.h).
#include "core/models/models.h"

namespace pathprof {

namespace {

class Kipf : public Model {
public:
  Kipf()
      : Model(Mode::Kipf,
              {Feature::AcyclicPaths, Feature::Stages, Feature::K, Feature::RegisterCounts, Feature::Sequences}) {}

  std::string paths_text(uint32_t k) const override {
    return "acyclic paths and sequences of up to " + std::to_string(k) + " of them";
  }

protected:
  // The forest contains executed paths only.
  uint64_t most_named_paths() const override { return (uint64_t{1} << 62) - 1; }
};

} // namespace

const Model &kipf_model() {
  static const Kipf model;
  return model;
}

} // namespace pathprof
