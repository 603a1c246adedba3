// SPDX-License-Identifier: GPL-3.0-or-later
// Paths through calls with the path that led to them (Melski and Reps, TR 1382, 1998, sections 3 to 5).
#include "core/models/interprocedural.h"
#include "core/models/models.h"

namespace pathprof {

namespace {

class Context : public InterproceduralModel {
public:
  Context() : InterproceduralModel(Mode::Context, {Feature::ThroughCalls, Feature::ExactTermination}) {}

  std::string paths_text(uint32_t) const override { return "paths through calls with the way that led to them"; }
};

} // namespace

const Model &context_model() {
  static const Context model;
  return model;
}

} // namespace pathprof
