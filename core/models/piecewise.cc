// SPDX-License-Identifier: GPL-3.0-or-later
// Paths through calls, where each piece of a run is in one path (Melski and Reps, TR 1382, 1998, section 6).
#include "core/models/interprocedural.h"
#include "core/models/models.h"

namespace pathprof {

namespace {

class Piecewise : public InterproceduralModel {
public:
  Piecewise()
      : InterproceduralModel(Mode::Piecewise, {Feature::ThroughCalls, Feature::Pieces, Feature::ExactTermination}) {}

  std::string paths_text(uint32_t) const override { return "paths through calls"; }
};

} // namespace

const Model &piecewise_model() {
  static const Piecewise model;
  return model;
}

} // namespace pathprof
