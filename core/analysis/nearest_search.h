// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for the nearest items by increasing distance.
#ifndef PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H
#define PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pathprof {

// Calls look(distance) with increasing distances, starting with `first`.  Each call appends the items at that distance
// to `*found`, and returns false if there are no items farther away.  The search stops when it has found `limit` items
// or `effort` is 0.  Returns the `limit` nearest items in sorted order, and sets is_complete to false if `effort` is 0.
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
