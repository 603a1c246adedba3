// SPDX-License-Identifier: GPL-3.0-or-later
// Bounds the number of cut edges on a prime path.
//
// A path that enters a loop at its header cannot go around the loop, because it contains the header already.  The path
// can therefore contain only back edges of loops in which it starts, each edge once, plus one edge at which it closes a
// cycle.  If control enters a strongly connected component at several blocks, the path enters each destination of a cut
// edge at most once, and leaves each source of a cut edge at most once.
#include <algorithm>
#include <map>

#include "core/analysis/prime_paths.h"
#include "core/graph/components.h"
#include "core/models/path_model.h"

namespace pathprof {

namespace {

class DepthBound {
public:
  explicit DepthBound(const FlowGraph &flow)
      : graph_(flow), succs_(static_cast<size_t>(flow.num_blocks())), finder_(succs_) {
    for (int block : graph_.blocks())
      succs_[static_cast<size_t>(block)] = graph_.succs(block);
  }

  uint32_t run() { return from_anywhere(graph_.blocks(), 0); }

private:
  static constexpr int kNever = -1;
  // Maximum loop nesting depth to analyze.  For more deeply nested loops, only the bound that by_blocks computes is
  // used.
  static constexpr uint32_t kDeepest = kMaxIterations;

  uint32_t weight(int src, int dst) const { return graph_.edge(src, dst, false) < 0; }

  // Returns the maximum number of cut edges on a simple path in these blocks, regardless of where the path starts.
  uint32_t from_anywhere(const std::vector<int> &blocks, uint32_t depth) {
    return over_components(
        blocks, depth, [&](const std::vector<int> &component) { return within(component, depth); },
        [](int) { return 0; });
  }

  // Returns the maximum number of cut edges on a simple path that enters `blocks` from `block`, which is not in
  // `blocks`.  The edge out of `block` is counted as well.
  uint32_t from(int block, const std::vector<int> &blocks, uint32_t depth) {
    return over_components(
        blocks, depth, [](const std::vector<int> &) { return kNever; },
        [&](int dst) {
          const std::vector<int> &succs = graph_.succs(block);
          bool leads = std::find(succs.begin(), succs.end(), dst) != succs.end();
          return leads ? static_cast<int>(weight(block, dst)) : kNever;
        });
  }

  // Combines the maximum numbers of cut edges of all components in topological order.  `begun` returns the maximum for
  // paths that start in a component.  `arrived` returns the maximum for paths that reach a block from outside `blocks`.
  // Both return kNever if there are no such paths.
  template <typename Begun, typename Arrived>
  uint32_t over_components(const std::vector<int> &blocks, uint32_t depth, Begun begun, Arrived arrived) {
    std::vector<std::vector<int>> components = finder_.of(blocks);
    std::map<int, int> best; // maximum number of cut edges on a path to each block
    int most = 0;
    for (size_t i = components.size(); i-- > 0;) {
      const std::vector<int> &component = components[i];
      int come = kNever;
      for (int block : component) {
        come = std::max(come, arrived(block));
        if (auto at = best.find(block); at != best.end())
          come = std::max(come, at->second);
      }
      int inside = static_cast<int>(begun(component));
      if (come >= 0)
        inside = std::max(inside, come + static_cast<int>(entered(component, depth)));
      if (inside < 0)
        continue;
      most = std::max(most, inside);
      for (int block : component)
        for (int succ : graph_.succs(block))
          if (!std::binary_search(component.begin(), component.end(), succ)) {
            int &there = best.try_emplace(succ, kNever).first->second;
            there = std::max(there, inside + static_cast<int>(weight(block, succ)));
          }
    }
    return static_cast<uint32_t>(most);
  }

  // Returns the maximum number of cut edges inside the component on a path that enters it from outside.
  uint32_t entered(const std::vector<int> &component, uint32_t depth) {
    int head = head_of(component);
    if (component.size() == 1)
      return 0;
    if (head < 0 || depth == kDeepest)
      return by_blocks(component);
    return std::min(by_blocks(component), from(head, without(component, head), depth + 1));
  }

  // Returns the maximum number of cut edges inside the component on a path that starts in it.
  uint32_t within(const std::vector<int> &component, uint32_t depth) {
    int head = head_of(component);
    if (head < 0 || depth == kDeepest || component.size() == 1)
      return by_blocks(component);
    std::vector<int> rest = without(component, head);
    uint32_t around = 0;
    for (int block : graph_.preds(head))
      if (std::binary_search(component.begin(), component.end(), block))
        around = std::max(around, weight(block, head));
    return std::min(by_blocks(component), from_anywhere(rest, depth + 1) + around + from(head, rest, depth + 1));
  }

  // Returns an upper bound on the number of cut edges on a path, based on the fact that a path enters and leaves each
  // block at most once.
  uint32_t by_blocks(const std::vector<int> &component) const {
    std::vector<int> entered, left;
    for (int block : component)
      for (int succ : graph_.succs(block))
        if (weight(block, succ) && std::binary_search(component.begin(), component.end(), succ)) {
          entered.push_back(succ);
          left.push_back(block);
        }
    for (std::vector<int> *blocks : {&entered, &left}) {
      std::sort(blocks->begin(), blocks->end());
      blocks->erase(std::unique(blocks->begin(), blocks->end()), blocks->end());
    }
    return static_cast<uint32_t>(std::min(entered.size(), left.size()));
  }

  // Returns the only block at which control enters the component, or -1 if there are several.
  int head_of(const std::vector<int> &component) const {
    int head = -1;
    for (int block : component)
      for (int e : graph_.flow().preds(block)) {
        const Edge &edge = graph_.flow().edge(e);
        bool is_inside = !(edge.flags & kAbnormal) && std::binary_search(component.begin(), component.end(), edge.src);
        if (is_inside || head == block)
          continue;
        if (head >= 0)
          return -1;
        head = block;
      }
    return head;
  }

  static std::vector<int> without(std::vector<int> blocks, int block) {
    blocks.erase(std::find(blocks.begin(), blocks.end(), block));
    return blocks;
  }

  PrimeGraph graph_;
  std::vector<std::vector<int>> succs_;
  ComponentFinder finder_;
};

} // namespace

uint32_t paths_for_prime_paths(const FlowGraph &flow) {
  return std::min(DepthBound(flow).run() + 1, kMaxIterations);
}

} // namespace pathprof
