// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --prime.
#ifndef PATHPROF_PATHDUMP_COMMANDS_COVERAGE_PRIME_H
#define PATHPROF_PATHDUMP_COMMANDS_COVERAGE_PRIME_H

#include <cstdint>
#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

struct PrimeCoverageOptions {
  std::string file; // the profile
  bool missing = false;
  uint64_t limit = 20;    // of missing paths, and of those that ran if it was given
  bool has_limit = false; // it was given
  double least = 0;       // per cent
};

// Prints which prime paths ran and how often, how many there are, and those nearest to them that did not run.  Gives
// the exit status, or throws Failure.
int print_prime_coverage(const CommonOptions &common, const PrimeCoverageOptions &options);

} // namespace pathprof

#endif
