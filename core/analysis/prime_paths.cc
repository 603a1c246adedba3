// SPDX-License-Identifier: GPL-3.0-or-later
// Counts prime paths in sequences of acyclic paths.
#include "core/analysis/prime_paths.h"

#include <algorithm>
#include <unordered_map>

#include "core/numbering/saturate.h"

namespace pathprof {

// Construction of PrimeGraph.

static void add_once(std::vector<int> &blocks, int block) {
  if (std::find(blocks.begin(), blocks.end(), block) == blocks.end())
    blocks.push_back(block);
}

PrimeGraph::PrimeGraph(const FlowGraph &flow)
    : flow_(&flow), succs_(static_cast<size_t>(flow.num_blocks())), preds_(succs_.size()),
      stands_alone_(succs_.size(), 0), only_cut_(succs_.size(), -1) {
  std::vector<char> reachable = reachable_blocks(flow);
  for (const Edge &edge : flow.edges()) {
    if (!reachable[static_cast<size_t>(edge.src)])
      continue;
    if (!(edge.flags & kAbnormal) && (edge.src == kEntryBlock || edge.dst == kExitBlock))
      stands_alone_[static_cast<size_t>(edge.src == kEntryBlock ? edge.dst : edge.src)] = 1;
    else if (!(edge.flags & kAbnormal)) {
      add_once(succs_[static_cast<size_t>(edge.src)], edge.dst);
      add_once(preds_[static_cast<size_t>(edge.dst)], edge.src);
    }
  }
  for (int block = 0; block < flow.num_blocks(); block++) {
    if (!reachable[static_cast<size_t>(block)] || block == kEntryBlock || block == kExitBlock)
      continue;
    blocks_.push_back(block);
    std::vector<int> cuts = cut_succs(flow, block);
    if (cuts.size() == 1 && !(flow.edge(cuts.front()).flags & kAbnormal))
      only_cut_[static_cast<size_t>(block)] = cuts.front();
  }
}

int PrimeGraph::edge(int src, int dst, bool is_cut) const {
  for (int e : flow_->succs(src))
    if (flow_->edge(e).dst == dst && !(flow_->edge(e).flags & kAbnormal) && flow_->edge(e).is_cut() == is_cut)
      return e;
  return -1;
}

int PrimeGraph::edge(int src, int dst) const {
  int whole = edge(src, dst, false);
  return whole >= 0 ? whole : edge(src, dst, true);
}

uint32_t PrimeGraph::num_cuts(const PrimePath &path) const {
  uint32_t cuts = 0;
  for (size_t i = 1; i < path.size(); i++)
    cuts += edge(path[i - 1], path[i], false) < 0;
  return cuts;
}

uint32_t PrimeGraph::needed_paths(const PrimePath &path) const {
  bool ends_at_cut = path.size() > 1 && edge(path[path.size() - 2], path.back(), false) < 0;
  return num_cuts(path) + 1 - (ends_at_cut && has_only_cut(path[path.size() - 2]));
}

// Counting of prime paths.

namespace {

struct HashBlocks {
  size_t operator()(const PrimePath &path) const {
    uint64_t hash = path.size();
    for (int block : path)
      hash = (hash ^ static_cast<uint64_t>(block)) * 0x9E3779B97F4A7C15u;
    return static_cast<size_t>(hash ^ hash >> 32);
  }
};

// Counts prime paths during a traversal of the k-IPF.  `blocks_` contains the blocks of the sequence from the root to
// the current node.  The blocks from position `low_` to the end form the longest path without repeated blocks that ends
// at the last block.
class Counter : public PrefixVisitor {
public:
  Counter(const PrimeGraph &graph, const std::function<Path(uint64_t)> &path_of)
      : graph_(graph), path_of_(path_of), last_(static_cast<size_t>(graph.num_blocks()), kNowhere) {}

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    marks_.push_back(blocks_.size());
    const auto &[blocks, leaves] = decoded(id);
    if (blocks.empty())
      return false;
    bool is_first = marks_.size() == 1, knew_next = false;
    if (!is_first) {
      int before = blocks_.back().block, edge = graph_.edge(before, blocks.front(), true);
      if (edge < 0)
        return false;
      knew_next = graph_.has_only_cut(before);
    }
    for (size_t i = 0; i < blocks.size(); i++) {
      num_first_ += is_first;
      push(blocks[i]);
      if (i > 0 || !knew_next)
        count_last(count);
    }
    if (int edge = graph_.only_cut(blocks.back()); edge >= 0 && !leaves) {
      push(graph_.flow().edge(edge).dst);
      count_last(count);
      pop();
    }
    return low_ < num_first_;
  }

  void leave() override {
    while (blocks_.size() > marks_.back())
      pop();
    marks_.pop_back();
    if (marks_.empty())
      num_first_ = 0;
  }

  PrimeCounts take() { return {counts_.begin(), counts_.end()}; }

private:
  static constexpr size_t kNowhere = SIZE_MAX;

  struct Pushed {
    int block;
    size_t last_before; // previous position of the block
    size_t low_before;
  };

  struct DecodedPath {
    std::vector<int> blocks; // blocks without ENTRY and EXIT
    bool leaves = false;     // true if the path ends with EXIT
  };

  const DecodedPath &decoded(uint64_t id) {
    auto [at, is_new] = decoded_.try_emplace(id);
    if (is_new)
      for (int block : path_of_(id).blocks) {
        at->second.leaves = block == kExitBlock;
        if (block != kEntryBlock && block != kExitBlock)
          at->second.blocks.push_back(block);
      }
    return at->second;
  }

  size_t &last(int block) { return last_[static_cast<size_t>(block)]; }

  void push(int block) {
    blocks_.push_back({block, last(block), low_});
    last(block) = blocks_.size() - 1;
    if (size_t before = blocks_.back().last_before; before != kNowhere && before >= low_)
      low_ = before + 1;
  }

  void pop() {
    last(blocks_.back().block) = blocks_.back().last_before;
    low_ = blocks_.back().low_before;
    blocks_.pop_back();
  }

  // Counts the prime paths that start in the first path of the sequence and end at the last block of the sequence.
  void count_last(uint64_t count) {
    const Pushed &end = blocks_.back();
    if (end.last_before != kNowhere && end.last_before >= end.low_before && end.last_before < num_first_)
      add(end.last_before, count);
    // If a path contains all successors of its last block, it cannot be extended at its end.
    size_t most = std::min(num_first_, blocks_.size());
    for (int succ : graph_.succs(end.block))
      most = std::min(most, last(succ) == kNowhere ? 0 : last(succ));
    for (size_t first = low_; first < most; first++)
      if (begins_here(first))
        add(first, count);
  }

  // Returns true if the simple path from position `first` to the last block cannot be extended at its start.
  bool begins_here(size_t first) {
    const std::vector<int> &preds = graph_.preds(blocks_[first].block);
    if (preds.empty() && graph_.succs(blocks_[first].block).empty())
      return graph_.stands_alone(blocks_[first].block);
    return std::all_of(preds.begin(), preds.end(), [&](int pred) {
      return last(pred) != kNowhere && last(pred) >= first && last(pred) + 1 < blocks_.size();
    });
  }

  void add(size_t first, uint64_t count) {
    if (!count)
      return;
    PrimePath path;
    for (size_t i = first; i < blocks_.size(); i++)
      path.push_back(blocks_[i].block);
    uint64_t &sum = counts_[std::move(path)];
    saturating_add(sum, count);
  }

  const PrimeGraph &graph_;
  const std::function<Path(uint64_t)> &path_of_;
  std::unordered_map<uint64_t, DecodedPath> decoded_;
  std::vector<Pushed> blocks_;
  std::vector<size_t> last_;  // last position of each block, or kNowhere
  std::vector<size_t> marks_; // start of each path of the sequence in `blocks_`
  size_t num_first_ = 0;      // number of blocks of the first path
  size_t low_ = 0;
  std::unordered_map<PrimePath, uint64_t, HashBlocks> counts_;
};

} // namespace

PrimeCounts count_prime_paths(const PrimeGraph &graph, const Forest &slabs, uint32_t k,
                              const std::function<Path(uint64_t)> &path_of) {
  Counter counter(graph, path_of);
  walk_prefix_forest(slabs, k, counter);
  return counter.take();
}

} // namespace pathprof
