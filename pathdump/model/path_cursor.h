// SPDX-License-Identifier: GPL-3.0-or-later
// Going over the executed paths of a function where they are too many to be kept.
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

// The executed paths of the index-th function one after the other, by increasing number: those that were cut short come
// last.
class PathCursor {
public:
  // Keeps references.
  PathCursor(const Function &function, size_t index, const Decoded &decoded, Ranking ranking);

  // The next path, until the next call; null behind the last one.
  const HotPath *next();
  // What the paths add up to that were gone over.
  const Totals &totals() const { return totals_; }

private:
  const HotPath *see(const ExecutedPath &path, uint64_t statements);

  const Function &function_;
  const Decoded &decoded_;
  size_t index_;
  Ranking ranking_;
  PathWalk walk_;
  size_t next_ = 0; // among the whole paths, and behind them those that were cut short
  Totals totals_;
  HotPath hot_ = {};
};

// The first `limit` of very many paths.
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
  // To be called once, behind the last one.
  std::vector<HotPath> take() {
    keep_best(paths_, limit_);
    return std::move(paths_);
  }

private:
  static constexpr size_t kBatch = 512;

  uint64_t limit_;
  std::vector<HotPath> paths_;
  bool is_full_ = false;
  HotPath last_ = {}; // what does not come before this is none of them
};

} // namespace pathprof

#endif
