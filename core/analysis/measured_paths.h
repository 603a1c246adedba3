// SPDX-License-Identifier: GPL-3.0-or-later
// The executed paths of a function as a profile has them, each once, and what ran before each.
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
  // Where the profile tells, paths that ran just before it in the same activation, by index, and how often they did.
  std::vector<std::pair<size_t, uint64_t>> after = {};
};

// A path across iterations taken apart: one path an iteration.  `num_context`: so many of them are context.
std::vector<Path> split_at_back_edges(const Path &path, const FlowGraph &graph, size_t &num_context);

// Collects paths, from one profile or several.
class MeasuredPaths {
public:
  // The path ran so often more.  Returns its index.
  size_t add(const Path &path, uint64_t count);

  // A path across iterations did: each of its iterations is a path, and each ran after the one before it.
  void add_iterations(const Path &path, const FlowGraph &graph, uint64_t count);

  // One path ran just after another so often more.
  void add_sequence(size_t before, size_t path, uint64_t count) { after_[{path, before}] += count; }

  // All of them, most executed first.  Leaves none here.
  std::vector<MeasuredPath> take();

private:
  using Key = std::tuple<PathStart, PathEnd, uint32_t, int, size_t, std::vector<int>>;
  static Key key_of(const Path &path);

  std::map<Key, size_t> index_;
  std::vector<MeasuredPath> paths_;
  std::map<std::pair<size_t, size_t>, uint64_t> after_; // path, what ran before
};

} // namespace pathprof

#endif
