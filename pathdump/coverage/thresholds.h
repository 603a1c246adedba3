// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the shares of covered items with the percentages that a command requires.
#ifndef PATHPROF_PATHDUMP_COVERAGE_THRESHOLDS_H
#define PATHPROF_PATHDUMP_COVERAGE_THRESHOLDS_H

#include <string>
#include <vector>

#include "pathdump/coverage/summary.h"

namespace pathprof {

// The percentages that a command requires; 0 if no percentage is required.
struct Thresholds {
  double line = 0, branch = 0, function = 0, condition = 0, path = 0;
  bool accept_justified = false; // justified items count as covered

  bool any() const { return line > 0 || branch > 0 || function > 0 || condition > 0 || path > 0; }
  // Returns true if a percentage is required for anything other than lines and branches.
  bool any_beyond_branches() const { return function > 0 || condition > 0 || path > 0; }
};

// Returns one sentence for each criterion below its threshold.
std::vector<std::string> missed_thresholds(const FileSummary &total, const Thresholds &thresholds);

// Compares the changed lines and the branch outcomes on them with the thresholds `line` and `branch`, in per cent.
// Returns one sentence for each threshold that is missed. A change without code misses no threshold.
std::vector<std::string> missed_thresholds_of_changes(const FileSummary &changes, double line, double branch);

} // namespace pathprof

#endif
