// SPDX-License-Identifier: GPL-3.0-or-later
// Returns the names of modes and numberings that arguments and reports use.
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
