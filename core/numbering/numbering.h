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

// Ball-Larus numbering (Ball and Larus 1996, Figure 5).  Path IDs range from 0 to num_paths() - 1.  At each node, the
// successor with the most paths is visited last, which keeps the increments small (section 5.2).  In case of a tie, and
// at nodes with `keeps_order`, edges are visited in their order in the path graph.
//
// The number of paths must be below 2^62; otherwise, `fits` returns false. The functions in core/numbering/cut.h reduce
// the number of paths by adding truncation points.
class PathNumbering {
public:
  explicit PathNumbering(const PathGraph &paths);

  bool fits() const { return fits_; }
  uint64_t num_paths() const { return count_[kEntryBlock]; }

  // Returns the number of walks from `node` to EXIT (NumPaths in the paper).
  uint64_t num_paths_from(int node) const { return count_[node]; }

  // Returns the value of a path-graph edge (Val in the paper).  A path ID is the sum of the values of the path's edges.
  int64_t val(int edge) const { return val_[edge]; }
  const std::vector<int64_t> &vals() const { return val_; }

  // Returns the path-graph edges of the walk with path ID `id` from ENTRY to EXIT.  `id` must be below num_paths().
  std::vector<int> walk_of(uint64_t id) const;

  // Returns the path with this ID (section 3.5), or nothing if the ID is not below num_paths().
  std::optional<Path> regenerate(uint64_t id) const;

  // Returns the path prefix that reaches a call in `block` and whose edge values add up to `sum`, or nothing if there
  // is no such prefix.
  std::optional<Path> regenerate_prefix(uint64_t sum, int block, uint32_t call) const;

private:
  // Returns the first edge of the walk from `node` to EXIT whose edge values add up to `rest`.  Subtracts the value of
  // that edge from `rest`.
  int next_edge(int node, int64_t &rest) const;

  const PathGraph *paths_;
  bool fits_ = true;
  std::vector<uint64_t> count_;
  std::vector<int64_t> val_;
  std::vector<std::vector<int>> ordered_succs_; // out-edges of each node in the order of increasing val
};

} // namespace pathprof

#endif
