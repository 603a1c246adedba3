// SPDX-License-Identifier: GPL-3.0-or-later
// What the models have in common whose paths go through calls (Melski and Reps, TR 1382, 1998).  Here is what holds of
// a single function; the numbering of whole programs is in core/interprocedural/.
#ifndef PATHPROF_CORE_MODELS_INTERPROCEDURAL_H
#define PATHPROF_CORE_MODELS_INTERPROCEDURAL_H

#include "core/models/model.h"

namespace pathprof {

class InterproceduralModel : public Model {
public:
  std::string limit(FlowGraph &graph, PathModel &model, const PathLimits &limits,
                    const WantedIterations &wanted) const override {
    return Model::limit(graph, model, {kMostPaths, kMostPaths, limits.skip_on_overflow}, wanted);
  }

protected:
  using Model::Model;

private:
  static constexpr uint64_t kMostPaths = uint64_t{1} << 44; // so that a number can name a path of any of many functions
};

} // namespace pathprof

#endif
