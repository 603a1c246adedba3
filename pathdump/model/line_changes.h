// SPDX-License-Identifier: GPL-3.0-or-later
// Compares two versions of a function line by line. If the graph of a function has changed, its paths cannot be
// compared, but most of its lines and branches still exist.
#ifndef PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H
#define PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H

#include <cstdint>
#include <vector>

#include "pathdump/model/lines.h"
#include "profile/model/profile.h"

namespace pathprof {

// A line of the function in A and in B.
struct LineChange {
  uint32_t line[2] = {};                           // 0 if the line does not exist
  uint64_t count[2] = {};                          // execution counts
  std::vector<std::vector<EdgeCount>> outcomes[2]; // outcomes of each branch that ends on the line

  uint64_t size() const { return count[0] > count[1] ? count[0] - count[1] : count[1] - count[0]; }
};

// Returns the lines whose execution counts or branch outcomes differ, and the lines that exist in only one version.
// Pairs as many lines as possible without changing their order. Two lines can be paired if they have the same number of
// positions and their branches have the same numbers of outcomes. Among such lines, those whose branches test the same
// conditions and whose counts are equal are paired first. Unchanged lines are therefore recognized even if their line
// numbers have changed. An edited line is reported as removed and added unless these numbers of positions
// and outcomes stay the same. Inlined code and code in other files are ignored.
std::vector<LineChange> line_changes(const Function &a, const Decoded &decoded_a, const Function &b,
                                     const Decoded &decoded_b);

} // namespace pathprof

#endif
