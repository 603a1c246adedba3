// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the models in the order of their modes.
#include "core/models/models.h"

namespace pathprof {

const std::vector<const Model *> &all_models() {
  static const std::vector<const Model *> models = {&acyclic_model(),      &kiter_model(),   &kipf_model(),
                                                    &intracontext_model(), &context_model(), &piecewise_model(),
                                                    &preferential_model()};
  return models;
}

const Model &model_of(Mode mode) {
  return *all_models()[static_cast<size_t>(mode)];
}

} // namespace pathprof
