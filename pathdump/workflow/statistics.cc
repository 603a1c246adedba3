// SPDX-License-Identifier: GPL-3.0-or-later
// Implements medians and bootstrap intervals.
#include "pathdump/workflow/statistics.h"

#include <algorithm>
#include <random>

namespace pathprof {

double median_of(std::vector<double> values) {
  if (values.empty())
    return 0;
  std::sort(values.begin(), values.end());
  size_t middle = values.size() / 2;
  return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Estimate estimate_of(const std::vector<double> &values) {
  static constexpr size_t kSamples = 2000;
  std::mt19937 random(1);
  std::vector<double> medians, sample(values.size());
  for (size_t i = 0; i < kSamples && !values.empty(); i++) {
    std::generate(sample.begin(), sample.end(), [&] { return values[random() % values.size()]; });
    medians.push_back(median_of(sample));
  }
  std::sort(medians.begin(), medians.end());
  if (medians.empty())
    return {0, 0, 0};
  return {median_of(values), medians[kSamples / 40], medians[kSamples - 1 - kSamples / 40]};
}

} // namespace pathprof
