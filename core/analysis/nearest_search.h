// SPDX-License-Identifier: GPL-3.0-or-later
// A search for what is nearest: everything at one distance, then at the next one.
#ifndef PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H
#define PATHPROF_CORE_ANALYSIS_NEAREST_SEARCH_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pathprof {

// Calls look(distance) from `first` on, which appends to *found what there is at that distance and gives false where
// nothing can be farther away; until `limit` are found or the effort is used up.  Gives the nearest `limit` of what was
// found, in its order, and whether the search came to its end (Result::paths, Result::is_complete).
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
