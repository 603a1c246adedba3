// SPDX-License-Identifier: GPL-3.0-or-later
// Finds irreducible regions and splits them by copying blocks.
#include "core/graph/irreducible.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "core/graph/components.h"

namespace pathprof {

namespace {

class Finder {
public:
  Finder(const FlowGraph &graph, const std::vector<int> &sizes)
      : graph_(graph), sizes_(sizes), reachable_(reachable_blocks(graph)), succs_(graph.num_blocks()), finder_(succs_) {
    for (const Edge &edge : graph.edges())
      succs_[edge.src].push_back(edge.dst);
  }

  std::optional<Split> find() {
    std::vector<int> all;
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (reachable_[block])
        all.push_back(block);
    std::vector<std::vector<int>> work = components(all);
    while (!work.empty()) {
      std::vector<int> region = std::move(work.back());
      work.pop_back();
      std::vector<int> entries = entries_of(region);
      if (entries.size() == 1) {
        region.erase(std::find(region.begin(), region.end(), entries.front()));
        for (std::vector<int> &inner : components(region))
          work.push_back(std::move(inner));
      } else if (can_be_copied(region)) {
        return smallest_split(region, entries);
      }
    }
    return std::nullopt;
  }

private:
  // Returns the strongly connected components that contain a cycle, in the subgraph that `blocks` induces.
  std::vector<std::vector<int>> components(const std::vector<int> &blocks) {
    std::vector<std::vector<int>> found = finder_.of(blocks);
    auto has_no_cycle = [&](const std::vector<int> &component) {
      const std::vector<int> &succs = succs_[component.front()];
      return component.size() == 1 && std::find(succs.begin(), succs.end(), component.front()) == succs.end();
    };
    found.erase(std::remove_if(found.begin(), found.end(), has_no_cycle), found.end());
    return found;
  }

  static bool is_in(const std::vector<int> &sorted, int block) {
    return std::binary_search(sorted.begin(), sorted.end(), block);
  }

  // Returns the blocks of the region that have a predecessor outside the region.
  std::vector<int> entries_of(const std::vector<int> &region) const {
    std::vector<int> entries;
    for (int block : region) {
      const std::vector<int> &preds = graph_.preds(block);
      if (std::any_of(preds.begin(), preds.end(), [&](int e) {
            int src = graph_.edge(e).src;
            return reachable_[src] && !is_in(region, src);
          }))
        entries.push_back(block);
    }
    return entries;
  }

  bool can_be_copied(const std::vector<int> &region) const {
    return std::none_of(region.begin(), region.end(), [&](int block) {
      return graph_.has_pred_with(block, kAbnormal | kEh) || graph_.has_succ_with(block, kAbnormal);
    });
  }

  Split smallest_split(const std::vector<int> &region, const std::vector<int> &entries) const {
    Split best;
    int least = std::numeric_limits<int>::max();
    for (int head : entries) {
      Split split = split_at(head, region, entries);
      int size = 0;
      for (int block : split.blocks)
        size += sizes_[block];
      if (size < least) {
        least = size;
        best = std::move(split);
      }
    }
    return best;
  }

  Split split_at(int head, const std::vector<int> &region, const std::vector<int> &entries) const {
    Split split;
    split.head = head;
    std::vector<char> seen(graph_.num_blocks(), 0);
    seen[head] = 1;
    for (int entry : entries)
      if (!std::exchange(seen[entry], 1))
        split.blocks.push_back(entry);
    for (size_t i = 0; i < split.blocks.size(); i++)
      for (int e : graph_.succs(split.blocks[i])) {
        int dst = graph_.edge(e).dst;
        if (is_in(region, dst) && !std::exchange(seen[dst], 1))
          split.blocks.push_back(dst);
      }
    std::sort(split.blocks.begin(), split.blocks.end());
    for (int entry : entries)
      for (int e : graph_.preds(entry))
        if (entry != head && reachable_[graph_.edge(e).src] && !is_in(region, graph_.edge(e).src))
          split.entries.push_back(e);
    return split;
  }

  const FlowGraph &graph_;
  const std::vector<int> &sizes_;
  std::vector<char> reachable_;
  std::vector<std::vector<int>> succs_;
  ComponentFinder finder_;
};

} // namespace

std::optional<Split> find_split(const FlowGraph &graph, const std::vector<int> &sizes) {
  return Finder(graph, sizes).find();
}

} // namespace pathprof
