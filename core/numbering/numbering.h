// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns path IDs to the paths of a path graph.
//
// The plugin and the reports compute the same numbering from the same graph.  A numbering must therefore depend only on
// the path graph and its stable order.
#ifndef PATHPROF_CORE_NUMBERING_NUMBERING_H
#define PATHPROF_CORE_NUMBERING_NUMBERING_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Ball-Larus numbering: paths have the IDs 0 … num_paths()-1 without gaps (Ball and Larus 1996, Figure 5).  At each
// node, the successor with the most paths is visited last, which keeps the increments small (section 5.2).  Edges keep
// the path graph's order in case of a tie and at nodes with `keeps_order`.
//
// The number of paths must be below 2^62 (add truncation points first: core/numbering/cut.h); otherwise, `fits` returns
// false.
class PathNumbering {
public:
  explicit PathNumbering(const PathGraph &paths);

  bool fits() const { return fits_; }
  uint64_t num_paths() const { return count_[kEntryBlock]; }

  // Returns NumPaths of a node: the number of walks from `node` to EXIT.
  uint64_t num_paths_from(int node) const { return count_[node]; }

  // Returns Val of a path-graph edge.  The path ID is the sum of the vals of the path's edges.
  int64_t val(int edge) const { return val_[edge]; }
  const std::vector<int64_t> &vals() const { return val_; }

  // Returns the path-graph edges of the walk from ENTRY to EXIT with path ID `id`, which must be below num_paths().
  std::vector<int> walk_of(uint64_t id) const;

  // Returns the path with this ID (section 3.5), or nothing if the ID is not below num_paths().
  std::optional<Path> regenerate(uint64_t id) const;

  // Returns the prefix of acyclic paths that reaches a call in `block` with this sum of vals, or nothing if no prefix
  // does.
  std::optional<Path> regenerate_prefix(uint64_t sum, int block, uint32_t call) const;

private:
  // Returns the edge that the walk takes from `node` if the remaining vals add up to `rest`; subtracts its val from
  // `rest`.
  int next_edge(int node, int64_t &rest) const;

  const PathGraph *paths_;
  bool fits_ = true;
  std::vector<uint64_t> count_;
  std::vector<int64_t> val_;
  std::vector<std::vector<int>> ordered_succs_; // out-edges of each node in the order of increasing val
};

} // namespace pathprof

#endif
