// SPDX-License-Identifier: GPL-3.0-or-later
// Describes the calls in functions with interprocedural paths, and which of these calls the paths go through.
#ifndef PATHPROF_PATHDUMP_MODEL_CALLS_H
#define PATHPROF_PATHDUMP_MODEL_CALLS_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns the number of calls in a function at which interprocedural paths continue in the callee (whole calls).
size_t num_whole_calls(const Function &function);
// Returns text such as "3/4" if paths go through 3 of the 4 calls in the function. Returns "-" if the function has no
// interprocedural paths.
std::string calls_text(const Function &function);
// Returns one line of text per call. The line contains the callee and, if interprocedural paths do not go through the
// call, the reason.
std::string sites_text(const Function &function, const Names &names);
// Returns the number of calls of each kind in an interprocedural unit, such as "2 whole, 1 recursive". Interprocedural
// paths continue in the callee at whole calls. The other kinds state why paths do not continue in the callee.
std::string reasons_text(const Profile &profile, const InterproceduralUnit &unit);

// Counts of the direct calls in an interprocedural unit. Whole calls are the calls at which interprocedural paths
// continue in the callee.
struct DirectCalls {
  uint64_t sites = 0, whole_sites = 0;
  double executions = 0, whole_executions = 0;

  DirectCalls(const Profile &profile, const InterproceduralUnit &unit);
  // Returns the percentage of direct calls in the code at which interprocedural paths continue in the callee, or 100 if
  // there are no direct calls.
  double share_of_sites() const;
  // Returns the percentage of executions of direct calls at which interprocedural paths continue in the callee, or 100
  // if no direct call was executed.
  double share_of_executions() const;

private:
  void add(const Function &function);
};

} // namespace pathprof

#endif
