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

// Returns the number of calls in a function that paths go through.
size_t num_whole_calls(const Function &function);
// Returns text such as "3/4": the calls that paths go through, and all calls. Returns "-" if the function has no
// interprocedural paths.
std::string calls_text(const Function &function);
// Returns one line per call: its callee, and the reason if paths do not go through it.
std::string sites_text(const Function &function, const Names &names);
// Returns the number of calls of each kind in an interprocedural unit, such as "2 whole, 1 recursive".
std::string reasons_text(const Profile &profile, const InterproceduralUnit &program);

// The direct calls of an interprocedural unit, and those of them that paths go through (whole).
struct DirectCalls {
  uint64_t sites = 0, whole_sites = 0;
  double executions = 0, whole_executions = 0;

  DirectCalls(const Profile &profile, const InterproceduralUnit &program);
  // Return the percentage of direct calls that paths go through, or 100 if there are no direct calls.
  double share_of_sites() const;
  double share_of_executions() const;

private:
  void add(const Function &function);
};

} // namespace pathprof

#endif
