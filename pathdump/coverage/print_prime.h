// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --prime`.
#ifndef PATHPROF_PATHDUMP_COVERAGE_PRINT_PRIME_H
#define PATHPROF_PATHDUMP_COVERAGE_PRINT_PRIME_H

#include <cstdint>
#include <string>

#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

struct PrimeCoverageOptions {
  std::string file; // name of the profile
  bool missing = false;
  uint64_t limit = 20;    // maximum number of missing paths and, if `has_limit`, of executed paths to list
  bool has_limit = false; // true if -n was given
  double least = 0;       // required coverage in per cent
};

// Prints prime path coverage and the executed prime paths with their counts.  If `missing` is set, also prints the
// unexecuted prime paths that are nearest to executed ones.  Returns the exit status.  Throws Failure if the profile
// contains no counts of acyclic paths.
int print_prime_coverage(const Profile &profile, const CommonOptions &common, const PrimeCoverageOptions &options);

} // namespace pathprof

#endif
