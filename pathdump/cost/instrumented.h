// SPDX-License-Identifier: GPL-3.0-or-later
// Which names that a measuring tool prints are functions that the profile has.
#ifndef PATHPROF_PATHDUMP_COST_INSTRUMENTED_H
#define PATHPROF_PATHDUMP_COST_INSTRUMENTED_H

#include <set>
#include <string>

#include "profile/model/profile.h"

namespace pathprof {

// Why a cost is not the program's.
inline const char *const kRuntimeReason = "in the profiler's own runtime";

class InstrumentedNames {
public:
  explicit InstrumentedNames(const Profile &profile);

  // `name` is an assembler or C++ name, maybe of a clone.
  bool has(const std::string &name) const;
  static bool is_runtime(const std::string &name);

private:
  std::set<std::string> names_;
};

} // namespace pathprof

#endif
