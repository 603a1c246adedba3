// SPDX-License-Identifier: GPL-3.0-or-later
// Modified condition/decision coverage (MC/DC) of a decision: whether the executed vectors show of each condition that
// it affects the outcome by itself.
//
// A condition shows its effect in a vector if the other outcome could be reached by changing its value, while
// conditions that were evaluated keep theirs and others have any: otherwise it is masked there. By masking MC/DC
// (Chilenski and Miller 1994; DOT/FAA/AR-01/18) two vectors that differ in the condition and in the outcome show its
// independence if it is masked in neither; by unique-cause MC/DC moreover no other condition may differ. A condition
// that short-circuit evaluation passes by differs from no value.
//
// Conditions that test the same thing are coupled (decisions.h). The suggested vectors are possible: coupled conditions
// have values that go together. Whether an executed vector shows an effect is decided as if conditions were not
// coupled, as is usual for masking MC/DC.
//
// Costs: a vector takes time in proportion to conditions × conditions, a unique-cause pair of vectors is looked for
// among those alone that came to the condition alike. Only the search for possible vectors may have to try many of the
// 2^n; it is given up after a limited number of steps.
#ifndef PATHPROF_CORE_ANALYSIS_MCDC_H
#define PATHPROF_CORE_ANALYSIS_MCDC_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/decisions.h"

namespace pathprof {

struct VectorPair {
  size_t if_true = 0, if_false = 0; // vectors in which the condition is true and false
};

// Whether vectors that could be executed can show something about a condition.
enum class Showable {
  Yes,
  No,      // coupled conditions exclude all vectors that would show it
  Unknown, // the search was given up
};

struct ConditionCoverage {
  uint64_t executed[2] = {};         // evaluations in which it was false, true; at most 2^64 − 1
  bool shows_effect[2] = {};         // it affected the outcome in a vector in which it is false, true
  std::optional<VectorPair> masking; // shows its independence
  std::optional<VectorPair> unique_cause;
  // Without `masking`: vectors, with count 0, that show it together with those executed; empty if none were found.
  // Coupled conditions have values that go together in each of them.
  std::vector<ConditionVector> missing;
  std::vector<std::vector<ConditionVector>> alternatives; // to `missing`, at most kMostAlternatives
  Showable by_masking = Showable::Yes, by_unique_cause = Showable::Yes;
  std::vector<size_t> coupled; // numbers of the other conditions that this one is coupled with, from 0
};

inline constexpr size_t kMostAlternatives = 2;

struct DecisionCoverage {
  uint64_t outcomes[2] = {}; // evaluations with the outcome false, true; at most 2^64 − 1
  std::vector<ConditionCoverage> conditions;
};

DecisionCoverage cover(const ExecutedDecision &decision);

// By condition: whether it is evaluated in the vector and affects the outcome there, unmasked.
std::vector<char> effects_in(const DecisionGraph &graph, const ConditionVector &vector);

} // namespace pathprof

#endif
