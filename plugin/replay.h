// SPDX-License-Identifier: GPL-3.0-or-later
// A function's executed paths over GCC's CFG, also after blocks of it were copied.
//
// A copy of a block is made for one edge that leads to it.  Where a path goes is decided by its flow edges, of which
// every copy has its own: so each path has one way through the copies, and what it adds to them follows from its count.
// Where no path starts every way into a block is known; only such blocks may be copied.  Where paths do, the profile
// must say which path ran before (mode=kipf, or mode=kiter at heads of loops whose iterations paths span): the copy
// that a path starts in is where the one before it ended.  Paths across iterations are taken apart, one path an
// iteration.
#ifndef PATHPROF_PLUGIN_REPLAY_H
#define PATHPROF_PLUGIN_REPLAY_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/path_graph.h"
#include "plugin/counts.h"
#include "plugin/earlier.h"
#include "plugin/function.h"

namespace pathprof {

struct MeasuredPath {
  Path path;
  uint64_t count = 0;
  // Where the profile tells, paths that ran just before it in the same activation, by index, and how often they did.
  std::vector<std::pair<size_t, uint64_t>> after = {};
};

class CopiedCfg {
public:
  // `function` is that of `cfun`, just read; `earlier` is what the profile knows of it, and `counts` are the traversals
  // of its edges.  Keeps a reference to `function`.
  CopiedCfg(const PlannedFunction &function, const EarlierFunction &earlier, std::vector<uint64_t> counts);

  const FlowGraph &graph() const { return function_.notes.graph; }
  // The executed paths, most executed first.
  const std::vector<MeasuredPath> &paths() const { return paths_; }

  // The block that a block is a copy of, by its number in the flow graph; its own if it is none.
  int original(basic_block_def *bb) const;
  bool is_copy(basic_block_def *bb) const { return copies_.count(bb) != 0; }
  // Of the flow graph's block itself.
  basic_block_def *block(int number) const { return blocks_[static_cast<size_t>(number)]; }
  // The edge of a block or copy that a flow edge is.
  edge_def *out_edge(basic_block_def *bb, int flow_edge) const;

  // Whether ways into this block are known: no path starts in it, or goes on there from an unknown copy.
  bool may_be_copied(basic_block_def *bb) const { return may_be_copied(bb, Fixed::No); }
  // The same, or paths start in it of which it is known what ran before.
  bool start_may_be_copied(basic_block_def *bb) const { return may_be_copied(bb, Fixed::Start); }

  // Gives the edge a copy of its destination for itself, and returns that.  GCC must be ready for copies
  // (CopyScope).
  basic_block_def *copy(edge_def *e);
  size_t num_copies() const { return copies_.size(); }

  // Where a path from this block, or from its first one itself, is after each of its flow edges: GCC's edges; one for
  // each of path.edges.
  std::vector<edge_def *> walk(const Path &path, basic_block_def *from = nullptr) const;

  // The cut edge by which a path ends, by number; −1 if it does not, or at one of several.
  int cut_edge_of(const Path &path) const;

  // Traversals of every edge, copies' too.  Exact where those of the flow edges are; where a path ends at one of
  // several cut edges of a copied block, each has the part that it has in the flow graph.
  MeasuredEdges replay() const;

private:
  enum class Fixed : char { No, Start, Unknown };
  bool may_be_copied(basic_block_def *bb, Fixed most) const;
  void fix_blocks(const EarlierFunction &earlier);
  // By path: the copy of another path's first block where it ends, if there is one.
  std::vector<basic_block_def *> copies_at_ends() const;

  const PlannedFunction &function_;
  std::vector<uint64_t> counts_; // by flow edge
  std::vector<MeasuredPath> paths_;
  std::vector<basic_block_def *> blocks_;   // by number in the flow graph
  std::vector<Fixed> fixed_;                // likewise: why it may not be copied
  std::map<basic_block_def *, int> copies_; // and the block that each stands for
  std::map<edge_def *, int> flow_edges_;
  std::map<std::pair<basic_block_def *, int>, edge_def *> of_copies_;
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
