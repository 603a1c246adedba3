// SPDX-License-Identifier: GPL-3.0-or-later
// What repeated measurements say.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_STATISTICS_H
#define PATHPROF_PATHDUMP_WORKFLOW_STATISTICS_H

#include <vector>

namespace pathprof {

double median_of(std::vector<double> values);

// A median, and between what it lies with a probability of 95 %.
struct Estimate {
  double median, low, high;
};
// By the bootstrap: medians of samples that are drawn from the values, the same ones for the same values.
Estimate estimate_of(const std::vector<double> &values);

} // namespace pathprof

#endif
