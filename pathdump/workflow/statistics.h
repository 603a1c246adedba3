// SPDX-License-Identifier: GPL-3.0-or-later
// Computes medians of repeated measurements and their confidence intervals.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_STATISTICS_H
#define PATHPROF_PATHDUMP_WORKFLOW_STATISTICS_H

#include <vector>

namespace pathprof {

double median_of(std::vector<double> values);

// A median with its 95 % confidence interval.
struct Estimate {
  double median, low, high;
};
// Returns the median of the values and a confidence interval from bootstrap resampling.  The result is deterministic.
Estimate estimate_of(const std::vector<double> &values);

} // namespace pathprof

#endif
