// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model.h"

#include "core/context.h"
#include "core/kiter.h"

namespace pathprof {

const char *to_string(Mode mode) {
  static const char *const names[kNumModes] = {"acyclic", "kiter",     "kipf",        "intracontext",
                                               "context", "piecewise", "preferential"};
  return names[static_cast<int>(mode)];
}

const char *to_string(Numbering numbering) {
  return numbering == Numbering::Register ? "register" : "paper";
}

PathGraph path_graph_of(const FlowGraph &graph, const PathModel &model) {
  if (model.mode == Mode::KIter)
    return kiter_path_graph(graph, model);
  if (model.mode == Mode::IntraContext && !model.loops.empty())
    return context_graph(graph, model.loops);
  return PathGraph(graph);
}

} // namespace pathprof
