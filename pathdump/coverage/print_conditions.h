// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --conditions`: coverage of decisions and conditions, and MC/DC.
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
  std::string file;     // name of the profile
  bool vectors = false; // list all decisions with their executed vectors
  uint64_t limit = 20;  // maximum number of decisions to list; 0: all
  double least = 0;     // required masking MC/DC coverage in per cent of the conditions
  // If `changed.revision` is set, only decisions that have a condition on a changed line are reported.  `changed.least`
  // and `changed.limit` are ignored.
  ChangedOptions changed;
};

// Return JSON objects as printed with --json: totals_json() returns the totals, and decision_json() returns a decision
// with its conditions and vectors.
Json totals_json(const ConditionTotals &totals);
Json decision_json(const MeasuredDecision &decision);

// Throws Failure if no function has known conditions. `file` is the name of the profile.
void check_has_conditions(const Profile &profile, const std::string &file);

// Prints the result as tables, JSON or annotations, and returns the exit status.  Throws Failure on errors.
ExitStatus cover_conditions(const Profile &profile, const CommonOptions &common,
                            const ConditionCoverageOptions &options);

} // namespace pathprof

#endif
