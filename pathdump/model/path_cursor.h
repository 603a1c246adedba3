// SPDX-License-Identifier: GPL-3.0-or-later
// Iterates over the executed paths of a function without storing them.
#ifndef PATHPROF_PATHDUMP_MODEL_PATH_CURSOR_H
#define PATHPROF_PATHDUMP_MODEL_PATH_CURSOR_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/describe/line_sequence.h"
#include "profile/model/profile.h"

namespace pathprof {

// Iterates over the executed paths of a function in order of increasing path ID. Truncated paths come last.
class PathCursor {
public:
  // Keeps references to its arguments.
  PathCursor(const Function &function, size_t index, const Decoded &decoded, Ranking ranking);

  // Returns the next path, or null after the last path. The path is valid until the next call.
  const HotPath *next();
  // Returns the totals of the paths that have been visited.
  const Totals &totals() const { return totals_; }

private:
  const HotPath *see(const ExecutedPath &path, uint64_t statements);

  const Function &function_;
  const Decoded &decoded_;
  size_t index_;
  Ranking ranking_;
  PathWalk walk_;
  size_t next_ = 0; // index into the complete paths, which the truncated paths follow
  Totals totals_;
  HotPath hot_ = {};
};

// Collects the `limit` hottest paths out of a very large number of paths.
class HottestPaths {
public:
  explicit HottestPaths(uint64_t limit) : limit_(limit) {}

  void add(const HotPath &hot) {
    if (is_full_ && !(hot < last_))
      return;
    paths_.push_back(hot);
    if (paths_.size() < 2 * limit_ + kBatch)
      return;
    keep_best(paths_, limit_);
    last_ = *std::max_element(paths_.begin(), paths_.end());
    is_full_ = true;
  }
  // Returns the hottest paths. Must be called only once, after the last path has been added.
  std::vector<HotPath> take() {
    keep_best(paths_, limit_);
    return std::move(paths_);
  }

private:
  static constexpr size_t kBatch = 512;

  uint64_t limit_;
  std::vector<HotPath> paths_;
  bool is_full_ = false;
  HotPath last_ = {}; // paths that sort after this path are rejected
};

} // namespace pathprof

#endif
