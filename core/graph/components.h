// SPDX-License-Identifier: GPL-3.0-or-later
// Strongly connected components (Tarjan, SIAM Journal on Computing 1, 1972).
#ifndef PATHPROF_CORE_GRAPH_COMPONENTS_H
#define PATHPROF_CORE_GRAPH_COMPONENTS_H

#include <cstddef>
#include <vector>

namespace pathprof {

class ComponentFinder {
public:
  // `succs`: by block, the blocks that its edges lead to.  Keeps a reference.
  explicit ComponentFinder(const std::vector<std::vector<int>> &succs);

  // Those of the graph of these blocks alone, each by increasing number; what a component leads to is before it.
  std::vector<std::vector<int>> of(const std::vector<int> &blocks);

private:
  void visit_from(int root, std::vector<std::vector<int>> &found);
  void enter(int block);
  void close(int root, std::vector<std::vector<int>> &found);

  const std::vector<std::vector<int>> &succs_;
  std::vector<char> within_;     // the blocks that are looked at
  std::vector<int> order_, low_; // Tarjan's
  std::vector<char> open_;
  int next_number_ = 1;
  std::vector<int> path_;
  struct Visit {
    int block;
    size_t next; // of its successors
  };
  std::vector<Visit> stack_;
};

} // namespace pathprof

#endif
