// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for the nearest items by increasing distance.
#ifndef PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H
#define PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pathprof {

// Calls look(distance) with increasing distances from `first`.  `look` appends the items at that distance to `*found`
// and returns false if no item is farther away.  The search ends after `limit` items or when `effort` is 0.  Returns
// the nearest `limit` items in sorted order (Result::paths), and whether the search was completed
// (Result::is_complete).
template <typename Result, typename Found, typename Look>
Result search_by_distance(uint32_t first, Found *found, size_t limit, const uint64_t &effort, Look look) {
  for (uint32_t distance = first; found->size() < limit && effort > 0 && look(distance);)
    distance++;
  Result result;
  result.is_complete = effort > 0;
  std::sort(found->begin(), found->end());
  if (found->size() > limit)
    found->resize(limit);
  result.paths = std::move(*found);
  return result;
}

} // namespace pathprof

#endif
