// SPDX-License-Identifier: GPL-3.0-or-later
// Sets that are joined, for spanning trees.
#ifndef PATHPROF_CORE_GRAPH_DISJOINT_SETS_H
#define PATHPROF_CORE_GRAPH_DISJOINT_SETS_H

#include <numeric>
#include <vector>

namespace pathprof {

class DisjointSets {
public:
  // 0 … size−1, each alone.
  explicit DisjointSets(int size) : parent_(size) { std::iota(parent_.begin(), parent_.end(), 0); }

  // Joins the two sets; false if they were one already.
  bool join(int a, int b) {
    a = find(a);
    b = find(b);
    parent_[a] = b;
    return a != b;
  }

  // One of its set, the same for all of them until the next two are joined.
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
