// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the executed condition vectors of the decisions in a profile, and their MC/DC coverage.
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

// Totals over measured decisions.  Decisions that are not measured are only counted.
struct ConditionTotals {
  uint64_t decisions = 0;
  uint64_t unmeasured = 0;         // number of other decisions
  uint64_t outcomes = 0;           // executed outcomes; at most two per decision
  uint64_t conditions = 0;         // conditions in these decisions
  uint64_t condition_outcomes = 0; // values that conditions had; at most two per condition
  uint64_t effects =
      0; // values with which a condition affected the outcome, as counted by gcov; at most two per condition
  uint64_t masking = 0;      // conditions that masking MC/DC shows independent
  uint64_t unique_cause = 0; // conditions that unique-cause MC/DC shows independent

  void add(const ConditionTotals &other);
  // Returns the share of conditions that masking MC/DC covers, in per cent; 100 if there are no conditions.
  double share() const;
};

// A decision of a function, with its position in the source.
struct MeasuredDecision {
  std::string place;                   // "8", "8.11", "table.inc:8"
  std::string file;                    // display name; empty: not known
  uint32_t line = 0, column = 0;       // position in the file; 0: not known
  std::vector<std::string> conditions; // source texts or "condition 1" …; T means that the text is true
  std::vector<std::string> places;     // positions of the conditions
  std::vector<LineRef> at;             // lines of the conditions; line 0: not known
  ExecutedDecision executed;
  DecisionCoverage coverage; // empty if the decision is not measured

  ConditionTotals totals() const;
  // Returns true if the independence of every condition is shown.
  bool is_covered() const;
};

// Returns the decisions that the source code of the function contains, in source order.  Requires has_conditions.
std::vector<MeasuredDecision> decisions_of(const Function &function, const Decoded &decoded, PathFormatter &formatter);

// Returns true if the conditions are known: the function was instrumented at stage=source and has intraprocedural
// paths.
bool has_conditions(const Function &function);

// Returns true if the compiler generated the decision.  In compiler-generated functions, such as the initialisation of
// objects, a decision comes from the source if it joins several conditions or has a source text.
bool is_made_up(const Function &function, const ExecutedDecision &decision);

// Returns the reason why a decision is not measured, such as "paths start or end inside the decision".
const char *text_of(Unmeasured reason);

// Returns the values as text: T for true, F for false, - for not evaluated.
std::string values_text(const std::vector<signed char> &values);
// Returns a vector with its outcome, such as "TF- gives F".
std::string vector_text(const ConditionVector &vector);

// Returns the vectors that would show the independence of a condition by masking MC/DC, or the reason why no vector
// can: "missing TF- gives F or FF- gives F", "cannot be shown: condition 1 always has the opposite value".
std::string missing_text(const MeasuredDecision &decision, size_t condition);
// Returns the alternatives to the first missing vector, such as " or FF- gives F", or an empty string.
std::string alternatives_text(const ConditionCoverage &condition);
// Returns the reason why unique-cause MC/DC cannot show the condition, such as "impossible: condition 1 always has the
// opposite value".  Returns an empty string if it can, or if this is not known.
std::string unique_cause_limit(const MeasuredDecision &decision, size_t condition);

} // namespace pathprof

#endif
