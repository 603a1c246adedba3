// SPDX-License-Identifier: GPL-3.0-or-later
// Implements the Ball-Larus numbering and decodes path IDs.
#include "core/numbering/numbering.h"

#include <algorithm>

namespace pathprof {

static constexpr uint64_t kMaxPaths = uint64_t{1} << 62;

PathNumbering::PathNumbering(const PathGraph &paths)
    : paths_(&paths), count_(paths.num_nodes(), 0), val_(paths.num_edges(), 0), ordered_succs_(paths.num_nodes()) {
  count_[kExitBlock] = 1;
  for (int node : paths.reverse_topological()) {
    if (node == kExitBlock)
      continue;
    std::vector<int> &succs = ordered_succs_[node];
    succs = paths.succs(node);
    if (!paths.keeps_order(node))
      std::stable_sort(succs.begin(), succs.end(),
                       [&](int a, int b) { return count_[paths.edge(a).dst] < count_[paths.edge(b).dst]; });
    uint64_t sum = 0;
    for (int e : succs) {
      val_[e] = static_cast<int64_t>(sum);
      sum += count_[paths.edge(e).dst];
      if (sum >= kMaxPaths) {
        fits_ = false;
        sum = kMaxPaths;
      }
    }
    count_[node] = sum;
  }
}

int PathNumbering::next_edge(int node, int64_t &rest) const {
  const std::vector<int> &succs = ordered_succs_[node];
  auto after =
      std::upper_bound(succs.begin(), succs.end(), rest, [&](int64_t value, int e) { return value < val_[e]; });
  int e = *(after - 1);
  rest -= val_[e];
  return e;
}

std::vector<int> PathNumbering::walk_of(uint64_t id) const {
  std::vector<int> walk;
  int64_t rest = static_cast<int64_t>(id);
  for (int node = kEntryBlock; node != kExitBlock; node = paths_->edge(walk.back()).dst)
    walk.push_back(next_edge(node, rest));
  return walk;
}

std::optional<Path> PathNumbering::regenerate(uint64_t id) const {
  if (!fits_ || id >= num_paths())
    return std::nullopt;
  return paths_->make_path(walk_of(id));
}

// From every block, there is exactly one walk to EXIT on which all edge values are 0.  A path prefix that reaches
// `block` and whose edge values add up to `sum` is therefore a prefix of the path with ID `sum`.
std::optional<Path> PathNumbering::regenerate_prefix(uint64_t sum, int block, uint32_t call) const {
  if (!fits_ || sum >= num_paths())
    return std::nullopt;
  std::vector<int> walk;
  int64_t rest = static_cast<int64_t>(sum);
  int at = kEntryBlock;
  for (; at != block && at != kExitBlock; at = paths_->edge(walk.back()).dst)
    walk.push_back(next_edge(at, rest));
  if (at != block || block == kExitBlock || walk.empty() || rest != 0)
    return std::nullopt;
  Path path = paths_->make_path(walk);
  path.end = PathEnd::Call;
  path.call = call;
  return path;
}

} // namespace pathprof
