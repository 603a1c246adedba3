// SPDX-License-Identifier: GPL-3.0-or-later
// A function's executed paths over its flow graph, also after blocks of it were copied.
//
// A copy of a block is made for one edge that leads to it.  Where a path goes is decided by its flow edges, of which
// every copy has its own: so each path has one walk through the copies, and what it adds to them follows from its
// count. Where no path starts every path into a block is known; only such blocks may be copied.  Where paths do, the
// profile must say which path ran before: the copy that a path starts in is where the one before it ended.
//
// Blocks of the flow graph and copies are numbered alike, copies last; so are edges.
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
  // `counts` are the traversals of the graph's edges.  `tells_before`: by block, whether it is known of paths that
  // start there what ran before.  Keeps a reference to the graph, whose cuts are marked.
  CopiedGraph(const FlowGraph &graph, std::vector<uint64_t> counts, std::vector<MeasuredPath> paths,
              const std::vector<char> &tells_before);

  const FlowGraph &graph() const { return graph_; }
  // The executed paths, in the order that they were given in.
  const std::vector<MeasuredPath> &paths() const { return paths_; }

  int num_edges() const { return static_cast<int>(destinations_.size()); }
  size_t num_copies() const { return originals_.size() - static_cast<size_t>(graph_.num_blocks()); }
  // The block that a block is a copy of; itself if it is none.
  int original(int block) const { return originals_[static_cast<size_t>(block)]; }
  bool is_copy(int block) const { return block >= graph_.num_blocks(); }
  // Where an edge leads now.
  int destination(int edge) const { return destinations_[static_cast<size_t>(edge)]; }
  // The edge of the flow graph that an edge is, or is a copy of.
  int flow_edge(int edge) const { return flow_edges_[static_cast<size_t>(edge)]; }
  // The edge of a block or copy that a flow edge is.
  int out_edge(int block, int flow_edge) const;

  // Whether paths into this block are known: no path starts in it, or goes on there from an unknown copy.
  bool may_be_copied(int block) const { return may_be_copied(block, Fixed::No); }
  // The same, or paths start in it of which it is known what ran before.
  bool start_may_be_copied(int block) const { return may_be_copied(block, Fixed::Start); }

  // Gives the edge a copy of its destination for itself, and returns that.  The copy's edges are numbered in the order
  // that those of the flow graph's block have.
  int copy(int edge);

  // Where a path from this block, or from its first one itself, is after each of its flow edges: one edge for each of
  // path.edges.
  std::vector<int> walk(const Path &path, int from) const;
  std::vector<int> walk(const Path &path) const { return walk(path, path.blocks.front()); }

  // The cut edge by which a path ends, of the flow graph; −1 if it does not, or at one of several.
  int cut_edge_of(const Path &path) const;

  // Traversals of every edge, copies' too.  Exact where those of the flow edges are; where a path ends at one of
  // several cut edges of a copied block, each has the part that it has in the flow graph.
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
  std::vector<uint64_t> counts_; // by flow edge
  std::vector<MeasuredPath> paths_;
  std::vector<Fixed> fixed_; // by block of the flow graph: why it may not be copied
  std::vector<int> originals_;
  std::vector<int> destinations_;
  std::vector<int> flow_edges_;
  std::map<std::pair<int, int>, int> of_copies_; // copy, flow edge
};

} // namespace pathprof

#endif
