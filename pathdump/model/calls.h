// SPDX-License-Identifier: GPL-3.0-or-later
// The calls of functions whose paths go from function to function: which of them paths go through.
#ifndef PATHPROF_PATHDUMP_MODEL_CALLS_H
#define PATHPROF_PATHDUMP_MODEL_CALLS_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// How many calls of a function paths go through.
size_t num_whole_calls(const Function &function);
// "3/4": so many, of so many; "-" of a function whose paths do not leave it.
std::string calls_text(const Function &function);
// A line for each call: what it calls, and why paths do not go through it.
std::string sites_text(const Function &function, const Names &names);
// "2 whole, 1 recursive": the calls of all functions of a program.
std::string reasons_text(const Profile &profile, const InterproceduralUnit &program);

// How much of a program's direct calls paths go through.
struct DirectCalls {
  uint64_t sites = 0, whole_sites = 0;
  double executions = 0, whole_executions = 0;

  DirectCalls(const Profile &profile, const InterproceduralUnit &program);
  // In percent; all of nothing is whole.
  double share_of_sites() const;
  double share_of_executions() const;

private:
  void add(const Function &function);
};

} // namespace pathprof

#endif
