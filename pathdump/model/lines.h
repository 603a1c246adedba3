// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the execution counts of source lines for all commands and exports.
//
// A line counts as executed if and only if a block was executed that contains one of the line's positions. The count
// follows gcov's rule (add_line_counts and accumulate_line_info in GCC's gcov.cc):
//
// - Blocks are split into pieces after calls that may not return.
// - Consecutive positions of a piece in the same file form a group. The piece belongs to the line with the greatest
//   number in each group. A line to which pieces belong was executed as often as control entered these pieces from
//   other pieces, and once more for each iteration of a cycle within them. The count of a loop on one line is therefore
//   its number of iterations.
// - If no piece belongs to a line, the line's count is the sum of the counts of the pieces that contain the line.
//
// Two details depend on the graph:
//
// - gcov mistakes the block with the highest number for EXIT, although EXIT has number 1, so that this block belongs to
//   no line. In the program as written, the block usually contains the function's return. The rule is applied only if
//   the graph ends with gcov's last block: at stage=source, and at stage=early without optimization. In other graphs
//   any block can be the last block, so each block belongs to its line.
// - Optimizers duplicate, merge and move code. Therefore the pieces that belong to a line may not have been executed
//   although another piece that contains the line was executed. gcov then reports 0, whereas pathdump reports the sum
//   of the counts of the pieces that contain the line.
//
// GCC splits functions, but not with --coverage. The line of a function's declaration counts the calls of the function.
// This count excludes activations that continue in a part of the function, unless only the part was executed.
//
// gcov ignores that setjmp can return more than once, and so does this rule.
#ifndef PATHPROF_PATHDUMP_MODEL_LINES_H
#define PATHPROF_PATHDUMP_MODEL_LINES_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "profile/model/profile.h"

namespace pathprof {

// The count of a line in one function or in several functions.
class LineCount {
public:
  // Adds the execution count of a piece that contains the line.
  void add_listed(unsigned __int128 count) { listed_ += count; }
  // Adds the number of times that control entered a part that was split off from the line's function.
  void add_continued(unsigned __int128 count) { continued_ += count; }
  // Adds the execution count of the line, computed from the pieces that belong to the line.
  void add_own(unsigned __int128 count) { own_ += count; }
  void add(const LineCount &other);
  // Returns the count, but at most 2^64 − 1.
  uint64_t count() const;

private:
  unsigned __int128 listed_ = 0;
  unsigned __int128 continued_ = 0;
  unsigned __int128 own_ = 0;
};

// Returns how often each edge of the function's graph was traversed. If the paths determine only the total count of
// several truncation points (core/analysis/edge_counts.h), this count is divided equally among their edges.
std::vector<uint64_t> count_edges(const Function &function, const Decoded &decoded);

// Returns the counts of all lines in the function's blocks. A line is identified by its file (index into
// Function::files) and number.
using Line = std::pair<uint32_t, uint32_t>;
// Selects the code to count. A function that the compiler generated can contain code that the user wrote, for example
// the body of a coroutine (plugin/gcc/generated_code.h). In functions that are not generated, all code counts as
// written.
enum class Code { All, Written };
std::map<Line, LineCount> count_lines(const Function &function, const Decoded &decoded, Code code = Code::All);

// The count of an outgoing edge of a branch.
struct EdgeCount {
  int edge = 0; // index in the flow graph
  uint64_t count = 0;
  bool is_exception = false; // true for an exception edge
};

// The outgoing edges of a block with several successors, excluding abnormal edges.
struct BranchCount {
  int block = 0;
  LineRef position; // position on the line to which the end of the block belongs
  std::vector<EdgeCount> edges;
};

// Returns the branches of the function in the order of their blocks. In a function that the compiler generated,
// Code::Written selects the branches whose condition or case labels are known to be written by the user, without their
// exception edges.
std::vector<BranchCount> count_branches(const Function &function, const Decoded &decoded, Code code = Code::All);

} // namespace pathprof

#endif
