// SPDX-License-Identifier: GPL-3.0-or-later
// Determines the number of iterations that paths span in each loop of a function (mode=kiter).
#ifndef PATHPROF_PLUGIN_CFG_ITERATIONS_H
#define PATHPROF_PLUGIN_CFG_ITERATIONS_H

#include <cstdint>
#include <functional>
#include <vector>

#include "core/models/model.h"
#include "plugin/options/arguments.h"
#include "profile/model/notes.h"

namespace pathprof {

// The requested numbers of iterations for the loops of one function. The truncation points of its graph and the lines
// of its blocks must already be known. With `are_measured`, an input profile supplies the edge frequencies.
class Iterations {
public:
  Iterations(const FunctionNotes &notes, const FunctionArguments &arguments, bool are_measured)
      : notes_(notes), arguments_(arguments), are_measured_(are_measured) {}

  // Returns the requested numbers of iterations. The functions in the result refer to this Iterations object.
  WantedIterations wanted() const;

  // Warns about lines of the argument `loops` that are in this function but not in a loop whose iterations paths can
  // span.
  void check_lines() const;

  // Reports each loop whose paths span fewer iterations than requested, with the reason.
  void explain() const;

private:
  uint32_t wanted_of(const Loop &loop) const;
  uint32_t wanted_around(const Loop &loop) const;
  bool has_line(const Loop &loop, uint32_t line) const;
  bool is_innermost_at(const Loop &loop, uint32_t line) const;
  void explain_collapsed(const std::vector<CollapsedLoop> &collapsed) const;

  const FunctionNotes &notes_;
  const FunctionArguments &arguments_;
  bool are_measured_;
};

} // namespace pathprof

#endif
