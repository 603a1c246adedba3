// SPDX-License-Identifier: GPL-3.0-or-later
// Statement counts and source positions of a function's blocks.
#ifndef PATHPROF_PLUGIN_LINES_H
#define PATHPROF_PLUGIN_LINES_H

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "profile/notes.h"

struct gimple;

namespace pathprof {

// The files that a unit's positions name.
class FileTable {
public:
  explicit FileTable(UnitNotes &unit) : unit_(unit) {}
  uint32_t index_of(const char *name);
  const std::string &name(uint32_t index) const { return unit_.files[index]; }

private:
  UnitNotes &unit_;
  std::map<std::string, uint32_t> index_;
};

// A statement that control may not pass, most often a call, and which of its block's it is.
struct PossibleEnd {
  gimple *statement;
  int block;
  uint32_t call;
};

// Fills notes.blocks and notes.sites from `cfun`, whose blocks are numbered without gaps.  The positions
// of a block are those that GCC's coverage notes would list: the statements' in order, in the first block
// the function's own before them, and last that of a goto without a statement if no statement so far had
// it.  At stage source and under exact termination breaks stand behind the statements that control may not
// pass, where those notes would split the block; these statements are returned, in order.
struct ReadLines {
  std::vector<PossibleEnd> ends;
  std::unordered_map<gimple *, uint32_t> up_to; // a call: how many of its block's lines precede it or are its own
};
ReadLines read_lines(FunctionNotes &notes, FileTable &files);

} // namespace pathprof

#endif
