// SPDX-License-Identifier: GPL-3.0-or-later
// Identifies the instrumented functions among the names that a measuring tool prints.
#ifndef PATHPROF_PATHDUMP_COST_INSTRUMENTED_H
#define PATHPROF_PATHDUMP_COST_INSTRUMENTED_H

#include <set>
#include <string>

#include "profile/model/profile.h"

namespace pathprof {

// Reason that is printed for costs of the profiler's runtime, which are not attributed to the program.
inline const char *const kRuntimeReason = "in the profiler's own runtime";

// Returns the name of a function without the suffix that the C library adds to the variants of a function for different
// processors: "memset" for "__memset_avx2_unaligned_erms". The functions that bind symbols at the first call of a
// function are "the dynamic linker". C++ names are demangled, without parameters.
std::string name_of_callee(const std::string &symbol);

class InstrumentedNames {
public:
  explicit InstrumentedNames(const Profile &profile);

  // Returns true if the profile contains the function. `name` is the assembler name or the C++ name of the function or
  // of one of its clones.
  bool has(const std::string &name) const;
  static bool is_runtime(const std::string &name);

private:
  std::set<std::string> names_;
};

} // namespace pathprof

#endif
