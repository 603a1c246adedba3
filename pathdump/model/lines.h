// SPDX-License-Identifier: GPL-3.0-or-later
// How often source lines were executed.  Every command and export takes its line counts from here.
//
// A line counts as executed exactly if a block was executed that lists one of the line's positions.  The count follows
// gcov's rule (add_line_counts and accumulate_line_info in GCC's gcov.cc):
//
// - Blocks are split behind calls that may not return.
// - A piece belongs to the last line (the greatest number) of each stretch of its positions that lies in one file.  A
//   line to which pieces belong was executed as often as control entered these pieces from other pieces, and once more
//   for each turn of a cycle within them.  So a loop on one line counts its iterations.
// - A line to which no piece belongs has the sum of the counts of the pieces that list it.
//
// Two details depend on the graph:
//
// - gcov takes the block with the highest number for EXIT, although EXIT has number 1, so that no line belongs to this
//   block.  In the program as written it usually holds the function's return.  The rule is applied only where the graph
//   ends with gcov's last block: at stage source, and at stage early without optimisation.  Elsewhere any block may be
//   the last one, and each block owns its line.
// - Optimisers duplicate, merge and move code, so that the pieces to which a line belongs may not have been executed
//   although another piece that lists the line was.  gcov then reports 0.  Here the line has the sum of the pieces that
//   list it.
//
// GCC splits functions, but not under --coverage.  The line of a function's declaration counts the function's calls,
// and not that the function goes on in its part, unless the part alone was executed.
//
// gcov does not see that setjmp returns again, and so this rule does not see it, either.
#ifndef PATHPROF_PATHDUMP_MODEL_LINES_H
#define PATHPROF_PATHDUMP_MODEL_LINES_H

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// The count of a line in one function, or in several functions together.
class LineCount {
public:
  // Adds the count of a piece that lists the line.
  void add_listed(unsigned __int128 count) { listed_ += count; }
  // Adds how often a part that was split off the line's function was entered.
  void add_continued(unsigned __int128 count) { continued_ += count; }
  // Adds the executions of the pieces that belong to the line.
  void add_own(unsigned __int128 count) { own_ += count; }
  void add(const LineCount &other);
  // At most 2^64 − 1.
  uint64_t count() const;

private:
  unsigned __int128 listed_ = 0;
  unsigned __int128 continued_ = 0;
  unsigned __int128 own_ = 0;
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
