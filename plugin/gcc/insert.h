// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts the statements of a plan into GCC's CFG.
#ifndef PATHPROF_PLUGIN_GCC_INSERT_H
#define PATHPROF_PLUGIN_GCC_INSERT_H

struct basic_block_def;
class edge_def;
struct gimple;

namespace pathprof {

// Inserts statements at the start of a block that abnormal edges enter.
void insert_at_start(basic_block_def *bb, gimple *seq);
// Inserts statements before the final statement of the block.
void insert_before_end(basic_block_def *bb, gimple *seq);
// Inserts statements that are executed when the edge is taken. The caller must commit them (gsi_commit_edge_inserts).
void insert_on_edge(edge_def *e, gimple *seq);

} // namespace pathprof

#endif
