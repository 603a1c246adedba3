// SPDX-License-Identifier: GPL-3.0-or-later
// How often source lines were executed, as gcov counts them (add_line_counts and accumulate_line_info in GCC's
// gcov.cc).
//
// Blocks are split behind calls that may not return.  A piece belongs to the last line (the greatest number) of
// each stretch of its positions that lies in one file, except the function's last piece, which gcov takes for
// EXIT.  A line to which pieces belong was executed as often as control came into them from other pieces, and
// once more for each turn of a cycle within them; so a loop on one line counts its iterations.  Any other line
// has the sum of the counts of the pieces that list it.
//
// gcov does not see that setjmp returns again, and so neither does this.
#ifndef PATHPROF_PATHDUMP_MODEL_LINES_H
#define PATHPROF_PATHDUMP_MODEL_LINES_H

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// Of one function, or of several together: where the line is that of some function's pieces, what others only
// list there does not count.
class LineCount {
public:
  void add_listed(unsigned __int128 count) { listed_ += count; }
  void add_own(unsigned __int128 count);
  void add(const LineCount &other);
  // At most 2^64 − 1.
  uint64_t count() const;

private:
  unsigned __int128 listed_ = 0;
  unsigned __int128 own_ = 0;
  bool has_own_ = false;
};

// Traversals of every edge of the function's graph.  Where the paths leave open how a sum is divided over cut edges
// (core/analysis/edge_counts.h), they get equal parts.
std::vector<uint64_t> count_edges(const Function &function, const Decoded &decoded);

// Every line that the function's blocks list, by file (an index into Function::files) and number.
using Line = std::pair<uint32_t, uint32_t>;
std::map<Line, LineCount> count_lines(const Function &function, const Decoded &decoded);

// Blocks with several edges out of them, exceptions and abnormal edges aside, by their last position: how often each
// edge was taken.
struct ByPosition {
  bool operator()(const LineRef &a, const LineRef &b) const {
    return std::tie(a.file, a.line, a.site) < std::tie(b.file, b.line, b.site);
  }
};
using BranchCounts = std::map<LineRef, std::vector<std::vector<uint64_t>>, ByPosition>;
BranchCounts count_branches(const Function &function, const Decoded &decoded);

} // namespace pathprof

#endif
