// SPDX-License-Identifier: GPL-3.0-or-later
// Reads statement counts and source locations of a function's blocks.
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

// A statement after which control might not continue. It is usually a call. `call` is the statement's index among all
// statements of this kind in the same block.
struct PossibleEnd {
  gimple *statement;
  int block;
  uint32_t call;
};

// Blocks whose line lists contain source locations from other blocks (plugin/cfg/normalise.h).
struct ListedElsewhere {
  using Blocks = std::map<basic_block_def *, basic_block_def *>;
  Blocks labels; // Maps a block to the block above it that contains the labels
  Blocks before; // Maps an empty block to the preceding block, whose last line it lists
};

// Fills notes.blocks and notes.sites from `cfun`, whose blocks must be numbered without gaps. Each block lists the
// locations that GCC's coverage notes would list. The locations of its statements precede the location of its goto,
// which is listed only if no earlier statement has the same location. The first block begins with the location of the
// function. A block that lists the labels of another block begins with these.
//
// At stage=source and with termination=exact, the lines of a block are divided after each statement at which control
// may end, where GCC's coverage notes would start a new block. The result lists these statements in order.
struct ReadLines {
  std::vector<PossibleEnd> ends;
  std::unordered_map<gimple *, uint32_t>
      up_to; // For each call, the number of lines of its block up to and including its own
};
ReadLines read_lines(FunctionNotes &notes, FileTable &files, const ListedElsewhere &elsewhere);

} // namespace pathprof

#endif
