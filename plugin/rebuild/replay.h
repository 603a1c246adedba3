// SPDX-License-Identifier: GPL-3.0-or-later
// A function's executed paths over GCC's CFG, also after blocks of it were copied (core/analysis/copied_graph.h).
//
// What ran before a path is known where it starts from mode=kipf, and from mode=kiter at heads of loops whose
// iterations paths span.  Paths across iterations are taken apart, one path an iteration.
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
  // `function` is that of `cfun`, just read; `input` is what the profile knows of it, and `counts` are the traversals
  // of its edges.  Keeps a reference to `function`.
  CopiedCfg(const PlannedFunction &function, const InputFunction &input, std::vector<uint64_t> counts);

  const FlowGraph &graph() const { return copied_.graph(); }
  // The executed paths, most executed first.
  const std::vector<MeasuredPath> &paths() const { return copied_.paths(); }

  bool is_copy(basic_block_def *bb) const { return copied_.is_copy(numbers_.at(bb)); }
  // Of the flow graph's block itself.
  basic_block_def *block(int number) const { return blocks_[static_cast<size_t>(number)]; }
  // The edge of a block or copy that a flow edge is.
  edge_def *out_edge(basic_block_def *bb, int flow_edge) const {
    return edges_[static_cast<size_t>(copied_.out_edge(numbers_.at(bb), flow_edge))];
  }

  // As CopiedGraph says.
  bool may_be_copied(basic_block_def *bb) const { return copied_.may_be_copied(numbers_.at(bb)); }
  bool start_may_be_copied(basic_block_def *bb) const { return copied_.start_may_be_copied(numbers_.at(bb)); }
  int cut_edge_of(const Path &path) const { return copied_.cut_edge_of(path); }
  size_t num_copies() const { return copied_.num_copies(); }

  // Gives the edge a copy of its destination for itself, and returns that.  GCC must be ready for copies
  // (CopyScope).
  basic_block_def *copy(edge_def *e);

  // Where a path is after each of its flow edges: GCC's edges; one for each of path.edges.
  std::vector<edge_def *> walk(const Path &path) const;

  // Traversals of every edge, copies' too.
  MeasuredEdges replay() const;

private:
  CopiedGraph copied_;
  // GCC's blocks and edges by the numbers that these have there.
  std::vector<basic_block_def *> blocks_;
  std::vector<edge_def *> edges_;
  std::map<basic_block_def *, int> numbers_;
  std::map<edge_def *, int> edge_numbers_;
};

// Loops and copy tables as copying blocks of `cfun` needs them.  Where anything was copied SSA form is brought up to
// date at the end.
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
