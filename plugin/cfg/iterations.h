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

// The requested iteration counts for the loops of a function. The truncation points and the source lines of the
// function must be known. `are_measured` is true if the edge frequencies come from an input profile.
class Iterations {
public:
  Iterations(const FunctionNotes &notes, const FunctionArguments &arguments, bool are_measured)
      : notes_(notes), arguments_(arguments), are_measured_(are_measured) {}

  // Returns functions that determine the requested iteration count of a loop. These functions access this object, so it
  // must outlive them.
  WantedIterations wanted() const;

  // Warns about lines in the `loops` argument that are in this function, but not in a suitable loop. A loop is suitable
  // if paths can span several of its iterations.
  void check_lines() const;

  // Reports each loop whose paths span fewer iterations than requested, together with the reason.
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
