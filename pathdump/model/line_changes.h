// SPDX-License-Identifier: GPL-3.0-or-later
// A function before and after an edit, line by line: where its graph has changed, paths have nothing in common that
// could be compared, but most of its lines and branches are still there.
#ifndef PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H
#define PATHPROF_PATHDUMP_MODEL_LINE_CHANGES_H

#include <cstdint>
#include <vector>

#include "pathdump/model/lines.h"
#include "profile/model/profile.h"

namespace pathprof {

// A line of the function in A and in B.
struct LineChange {
  uint32_t line[2] = {};  // 0: it is not there
  uint64_t count[2] = {}; // executions
  std::vector<std::vector<uint64_t>>
      outcomes[2]; // of each branch that ends on the line: how often each outcome was taken

  uint64_t size() const { return count[0] > count[1] ? count[0] - count[1] : count[1] - count[0]; }
};

// The lines that were not executed equally often, or whose branches had other outcomes; and those that only one has.
//
// Lines are paired in their order, as many as possible, if the same number of positions lies on both and their branches
// have the same number of outcomes: what an edit moved up or down is recognised, what it changed is gone and new.  Code
// that was inlined into the function, and that of other files, is left out.
std::vector<LineChange> line_changes(const Function &a, const Decoded &decoded_a, const Function &b,
                                     const Decoded &decoded_b);

} // namespace pathprof

#endif
