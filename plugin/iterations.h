// SPDX-License-Identifier: GPL-3.0-or-later
// How many iterations the paths of a function's loops span (mode=kiter).
#ifndef PATHPROF_PLUGIN_ITERATIONS_H
#define PATHPROF_PLUGIN_ITERATIONS_H

#include <cstdint>
#include <functional>

#include <gmpxx.h>

#include "core/collapse.h"
#include "plugin/arguments.h"
#include "profile/notes.h"

namespace pathprof {

// What is wanted of a function whose graph has its cuts and whose blocks have their lines.  Frequencies are measured
// if an earlier profile weighs the edges.
class Iterations {
public:
  Iterations(const FunctionNotes &notes, const FunctionArguments &arguments, bool are_measured)
      : notes_(notes), arguments_(arguments), are_measured_(are_measured) {}

  // The number of paths if every loop has as many iterations as are wanted.
  mpz_class num_paths() const;

  // What loops get within paths-max, for the notes: the others have k = 1.  Warns of lines of the argument `loops` in
  // this function that are in no loop that can get any.
  std::vector<LoopIterations> choose() const;

  // Says which loops have less than what was wanted, and why.
  void explain() const;

private:
  uint32_t wanted(const Loop &loop) const;
  uint32_t wanted_around(const Loop &loop) const;
  std::function<uint32_t(const Loop &)> around() const; // none if nothing is asked for
  std::vector<LoopIterations> all_wanted() const;
  bool has_line(const Loop &loop, uint32_t line) const;
  bool is_innermost_at(const Loop &loop, uint32_t line) const;
  void check_lines() const;
  void explain_collapsed(const std::vector<CollapsedLoop> &collapsed) const;

  const FunctionNotes &notes_;
  const FunctionArguments &arguments_;
  bool are_measured_;
};

} // namespace pathprof

#endif
