// SPDX-License-Identifier: GPL-3.0-or-later
// Implements mode=context: interprocedural paths with the path that led to them (Melski and Reps, TR 1382, 1998,
// sections 3 to 5).
#include "core/models/interprocedural.h"
#include "core/models/models.h"

namespace pathprof {

namespace {

class Context : public InterproceduralModel {
public:
  Context() : InterproceduralModel(Mode::Context, {Feature::ThroughCalls, Feature::ExactTermination}) {}

  std::string paths_text(uint32_t) const override { return "interprocedural paths with calling context"; }
};

} // namespace

const Model &context_model() {
  static const Context model;
  return model;
}

} // namespace pathprof
