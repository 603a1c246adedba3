// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --conditions: decisions, conditions and MC/DC.
#ifndef PATHPROF_PATHDUMP_COVERAGE_PRINT_CONDITIONS_H
#define PATHPROF_PATHDUMP_COVERAGE_PRINT_CONDITIONS_H

#include <cstdint>
#include <string>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"

namespace pathprof {

struct ConditionCoverageOptions {
  std::string file;     // the profile
  bool vectors = false; // all decisions, with their tables of vectors
  uint64_t limit = 20;  // so many decisions are listed; 0: all
  double least = 0;     // per cent of conditions that masking MC/DC must cover
};

// Prints the tables or the JSON.  Gives the exit status, or throws Failure.
ExitStatus cover_conditions(const CommonOptions &common, const ConditionCoverageOptions &options);

} // namespace pathprof

#endif
