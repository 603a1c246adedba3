// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether the path that leads to a branch decides the branch.
#ifndef PATHPROF_PLUGIN_GCC_FOLD_H
#define PATHPROF_PLUGIN_GCC_FOLD_H

#include <memory>
#include <vector>

struct basic_block_def;
class edge_def;

namespace pathprof {

// Queries GCC's ranger about paths through `cfun`. `cfun` must not change in the meantime, its dominators must be
// computed and its back edges marked.
class FoldQuery {
public:
  FoldQuery();
  ~FoldQuery();
  FoldQuery(const FoldQuery &) = delete;
  FoldQuery &operator=(const FoldQuery &) = delete;

  // Returns the edge by which control leaves the last block of the path if the blocks are executed in this order.
  // Returns null if the edge cannot be proved or the path is not executable. The path must contain at least two blocks
  // and no back edge.
  edge_def *decided(const std::vector<basic_block_def *> &path);

private:
  struct Ranger;
  std::unique_ptr<Ranger> ranger_;
};

// Returns true if the edges out of the block are the outcomes of a condition or of a switch statement.
bool ends_in_decision(basic_block_def *bb);

} // namespace pathprof

#endif
