// SPDX-License-Identifier: GPL-3.0-or-later
// Computes modified condition/decision coverage (MC/DC): whether the executed vectors of a decision show that each
// condition independently affects the outcome.
//
// A condition affects the outcome of a vector if changing its value can change the outcome, while the other evaluated
// conditions keep their values and the remaining conditions have any values; otherwise, it is masked.  For masking
// MC/DC (Chilenski and Miller 1994; DOT/FAA/AR-01/18), two vectors must differ in the condition and in the outcome, and
// the condition must be masked in neither vector.  For unique-cause MC/DC, the vectors must not differ in any other
// condition. A condition that is not evaluated because of short-circuit evaluation differs from no value.
//
// Conditions that test the same thing are coupled (decisions.h).  Suggested vectors are possible: coupled conditions
// have consistent values.  Couplings are ignored when an executed vector is examined, as is usual for masking MC/DC.
//
// The time per vector is proportional to the square of the number of conditions.  A unique-cause pair is searched for
// only among vectors that agree up to the condition.  The search for possible vectors may have to try many of the 2^n
// vectors, so it stops after a limited number of steps.
#ifndef PATHPROF_CORE_ANALYSIS_MCDC_H
#define PATHPROF_CORE_ANALYSIS_MCDC_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/decisions.h"

namespace pathprof {

struct VectorPair {
  size_t if_true = 0, if_false = 0; // indices of the vectors in which the condition is true and false
};

// Result of checking whether possible vectors can show that a condition independently affects the outcome.
enum class Showable {
  Yes,
  No,      // coupled conditions exclude all vectors that would show the independence
  Unknown, // the search was stopped
};

struct ConditionCoverage {
  uint64_t executed[2] = {};         // evaluations in which the condition was false and true, saturated at 2^64 − 1
  bool shows_effect[2] = {};         // true if the condition affected the outcome in a vector in which it is false or
                                     // true
  std::optional<VectorPair> masking; // a pair of vectors that shows its independence
  std::optional<VectorPair> unique_cause;
  // Possible vectors that have count 0 and that would show the effect of the condition.  Empty if `masking` is not
  // empty or if no such vectors were found.
  std::vector<ConditionVector> missing;
  std::vector<std::vector<ConditionVector>> alternatives; // at most kMostAlternatives alternatives to `missing`
  Showable by_masking = Showable::Yes, by_unique_cause = Showable::Yes;
  std::vector<size_t> coupled; // numbers of the other conditions that are coupled with this condition, from 0
};

inline constexpr size_t kMostAlternatives = 2;

struct DecisionCoverage {
  uint64_t outcomes[2] = {}; // evaluations with outcome false and true, saturated at 2^64 − 1
  std::vector<ConditionCoverage> conditions;
};

DecisionCoverage cover(const ExecutedDecision &decision);

// Returns, for each condition, 1 if the condition was evaluated in the vector and affects the outcome, and 0 otherwise.
std::vector<char> effects_in(const DecisionGraph &graph, const ConditionVector &vector);

} // namespace pathprof

#endif
