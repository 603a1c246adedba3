// SPDX-License-Identifier: GPL-3.0-or-later
// How conditions are joined in the source.  GCC's trees have && and ||, too, but others where it has made !a || !b of
// !(a && b), and fewer where one of the operands is a constant.
#ifndef PATHPROF_PLUGIN_GCC_CONNECTIVES_H
#define PATHPROF_PLUGIN_GCC_CONNECTIVES_H

#include <string>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

struct Connective {
  enum Kind { None, And, Or };
  Kind kind = None;
  const std::vector<std::string> *lines = nullptr; // of the file that it is in
  size_t line = 0, column = 0;                     // from 0

  bool is_known() const { return kind != None; }
  bool operator==(const Connective &other) const {
    return kind == other.kind && lines == other.lines && line == other.line && column == other.column;
  }
};

// At the place.
Connective connective_at(location_t location);

// What stands around a condition, as it was written.
struct AroundCondition {
  bool is_known = false;
  bool is_negated = false;   // by an odd number of '!' around it, and parentheses
  Connective before, behind; // that join this with others
  bool is_plain = false;     // nothing around all of it may turn it around
};

AroundCondition around_condition(source_range condition);

} // namespace pathprof

#endif
