// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the model objects; a new model adds its object here and in models.cc.
#ifndef PATHPROF_CORE_MODELS_MODELS_H
#define PATHPROF_CORE_MODELS_MODELS_H

#include "core/models/model.h"

namespace pathprof {

const Model &acyclic_model();
const Model &kiter_model();
const Model &kipf_model();
const Model &intracontext_model();
const Model &context_model();
const Model &piecewise_model();
const Model &preferential_model();

} // namespace pathprof

#endif
