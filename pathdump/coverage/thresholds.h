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
  double prime = 0;              // of prime paths, which are not part of the summary
  bool accept_justified = false; // justified items count as covered

  bool any() const { return line > 0 || branch > 0 || function > 0 || condition > 0 || path > 0; }
  // Returns true if a percentage is required for anything other than lines and branches.
  bool any_beyond_branches() const { return function > 0 || condition > 0 || path > 0; }
};

// Returns a sentence if the share of covered items is below `least` per cent or if there are no items, and otherwise an
// empty string. `heading` names the items, as in "conditions". A threshold of 0 is always met.
std::string missed_threshold(const std::string &heading, const Tally &tally, double least,
                             bool accept_justified = false);

// Returns one sentence for each criterion of the summary below its threshold.
std::vector<std::string> missed_thresholds(const FileSummary &total, const Thresholds &thresholds);

// Compares the changed lines and the branch outcomes on them with the thresholds `line` and `branch`, in per cent.
// Returns one sentence for each threshold that is missed. A change without code misses no threshold.
std::vector<std::string> missed_thresholds_of_changes(const FileSummary &changes, double line, double branch);

// Prints a warning to standard error if a percentage of conditions is required and some decisions were not measured,
// because these decisions do not count for the threshold.
void warn_of_unmeasured_decisions(uint64_t num_decisions, double least);

} // namespace pathprof

#endif
