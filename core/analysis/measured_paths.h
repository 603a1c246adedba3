// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the executed paths of a function without duplicates, with the paths that preceded each path.
#ifndef PATHPROF_CORE_ANALYSIS_MEASURED_PATHS_H
#define PATHPROF_CORE_ANALYSIS_MEASURED_PATHS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

struct MeasuredPath {
  Path path;
  uint64_t count = 0;
  // Paths that were executed immediately before this path in the same activation: the index of each path, and the
  // number of times that it preceded this path.  Empty if the profile does not contain this information.
  std::vector<std::pair<size_t, uint64_t>> after = {};
};

// Splits a k-iteration path into one path per iteration.  Sets `num_context` to the number of iterations that belong to
// the context.
std::vector<Path> split_at_back_edges(const Path &path, const FlowGraph &graph, size_t &num_context);

// Collects paths from one or more profiles.
class MeasuredPaths {
public:
  // Adds `count` executions of the path and returns its index.
  size_t add(const Path &path, uint64_t count);

  // Adds the iterations of a k-iteration path as separate paths, and records that they follow each other.
  void add_iterations(const Path &path, const FlowGraph &graph, uint64_t count);

  // Records that `path` was executed immediately after `before`, `count` times.
  void add_sequence(size_t before, size_t path, uint64_t count) { after_[{path, before}] += count; }

  // Returns all paths in order of decreasing count and clears the collection.
  std::vector<MeasuredPath> take();

private:
  using Key = std::tuple<PathStart, PathEnd, uint32_t, int, size_t, std::vector<int>>;
  static Key key_of(const Path &path);

  std::map<Key, size_t> index_;
  std::vector<MeasuredPath> paths_;
  std::map<std::pair<size_t, size_t>, uint64_t> after_; // counts by path and preceding path
};

} // namespace pathprof

#endif
