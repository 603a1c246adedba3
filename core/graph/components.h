// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the strongly connected components of a graph (Tarjan, SIAM Journal on Computing 1, 1972).
#ifndef PATHPROF_CORE_GRAPH_COMPONENTS_H
#define PATHPROF_CORE_GRAPH_COMPONENTS_H

#include <cstddef>
#include <vector>

namespace pathprof {

class ComponentFinder {
public:
  // Keeps a reference to `succs`, which lists the successors of each block.
  explicit ComponentFinder(const std::vector<std::vector<int>> &succs);

  // Returns the strongly connected components of the subgraph that `blocks` induces.  Each component is sorted by block
  // number.  In the result, a component comes after all components that can be reached from it.
  std::vector<std::vector<int>> of(const std::vector<int> &blocks);

private:
  void visit_from(int root, std::vector<std::vector<int>> &found);
  void enter(int block);
  void close(int root, std::vector<std::vector<int>> &found);

  const std::vector<std::vector<int>> &succs_;
  std::vector<char> within_;     // nonzero for the blocks of the induced subgraph
  std::vector<int> order_, low_; // visit number and low-link of each block, as in Tarjan's algorithm
  std::vector<char> open_;       // nonzero for the blocks on `path_`
  int next_number_ = 1;
  std::vector<int> path_;
  struct Visit {
    int block;
    size_t next; // index of the next successor to visit
  };
  std::vector<Visit> stack_;
};

} // namespace pathprof

#endif
