// SPDX-License-Identifier: GPL-3.0-or-later
// Path numberings: which integer names which path.
//
// A numbering is data that the compiler plugin and the reports rebuild from the same graph, so it must
// depend on nothing but the path graph and its stable order.
#ifndef PATHPROF_CORE_NUMBERING_NUMBERING_H
#define PATHPROF_CORE_NUMBERING_NUMBERING_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Paths, numbered 0 … num_paths()-1 without gaps (Ball and Larus 1996, Figure 5).  At each node the successor
// with the most paths is visited last, which keeps the increments small (section 5.2); ties, and
// nodes that the path graph says keep their order, have the path graph's order.
//
// The number of paths must be below 2^62 (cut first: core/numbering/cut.h); `fits` tells.
class PathNumbering {
public:
  explicit PathNumbering(const PathGraph &paths);

  bool fits() const { return fits_; }
  uint64_t num_paths() const { return count_[kEntryBlock]; }

  // NumPaths of a node: walks from it to EXIT.
  uint64_t num_paths_from(int node) const { return count_[node]; }

  // Val of a path-graph edge: the sum over a walk is the path's number.
  int64_t val(int edge) const { return val_[edge]; }
  const std::vector<int64_t> &vals() const { return val_; }

  // The walk from ENTRY to EXIT with this number, which must be below num_paths(); edges of the path graph.
  std::vector<int> walk_of(uint64_t id) const;

  // The path with this number (section 3.5), or nothing if the number is not below num_paths().
  std::optional<Path> regenerate(uint64_t id) const;

  // The one beginning of acyclic paths that leads to a call of `block` with this sum of vals; nothing if there
  // is none.
  std::optional<Path> regenerate_prefix(uint64_t sum, int block, uint32_t call) const;

private:
  // Where the walk goes from a node with `rest` to come; lowers it by the edge's val.
  int next_edge(int node, int64_t &rest) const;

  const PathGraph *paths_;
  bool fits_ = true;
  std::vector<uint64_t> count_;
  std::vector<int64_t> val_;
  std::vector<std::vector<int>> ordered_succs_; // in the order of increasing val
};

} // namespace pathprof

#endif
