// SPDX-License-Identifier: GPL-3.0-or-later
// Maps executed paths to a flow graph after some of its blocks were copied.
//
// Each copy of a block is created for one in-edge.  A path is determined by its flow edges, and every copy has its own
// out-edges, so each path has exactly one walk through the copies and contributes its count to them.  A block in which
// no path starts may be copied, because all paths into it are known.  If paths start in the block, the profile must
// record which path was executed before: the new path starts in the copy in which the previous path ended.
//
// Copies of blocks are numbered after the blocks of the flow graph, and their edges are numbered after the flow edges.
#ifndef PATHPROF_CORE_ANALYSIS_COPIED_GRAPH_H
#define PATHPROF_CORE_ANALYSIS_COPIED_GRAPH_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/analysis/measured_paths.h"
#include "core/graph/flow_graph.h"

namespace pathprof {

class CopiedGraph {
public:
  // Keeps a reference to `graph`, whose truncation points must be marked.  `counts` contains the execution count of
  // each edge.  `tells_before` is nonzero for a block if the preceding path is known for every path that starts in the
  // block.
  CopiedGraph(const FlowGraph &graph, std::vector<uint64_t> counts, std::vector<MeasuredPath> paths,
              const std::vector<char> &tells_before);

  const FlowGraph &graph() const { return graph_; }
  // Returns the executed paths in the order in which the constructor received them.
  const std::vector<MeasuredPath> &paths() const { return paths_; }

  int num_edges() const { return static_cast<int>(destinations_.size()); }
  size_t num_copies() const { return originals_.size() - static_cast<size_t>(graph_.num_blocks()); }
  // Returns the block from which a copy was made, or `block` itself if it is not a copy.
  int original(int block) const { return originals_[static_cast<size_t>(block)]; }
  bool is_copy(int block) const { return block >= graph_.num_blocks(); }
  // Returns the current destination of the edge, which can be a copy of a block.
  int destination(int edge) const { return destinations_[static_cast<size_t>(edge)]; }
  // Returns the flow edge from which the edge was copied, or `edge` itself if it is a flow edge.
  int flow_edge(int edge) const { return flow_edges_[static_cast<size_t>(edge)]; }
  // Returns the out-edge of `block` that corresponds to `flow_edge`.  `block` can be a copy.
  int out_edge(int block, int flow_edge) const;

  // Returns true if the block can be copied, that is, if no path starts in the block and no path resumes in it after a
  // collapsed loop.
  bool may_be_copied(int block) const { return may_be_copied(block, Fixed::No); }
  // Same as may_be_copied, but allows paths to start in the block if their preceding paths are known.
  bool start_may_be_copied(int block) const { return may_be_copied(block, Fixed::Start); }

  // Copies the destination of `edge`, redirects the edge to the copy, and returns the copy.  The out-edges of the copy
  // are numbered in the same order as the out-edges of the original.
  int copy(int edge);

  // Return the path's edges in the copied graph, one for each flow edge in `path.edges`.  The walk starts in block
  // `from` or, by default, in the path's first block.
  std::vector<int> walk(const Path &path, int from) const;
  std::vector<int> walk(const Path &path) const { return walk(path, path.blocks.front()); }

  // Returns the cut edge at which the path ends.  Returns −1 if there is no such edge or if several cut edges are
  // possible.
  int cut_edge_of(const Path &path) const;

  // Returns the execution counts of all edges, including the edges of copies.  These counts are exact if the counts of
  // the flow edges are exact.  If several cut edges leave a copied block, the paths that end at the block are divided
  // among these edges in the same proportions as in the flow graph.
  std::vector<uint64_t> replay() const;

private:
  enum class Fixed : char { No, Start, Unknown };
  struct Tracks;

  bool may_be_copied(int block, Fixed most) const { return fixed_[static_cast<size_t>(original(block))] <= most; }
  void fix_blocks(const std::vector<char> &tells_before);
  std::vector<int> copies_at_ends() const;
  std::map<int, uint64_t> starts_of(const MeasuredPath &executed, const std::vector<int> &next) const;
  void add_track(Tracks &tracks, const Path &path, int start, uint64_t count) const;
  void share_ends(Tracks &tracks) const;

  const FlowGraph &graph_;
  std::vector<uint64_t> counts_; // execution count of each flow edge
  std::vector<MeasuredPath> paths_;
  std::vector<Fixed> fixed_; // reason why each block of the flow graph may not be copied
  std::vector<int> originals_;
  std::vector<int> destinations_;
  std::vector<int> flow_edges_;
  std::map<std::pair<int, int>, int> of_copies_; // out-edges by copy and flow edge
};

} // namespace pathprof

#endif
