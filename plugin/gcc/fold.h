// SPDX-License-Identifier: GPL-3.0-or-later
// Whether the path to a branch decides it.
#ifndef PATHPROF_PLUGIN_GCC_FOLD_H
#define PATHPROF_PLUGIN_GCC_FOLD_H

#include <memory>
#include <vector>

struct basic_block_def;
class edge_def;

namespace pathprof {

// Asks GCC's ranger about paths through `cfun`, which must stay as it is meanwhile, with dominators known and back
// edges marked.
class FoldQuery {
public:
  FoldQuery();
  ~FoldQuery();
  FoldQuery(const FoldQuery &) = delete;
  FoldQuery &operator=(const FoldQuery &) = delete;

  // The edge by which control leaves the last of these blocks if it ran through all of them, one after the other; null
  // if that cannot be proved, or if nothing runs through them.  At least two blocks, without a back edge between them.
  edge_def *decided(const std::vector<basic_block_def *> &path);

private:
  struct Ranger;
  std::unique_ptr<Ranger> ranger_;
};

// The edges that leave a block are the outcomes of a condition or a switch.
bool ends_in_decision(basic_block_def *bb);

} // namespace pathprof

#endif
