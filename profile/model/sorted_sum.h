// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up sorted lists of counts.
#ifndef PATHPROF_PROFILE_MODEL_SORTED_SUM_H
#define PATHPROF_PROFILE_MODEL_SORTED_SUM_H

#include <utility>
#include <vector>

namespace pathprof {

// Adds the elements of `from` to `to`.  The lists and the result are sorted by `key_of` and contain each key at most
// once.  If both lists contain a key, `add` adds the element of `from` to the element of `to`.
template <typename T, typename Key, typename Add>
void add_sorted(std::vector<T> &to, const std::vector<T> &from, Key key_of, Add add) {
  std::vector<T> sum;
  auto a = to.begin();
  for (const T &element : from) {
    while (a != to.end() && key_of(*a) < key_of(element))
      sum.push_back(*a++);
    sum.push_back(element);
    if (a != to.end() && key_of(*a) == key_of(element))
      add(sum.back(), *a++);
  }
  sum.insert(sum.end(), a, to.end());
  to = std::move(sum);
}

} // namespace pathprof

#endif
