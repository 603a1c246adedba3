// SPDX-License-Identifier: GPL-3.0-or-later
// Names of modes and numberings, as arguments and reports have them.
#include "core/models/path_model.h"

namespace pathprof {

const char *to_string(Mode mode) {
  static const char *const names[kNumModes] = {"acyclic", "kiter",     "kipf",        "intracontext",
                                               "context", "piecewise", "preferential"};
  return names[static_cast<int>(mode)];
}

const char *to_string(Numbering numbering) {
  return numbering == Numbering::Register ? "register" : "paper";
}

} // namespace pathprof
