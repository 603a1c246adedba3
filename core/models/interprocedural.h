// SPDX-License-Identifier: GPL-3.0-or-later
// What the models have in common whose paths go through calls (Melski and Reps, TR 1382, 1998).  Here is what holds of
// a single function; the numbering of whole programs is in core/interprocedural/.
#ifndef PATHPROF_CORE_MODELS_INTERPROCEDURAL_H
#define PATHPROF_CORE_MODELS_INTERPROCEDURAL_H

#include "core/models/model.h"

namespace pathprof {

class InterproceduralModel : public Model {
protected:
  using Model::Model;

  // A number can name a path of any of many functions.
  uint64_t most_named_paths() const override { return uint64_t{1} << 44; }
};

} // namespace pathprof

#endif
