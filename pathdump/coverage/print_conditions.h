// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --conditions: decisions, conditions and MC/DC.
#ifndef PATHPROF_PATHDUMP_COVERAGE_PRINT_CONDITIONS_H
#define PATHPROF_PATHDUMP_COVERAGE_PRINT_CONDITIONS_H

#include <cstdint>
#include <string>

#include "pathdump/coverage/changed_paths.h"
#include "pathdump/coverage/conditions.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/options.h"

namespace pathprof {

struct ConditionCoverageOptions {
  std::string file;     // the profile
  bool vectors = false; // all decisions, with their tables of vectors
  uint64_t limit = 20;  // so many decisions are listed; 0: all
  double least = 0;     // per cent of conditions that masking MC/DC must cover
  // With a revision, decisions alone that have a condition on a line that changed since; its `least` and `limit` are
  // not looked at.
  ChangedOptions changed;
};

// As --json has them: figures, and a decision with its conditions and vectors.
Json totals_json(const ConditionTotals &totals);
Json decision_json(const MeasuredDecision &decision);

// Prints the tables, the JSON or the annotations.  Gives the exit status, or throws Failure.
ExitStatus cover_conditions(const CommonOptions &common, const ConditionCoverageOptions &options);

} // namespace pathprof

#endif
