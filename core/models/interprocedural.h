// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the common part of the interprocedural models (Melski and Reps, TR 1382, 1998).  This file describes a single
// function; core/interprocedural/ numbers the paths of interprocedural units.
#ifndef PATHPROF_CORE_MODELS_INTERPROCEDURAL_H
#define PATHPROF_CORE_MODELS_INTERPROCEDURAL_H

#include "core/models/model.h"

namespace pathprof {

class InterproceduralModel : public Model {
protected:
  using Model::Model;

  // Maximum number of paths per function.  It is much smaller than the path ID space, because many functions share that
  // space.
  uint64_t most_named_paths() const override { return uint64_t{1} << 44; }
};

} // namespace pathprof

#endif
