// SPDX-License-Identifier: GPL-3.0-or-later
// Ball-Larus numbering and its inverse.
#include "core/numbering.h"

#include <algorithm>

namespace pathprof {

static constexpr uint64_t kMaxPaths = uint64_t{1} << 62;

AcyclicNumbering::AcyclicNumbering(const PathGraph &paths)
    : paths_(&paths), count_(paths.flow().num_blocks(), 0), val_(paths.num_edges(), 0),
      ordered_succs_(paths.flow().num_blocks()) {
  count_[kExitBlock] = 1;
  for (int block : paths.reverse_topological()) {
    if (block == kExitBlock)
      continue;
    std::vector<int> &succs = ordered_succs_[block];
    succs = paths.succs(block);
    std::stable_sort(succs.begin(), succs.end(), [&](int a, int b) {
      return count_[paths.edge(a).dst] < count_[paths.edge(b).dst];
    });
    uint64_t sum = 0;
    for (int e : succs) {
      val_[e] = static_cast<int64_t>(sum);
      sum += count_[paths.edge(e).dst];
      if (sum >= kMaxPaths) {
        fits_ = false;
        sum = kMaxPaths;
      }
    }
    count_[block] = sum;
  }
}

std::optional<Path> AcyclicNumbering::regenerate(uint64_t id) const {
  if (!fits_ || id >= num_paths())
    return std::nullopt;
  std::vector<int> walk;
  int block = kEntryBlock;
  int64_t rest = static_cast<int64_t>(id);
  while (block != kExitBlock) {
    const std::vector<int> &succs = ordered_succs_[block];
    auto after = std::upper_bound(succs.begin(), succs.end(), rest,
                                  [&](int64_t value, int e) { return value < val_[e]; });
    int e = *(after - 1);
    walk.push_back(e);
    rest -= val_[e];
    block = paths_->edge(e).dst;
  }
  return paths_->make_path(walk);
}

} // namespace pathprof
