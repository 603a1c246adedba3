// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two versions of a function line by line. If the graph of a function has changed, its paths cannot be
// compared, but most of its lines and branches still exist.
#ifndef PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H
#define PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H

#include <cstdint>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/model/lines.h"
#include "profile/model/profile.h"

namespace pathprof {

// Makes the counts of two profiles with different numbers of runs comparable: multiplies the counts of each profile by
// the number of runs of the other profile. Changes nothing if the numbers are equal or unknown.
struct RunScale {
  RunScale() = default;
  RunScale(uint64_t runs_a, uint64_t runs_b);

  bool is_needed() const { return factor[0] != factor[1]; }
  // Returns the product of a count or weight on this side and the factor, or the maximum if the product is larger.
  Weight scaled(Weight value, int side) const;
  // Converts a difference of scaled values to a difference per run. Returns the difference itself if the counts are not
  // scaled.
  double per_run(Weight difference) const { return static_cast<double>(difference) / divisor; }

  uint64_t factor[2] = {1, 1};
  double divisor = 1;
};

// A line of the function in A and in B.
struct LineChange {
  uint32_t line[2] = {};                           // 0 if the line does not exist
  uint64_t count[2] = {};                          // execution counts
  std::vector<std::vector<EdgeCount>> outcomes[2]; // outcomes of each branch that ends on the line

  RunScale scale = {};

  Weight scaled(int side) const { return scale.scaled(count[side], side); }
  bool grows() const { return scaled(1) > scaled(0); }
  Weight size() const { return grows() ? scaled(1) - scaled(0) : scaled(0) - scaled(1); }
};

// Returns the lines whose execution counts or branch outcomes differ, and the lines that exist in only one version.
// Pairs as many lines as possible without changing their order. Two lines can be paired if they have the same number of
// positions and their branches have the same numbers of outcomes. Among such lines, those whose branches test the same
// conditions and whose counts are equal are paired first. Unchanged lines are therefore recognized even if their line
// numbers have changed. An edited line is reported as removed and added unless these numbers of positions
// and outcomes stay the same. Inlined code and code in other files are ignored. Counts are compared after scaling.
std::vector<LineChange> line_changes(const Function &a, const Decoded &decoded_a, const Function &b,
                                     const Decoded &decoded_b, const RunScale &scale);

} // namespace pathprof

#endif
