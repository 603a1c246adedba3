// SPDX-License-Identifier: GPL-3.0-or-later
// Where a plan's statements go.
#ifndef PATHPROF_PLUGIN_GCC_INSERT_H
#define PATHPROF_PLUGIN_GCC_INSERT_H

struct basic_block_def;
class edge_def;
struct gimple;

namespace pathprof {

// On arrival in a block that abnormal edges enter.
void insert_at_start(basic_block_def *bb, gimple *seq);
// Before what a block ends in, whatever edge follows.
void insert_before_end(basic_block_def *bb, gimple *seq);
// While an edge is traversed.  To be committed (gsi_commit_edge_inserts).
void insert_on_edge(edge_def *e, gimple *seq);

} // namespace pathprof

#endif
