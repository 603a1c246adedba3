// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the effects of conditions and the prime paths that executed paths cover.
#ifndef PATHPROF_PATHDUMP_COVERAGE_TESTED_CRITERIA_H
#define PATHPROF_PATHDUMP_COVERAGE_TESTED_CRITERIA_H

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/analysis/prime_paths.h"
#include "profile/model/profile.h"
#include "profile/model/unit_counts.h"

namespace pathprof {

// An effect of a condition on its decision: the value of the condition and the resulting outcome of the decision.  The
// condition is identified by the first block that evaluates it.  Masking MC/DC requires two effects of each condition,
// with different values and different outcomes, so a set of tests that covers the same effects has the same MC/DC
// coverage.
struct Effect {
  int block = 0;
  bool value = false, outcome = false;

  uint64_t number() const { return static_cast<uint64_t>(block) << 2 | uint64_t{value} << 1 | uint64_t{outcome}; }
  static Effect of_number(uint64_t number) {
    return {static_cast<int>(number >> 2), (number & 2) != 0, (number & 1) != 0};
  }
};

// Computes which effects of conditions and which prime paths are covered by executed paths.  Decodes each function only
// once.  Keeps references to the profile and to `file`.
class CriteriaOfPaths {
public:
  CriteriaOfPaths(const Profile &profile, const std::string &file);

  // Returns the effects that the path covers, as numbers (Effect::number), or nothing if the function's conditions are
  // not known.
  const std::vector<uint64_t> &effects(size_t function, uint64_t path);
  // Returns the executed prime paths with their counts, or nothing if acyclic paths are not counted in the function.
  PrimeCounts prime_paths(size_t function, const std::vector<ExecutedPath> &paths, const Forest &forest);

private:
  const Decoded &decoded(size_t function);

  const Profile &profile_;
  const std::string &file_;
  std::vector<std::unique_ptr<Decoded>> decoded_;
  std::vector<std::unique_ptr<PrimeGraph>> graphs_;
  std::vector<std::unordered_map<uint64_t, std::vector<uint64_t>>> effects_; // effects by function and path ID
};

} // namespace pathprof

#endif
