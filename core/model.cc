// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model.h"

#include "core/kiter.h"

namespace pathprof {

const char *to_string(Mode mode) {
  static const char *const names[kNumModes] = {"acyclic", "kiter", "kipf", "intracontext"};
  return names[static_cast<int>(mode)];
}

const char *to_string(Numbering numbering) {
  return numbering == Numbering::Register ? "register" : "paper";
}

PathGraph path_graph_of(const FlowGraph &graph, const PathModel &model) {
  return model.mode == Mode::KIter ? kiter_path_graph(graph, model) : PathGraph(graph);
}

} // namespace pathprof
