// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=piecewise: interprocedural paths, each without the path before it (Melski and Reps, TR 1382, 1998,
// section 6).
#include "core/models/interprocedural.h"
#include "core/models/models.h"

namespace pathprof {

namespace {

class Piecewise : public InterproceduralModel {
public:
  Piecewise()
      : InterproceduralModel(Mode::Piecewise, {Feature::ThroughCalls, Feature::Pieces, Feature::ExactTermination}) {}

  std::string paths_text(uint32_t) const override { return "interprocedural paths"; }
};

} // namespace

const Model &piecewise_model() {
  static const Piecewise model;
  return model;
}

} // namespace pathprof
