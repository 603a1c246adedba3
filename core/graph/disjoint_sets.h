// SPDX-License-Identifier: GPL-3.0-or-later
// Implements disjoint sets (union-find) for the construction of spanning trees.
#ifndef PATHPROF_CORE_GRAPH_DISJOINT_SETS_H
#define PATHPROF_CORE_GRAPH_DISJOINT_SETS_H

#include <numeric>
#include <vector>

namespace pathprof {

class DisjointSets {
public:
  // Creates the sets {0}, {1}, …, {size−1}.
  explicit DisjointSets(int size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  // Merges the sets that contain `a` and `b`.  Returns false if `a` and `b` were already in the same set.
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[a] = b;
    return a != b;
  }

  // Returns the representative of the set that contains `a`.  A call to `join` can change the representative.
  int find(int a) {
    while (parent_[a] != a)
      a = parent_[a] = parent_[parent_[a]];
    return a;
  }

private:
  std::vector<int> parent_;
};

} // namespace pathprof

#endif
