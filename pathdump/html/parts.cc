// SPDX-License-Identifier: GPL-3.0-or-later
// Splits paths into parts.
#include "pathdump/html/parts.h"

#include <algorithm>

namespace pathprof::html {

size_t block_behind(const Path &path, size_t edge) {
  auto passed = std::count_if(path.loop_visits.begin(), path.loop_visits.end(),
                              [&](const CollapsedLoopVisit &visit) { return visit.edges <= edge; });
  return edge + 1 - static_cast<size_t>(passed);
}

std::vector<size_t> parts_of(const FlowGraph &graph, const Path &path) {
  std::vector<size_t> begins = {0};
  begins.insert(begins.end(), path.contexts.begin(), path.contexts.end());
  for (size_t i = 0; i < path.edges.size(); i++)
    if (graph.edge(path.edges[i]).flags & kBack)
      begins.push_back(std::min(block_behind(path, i), path.blocks.size() - 1));
  std::sort(begins.begin(), begins.end());
  begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
  return begins;
}

Path part_of(const Path &path, size_t begin, size_t end) {
  Path part;
  part.blocks = {path.blocks.begin() + static_cast<ptrdiff_t>(begin),
                 path.blocks.begin() + static_cast<ptrdiff_t>(end)};
  if (end == path.blocks.size()) {
    part.end = path.end;
    part.call = path.call;
  }
  for (const CollapsedLoopVisit &visit : path.loop_visits)
    if (visit.blocks > begin && visit.blocks <= end)
      part.loop_visits.push_back({visit.head, visit.blocks - begin, 0});
  return part;
}

int ending_edge(const FlowGraph &graph, const Path &path) {
  int found = -1;
  if (!path.blocks.empty() && (path.end == PathEnd::BackEdge || path.end == PathEnd::Cut))
    for (int e : graph.succs(path.blocks.back()))
      if (graph.edge(e).is_cut()) {
        if (found >= 0)
          return -1;
        found = e;
      }
  return found;
}

} // namespace pathprof::html
