// SPDX-License-Identifier: GPL-3.0-or-later
// What executed paths, and sequences of them, cover by other criteria than paths.
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

// A value with which a condition affected the outcome of its decision, that outcome, and the first block that evaluates
// the condition.  Tests that have all of them have masking MC/DC where all tests together do: it wants two, of both
// values and both outcomes.
struct Effect {
  int block = 0;
  bool value = false, outcome = false;

  uint64_t number() const { return static_cast<uint64_t>(block) << 2 | uint64_t{value} << 1 | uint64_t{outcome}; }
  static Effect of_number(uint64_t number) {
    return {static_cast<int>(number >> 2), (number & 2) != 0, (number & 1) != 0};
  }
};

// Of the functions of a profile; each is decoded once.  Keeps references.
class CriteriaOfPaths {
public:
  CriteriaOfPaths(const Profile &profile, const std::string &file);

  // Numbers of effects that a path of the function has; none where its conditions are not known.
  const std::vector<uint64_t> &effects(size_t function, uint64_t path);
  // Prime paths that were executed, and how often; none where other paths are counted than acyclic ones.
  PrimeCounts prime_paths(size_t function, const std::vector<ExecutedPath> &paths, const Forest &forest);

private:
  const Decoded &decoded(size_t function);

  const Profile &profile_;
  const std::string &file_;
  std::vector<std::unique_ptr<Decoded>> decoded_;
  std::vector<std::unique_ptr<PrimeGraph>> graphs_;
  std::vector<std::unordered_map<uint64_t, std::vector<uint64_t>>> effects_; // by function and path
};

} // namespace pathprof

#endif
