// SPDX-License-Identifier: GPL-3.0-or-later
// How many iterations the paths of a function's loops span (mode=kiter).
#ifndef PATHPROF_PLUGIN_CFG_ITERATIONS_H
#define PATHPROF_PLUGIN_CFG_ITERATIONS_H

#include <cstdint>
#include <functional>
#include <vector>

#include "core/models/model.h"
#include "plugin/options/arguments.h"
#include "profile/model/notes.h"

namespace pathprof {

// What is wanted of a function whose graph has its cuts and whose blocks have their lines.  Frequencies are measured
// if an input profile weighs the edges.
class Iterations {
public:
  Iterations(const FunctionNotes &notes, const FunctionArguments &arguments, bool are_measured)
      : notes_(notes), arguments_(arguments), are_measured_(are_measured) {}

  // Keeps a reference to this.
  WantedIterations wanted() const;

  // Warns of lines of the argument `loops` in this function that are in no loop that can get any.
  void check_lines() const;

  // Says which loops have less than what was wanted, and why.
  void explain() const;

private:
  uint32_t wanted_of(const Loop &loop) const;
  uint32_t wanted_around(const Loop &loop) const;
  bool has_line(const Loop &loop, uint32_t line) const;
  bool is_innermost_at(const Loop &loop, uint32_t line) const;
  void explain_contracted(const std::vector<ContractedLoop> &contracted) const;

  const FunctionNotes &notes_;
  const FunctionArguments &arguments_;
  bool are_measured_;
};

} // namespace pathprof

#endif
