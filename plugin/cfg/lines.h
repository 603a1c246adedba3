// SPDX-License-Identifier: GPL-3.0-or-later
// Statement counts and source positions of a function's blocks.
#ifndef PATHPROF_PLUGIN_CFG_LINES_H
#define PATHPROF_PLUGIN_CFG_LINES_H

#include <map>
#include <unordered_map>
#include <vector>

#include "plugin/gcc/file_table.h"
#include "profile/model/notes.h"

struct gimple;
struct basic_block_def;

namespace pathprof {

// A statement that control may not pass, most often a call, and which of its block's it is.
struct PossibleEnd {
  gimple *statement;
  int block;
  uint32_t call;
};

// Blocks that list positions of others (plugin/cfg/normalise.h).
struct ListedElsewhere {
  using Blocks = std::map<basic_block_def *, basic_block_def *>;
  Blocks labels; // by block: the one above it, which has its labels
  Blocks before; // by empty block: the one before it, on whose line it is
};

// Fills notes.blocks and notes.sites from `cfun`, whose blocks are numbered without gaps.  The positions
// of a block are those that GCC's coverage notes would list: the statements' in order, in the first block
// the function's own before them, and last that of a goto without a statement if no statement so far had
// it.  Of what is listed elsewhere, labels are listed as if the block began with them.  At stage source and under exact
// termination breaks stand behind the statements that control may not pass, where those notes would split the block;
// these statements are returned, in order.
struct ReadLines {
  std::vector<PossibleEnd> ends;
  std::unordered_map<gimple *, uint32_t> up_to; // a call: how many of its block's lines precede it or are its own
};
ReadLines read_lines(FunctionNotes &notes, FileTable &files, const ListedElsewhere &elsewhere);

} // namespace pathprof

#endif
