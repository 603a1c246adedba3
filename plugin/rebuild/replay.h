// SPDX-License-Identifier: GPL-3.0-or-later
// Replays a function's executed paths over GCC's CFG, even after blocks were copied (core/analysis/copied_graph.h).
//
// With mode=kipf, the predecessor of each path is known. With mode=kiter, the predecessor is known for paths that start
// at the header of a loop that k-iteration paths span. K-iteration paths are split into one path per iteration.
#ifndef PATHPROF_PLUGIN_REBUILD_REPLAY_H
#define PATHPROF_PLUGIN_REBUILD_REPLAY_H

#include <cstdint>
#include <map>
#include <vector>

#include "core/analysis/copied_graph.h"
#include "plugin/cfg/function.h"
#include "plugin/options/input_profile.h"
#include "plugin/rebuild/counts.h"

namespace pathprof {

class CopiedCfg {
public:
  // `function` describes `cfun`, as read from the current CFG. `input` is the function's data in the profile, and
  // `counts` contains the number of traversals of each edge. Keeps a reference to `function`.
  CopiedCfg(const PlannedFunction &function, const InputFunction &input, std::vector<uint64_t> counts);

  const FlowGraph &graph() const { return copied_.graph(); }
  // Returns the executed paths, sorted by decreasing count.
  const std::vector<MeasuredPath> &paths() const { return copied_.paths(); }

  bool is_copy(basic_block_def *bb) const { return copied_.is_copy(numbers_.at(bb)); }
  // Returns the original block, not a copy.
  basic_block_def *block(int number) const { return blocks_[static_cast<size_t>(number)]; }
  // Returns the outgoing edge of `bb` that corresponds to a flow edge. `bb` can be an original block or a copy.
  edge_def *out_edge(basic_block_def *bb, int flow_edge) const {
    return edges_[static_cast<size_t>(copied_.out_edge(numbers_.at(bb), flow_edge))];
  }

  // The following functions are documented in CopiedGraph.
  bool may_be_copied(basic_block_def *bb) const { return copied_.may_be_copied(numbers_.at(bb)); }
  bool start_may_be_copied(basic_block_def *bb) const { return copied_.start_may_be_copied(numbers_.at(bb)); }
  int cut_edge_of(const Path &path) const { return copied_.cut_edge_of(path); }
  size_t num_copies() const { return copied_.num_copies(); }

  // Redirects an edge to a new copy of its destination, and returns the copy. A CopyScope must be active.
  basic_block_def *copy(edge_def *e);

  // Returns the CFG edges that correspond to the edges in `path.edges`, in the same order.
  std::vector<edge_def *> walk(const Path &path) const;

  // Returns the number of traversals of each edge, including the edges of copies.
  MeasuredEdges replay() const;

private:
  CopiedGraph copied_;
  // Basic blocks and edges, indexed by their numbers in `copied_`.
  std::vector<basic_block_def *> blocks_;
  std::vector<edge_def *> edges_;
  std::map<basic_block_def *, int> numbers_;
  std::map<edge_def *, int> edge_numbers_;
};

// Prepares loops and copy tables so that blocks of `cfun` can be copied. If a block was copied, the destructor updates
// SSA form.
class CopyScope {
public:
  explicit CopyScope(const CopiedCfg &cfg);
  ~CopyScope();
  CopyScope(const CopyScope &) = delete;
  CopyScope &operator=(const CopyScope &) = delete;

private:
  const CopiedCfg &cfg_;
};

} // namespace pathprof

#endif
