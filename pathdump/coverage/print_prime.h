// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --prime`.
#ifndef PATHPROF_PATHDUMP_COVERAGE_PRINT_PRIME_H
#define PATHPROF_PATHDUMP_COVERAGE_PRINT_PRIME_H

#include <cstdint>
#include <string>

#include <gmpxx.h>

#include "pathdump/model/prime.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

// The numbers of executed prime paths, of all prime paths, and of those that are not measured. If `is_exact` is false,
// the number of all prime paths is a lower bound.
struct PrimeTotals {
  uint64_t executed = 0;
  mpz_class all = 0, unmeasured = 0;
  bool is_exact = true;

  void add(const PrimeTotals &other);
  // Returns the percentage of measured prime paths that were executed. The result is an upper bound if the total is not
  // exact.
  double share() const;
};

PrimeTotals totals_of(const FunctionPrimePaths &paths);

// Returns a sentence if less than `least` per cent of the measured prime paths were executed, or if more might be
// required because only a lower bound on their number is known. Otherwise, returns an empty string.
std::string missed_prime_threshold(const PrimeTotals &total, double least);

struct PrimeCoverageOptions {
  std::string file; // name of the profile
  bool missing = false;
  uint64_t limit = 20;    // maximum number of missing paths and, if `has_limit`, of executed paths to list
  bool has_limit = false; // true if -n was given
  double least = 0;       // required coverage in per cent
};

// Throws Failure if the profile contains no counts of acyclic paths. `file` is the name of the profile.
void check_has_prime_paths(const Profile &profile, const std::string &file);

// Prints prime path coverage and the executed prime paths with their counts.  If `missing` is set, also prints the
// unexecuted prime paths that are nearest to executed ones.  Returns the exit status.  The profile must contain counts
// of acyclic paths.
int print_prime_coverage(const Profile &profile, const CommonOptions &common, const PrimeCoverageOptions &options);

} // namespace pathprof

#endif
