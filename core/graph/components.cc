// SPDX-License-Identifier: GPL-3.0-or-later
// Implements Tarjan's algorithm with an explicit stack, because recursion could overflow on deep graphs.
#include "core/graph/components.h"

#include <algorithm>

namespace pathprof {

ComponentFinder::ComponentFinder(const std::vector<std::vector<int>> &succs)
    : succs_(succs), within_(succs.size(), 0), order_(succs.size(), 0), low_(succs.size(), 0), open_(succs.size(), 0) {}

std::vector<std::vector<int>> ComponentFinder::of(const std::vector<int> &blocks) {
  std::vector<std::vector<int>> found;
  for (int block : blocks) {
    within_[static_cast<size_t>(block)] = 1;
    order_[static_cast<size_t>(block)] = 0;
  }
  next_number_ = 1;
  for (int block : blocks)
    if (!order_[static_cast<size_t>(block)])
      visit_from(block, found);
  for (int block : blocks)
    within_[static_cast<size_t>(block)] = 0;
  return found;
}

void ComponentFinder::enter(int block) {
  order_[static_cast<size_t>(block)] = low_[static_cast<size_t>(block)] = next_number_++;
  open_[static_cast<size_t>(block)] = 1;
  path_.push_back(block);
  stack_.push_back({block, 0});
}

void ComponentFinder::visit_from(int root, std::vector<std::vector<int>> &found) {
  enter(root);
  while (!stack_.empty()) {
    auto &[block, next] = stack_.back();
    if (next < succs_[static_cast<size_t>(block)].size()) {
      auto dst = static_cast<size_t>(succs_[static_cast<size_t>(block)][next++]);
      if (within_[dst] && !order_[dst])
        enter(static_cast<int>(dst));
      else if (within_[dst] && open_[dst])
        low_[static_cast<size_t>(block)] = std::min(low_[static_cast<size_t>(block)], order_[dst]);
      continue;
    }
    auto done = static_cast<size_t>(block);
    stack_.pop_back();
    if (!stack_.empty()) {
      int &low = low_[static_cast<size_t>(stack_.back().block)];
      low = std::min(low, low_[done]);
    }
    if (low_[done] == order_[done])
      close(static_cast<int>(done), found);
  }
}

void ComponentFinder::close(int root, std::vector<std::vector<int>> &found) {
  std::vector<int> component;
  do {
    component.push_back(path_.back());
    open_[static_cast<size_t>(path_.back())] = 0;
    path_.pop_back();
  } while (component.back() != root);
  std::sort(component.begin(), component.end());
  found.push_back(std::move(component));
}

} // namespace pathprof
