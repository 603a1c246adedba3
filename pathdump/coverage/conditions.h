// SPDX-License-Identifier: GPL-3.0-or-later
// The decisions of a profile's functions, their executed vectors of conditions, and what these cover.
#ifndef PATHPROF_PATHDUMP_COVERAGE_CONDITIONS_H
#define PATHPROF_PATHDUMP_COVERAGE_CONDITIONS_H

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/decisions.h"
#include "core/analysis/mcdc.h"
#include "pathdump/ui/names.h"
#include "pathdump/describe/decisions.h"
#include "profile/model/profile.h"

namespace pathprof {

// Of decisions that are measured; others are only counted.
struct ConditionTotals {
  uint64_t decisions = 0;
  uint64_t unmeasured = 0;         // beside these
  uint64_t outcomes = 0;           // of decisions: at most twice their number
  uint64_t conditions = 0;         // of the decisions
  uint64_t condition_outcomes = 0; // values that conditions had: at most twice their number
  uint64_t effects = 0;            // values with which they affected the outcome (what gcov counts): likewise
  uint64_t masking = 0;            // conditions whose independence is shown by masking MC/DC
  uint64_t unique_cause = 0;       // by unique-cause MC/DC

  void add(const ConditionTotals &other);
  // Conditions covered by masking MC/DC, in per cent; of none all are.
  double share() const;
};

// A decision of a function, and where the source has it.
struct MeasuredDecision {
  std::string place;             // "8", "8.11", "table.inc:8"
  std::string file;              // as shown; empty: not known
  uint32_t line = 0, column = 0; // 0: not known
  std::vector<std::string>
      conditions; // as the source has them, else "condition 1" …; of which `true` says that they hold
  std::vector<std::string> places; // of the conditions
  std::vector<LineRef> at;         // the same; line 0: not known
  ExecutedDecision executed;
  DecisionCoverage coverage; // empty where it is not measured

  ConditionTotals totals() const;
  // Whether each condition's independence is shown.
  bool is_covered() const;
};

// In the order of the source, those that somebody wrote.  Of a function that has conditions (has_conditions).
std::vector<MeasuredDecision> decisions_of(const Function &function, const Decoded &decoded, PathFormatter &formatter);

// Whether the function's notes tell conditions: it was instrumented at stage=source, and its paths are its own.
bool has_conditions(const Function &function);

// Whether nobody wrote a decision.  In functions that the compiler makes, such as the one that initialises objects,
// somebody wrote what joins conditions or has a text; other tests are the compiler's own.
bool is_made_up(const Function &function, const ExecutedDecision &decision);

// "paths begin and end inside of it": why a decision is not measured.
const char *text_of(Unmeasured reason);

// "TF-" for true, false, not evaluated.
std::string values_text(const std::vector<signed char> &values);
// "TF- gives F".
std::string vector_text(const ConditionVector &vector);

// Returns the vectors that would show the independence of a condition that `masking` does not show, or the reason why
// no vector can: "missing TF- gives F or FF- gives F", "cannot be shown: condition 1 always has the opposite value".
std::string missing_text(const MeasuredDecision &decision, size_t condition);
// Returns the alternatives to the first of them: " or FF- gives F"; empty if there are none.
std::string alternatives_text(const ConditionCoverage &condition);
// Returns the reason why unique-cause MC/DC cannot show the condition: "impossible: condition 1 always has the opposite
// value"; empty if it can, or if that is not known.
std::string unique_cause_limit(const MeasuredDecision &decision, size_t condition);

} // namespace pathprof

#endif
