// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether the path that leads to a branch decides the branch.
#ifndef PATHPROF_PLUGIN_GCC_FOLD_H
#define PATHPROF_PLUGIN_GCC_FOLD_H

#include <memory>
#include <vector>

struct basic_block_def;
class edge_def;

namespace pathprof {

// Queries GCC's ranger about paths through `cfun`. Dominators must have been computed and back edges must have been
// marked. `cfun` must not change during the lifetime of this object.
class FoldQuery {
public:
  FoldQuery();
  ~FoldQuery();
  FoldQuery(const FoldQuery &) = delete;
  FoldQuery &operator=(const FoldQuery &) = delete;

  // Returns the edge that is taken from the last block of the path if the blocks are executed in this order. Returns
  // null if this edge cannot be determined or the path cannot be executed. The path must contain at least two blocks
  // and no back edges.
  edge_def *decided(const std::vector<basic_block_def *> &path);

private:
  struct Ranger;
  std::unique_ptr<Ranger> ranger_;
};

// Returns true if the block ends in a condition or a switch statement.
bool ends_in_decision(basic_block_def *bb);

} // namespace pathprof

#endif
