// SPDX-License-Identifier: GPL-3.0-or-later
// Duplicates join blocks on hot paths. A copy does not change the behaviour of the program. GCC's later passes prove
// again that the branch in the copy can be folded; the proof here only shows that copying is profitable.
#include "plugin/rebuild/thread.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "plugin/gcc/copying.h"
#include "plugin/gcc/fold.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

// The following limits were chosen based on the experiments in doc/rebuild.md.
static constexpr int kBudget = 80;           // maximum total size of the copies in a function
static constexpr size_t kMostPaths = 400;    // number of hottest paths to examine
static constexpr size_t kMostQueries = 4000; // maximum number of ranger queries per function
static constexpr size_t kLongestWay = 14;    // maximum number of blocks from a join to the branch

namespace {

// The blocks of a path that can be threaded: the predecessor of the join, the join, and the following blocks up to the
// branch.
using ThreadPath = std::vector<int>;

// An occurrence of a ThreadPath on an executed path. `join` and `branch` are indices into the blocks of the path.
struct Place {
  size_t path;
  size_t join;
  size_t branch;
};

class Threading {
public:
  Threading(CopiedCfg &cfg, uint64_t hot) : cfg_(cfg), hot_(hot) {}
  void run();

private:
  void find_thread_paths();
  void find_thread_paths(size_t path);
  bool is_decided(const ThreadPath &thread_path);
  void copy(const Place &place);
  bool destination_may_be_copied(edge e) const;

  CopiedCfg &cfg_;
  uint64_t hot_;
  std::unique_ptr<FoldQuery> query_;
  std::map<ThreadPath, bool> decided_;
  std::map<ThreadPath, std::vector<Place>> places_;
  std::set<basic_block> folded_; // branches that are already decided
  int spent_ = 0;
};

void Threading::find_thread_paths() {
  mark_dfs_back_edges();
  calculate_dominance_info(CDI_DOMINATORS);
  query_ = std::make_unique<FoldQuery>();
  for (size_t path = 0; path < std::min(cfg_.paths().size(), kMostPaths); path++)
    if (cfg_.paths()[path].count >= hot_)
      find_thread_paths(path);
  query_.reset(); // before the CFG changes
}

// For each branch on an executed path, finds the shortest part of the path that leads to the branch and decides its
// outcome. This part does not contain a truncation point.
void Threading::find_thread_paths(size_t index) {
  const Path &path = cfg_.paths()[index].path;
  const FlowGraph &graph = cfg_.graph();
  std::vector<int> blocks = {path.blocks.front()};
  size_t first = 0; // first block after the last truncation point
  for (size_t i = 0; i <= path.edges.size(); i++) {
    basic_block branch = cfg_.block(blocks[i]);
    if (blocks[i] != kEntryBlock && ends_in_decision(branch))
      for (size_t join = i; join > first && i - join < kLongestWay; join--) {
        if (blocks[join - 1] == kEntryBlock || single_pred_p(cfg_.block(blocks[join])))
          continue;
        ThreadPath thread_path(blocks.begin() + static_cast<ptrdiff_t>(join) - 1,
                               blocks.begin() + static_cast<ptrdiff_t>(i) + 1);
        if (!is_decided(thread_path))
          continue;
        places_[thread_path].push_back({index, join, i});
        break;
      }
    if (i == path.edges.size())
      break;
    const Edge &edge = graph.edge(path.edges[i]);
    if (edge.is_cut() || edge.src != blocks[i])
      first = i + 1;
    blocks.push_back(edge.dst);
  }
}

bool Threading::is_decided(const ThreadPath &thread_path) {
  auto [at, is_new] = decided_.emplace(thread_path, false);
  if (!is_new || decided_.size() > kMostQueries)
    return at->second;
  std::vector<basic_block> blocks;
  for (int number : thread_path)
    blocks.push_back(cfg_.block(number));
  at->second = query_->decided(blocks) != nullptr;
  return at->second;
}

// Returns true if the edge's destination may be copied. After the copy, each loop must still have a single header and a
// single latch.
bool Threading::destination_may_be_copied(edge e) const {
  basic_block bb = e->dest;
  if (!cfg_.may_be_copied(bb) || (e->flags & EDGE_COMPLEX) || (bb->flags & BB_IRREDUCIBLE_LOOP) ||
      bb->loop_father->header == bb || bb->loop_father->latch == bb || !can_be_copied(bb))
    return false;
  edge out;
  edge_iterator ei;
  FOR_EACH_EDGE(out, ei, bb->succs)
    if (out->flags & (EDGE_DFS_BACK | EDGE_ABNORMAL))
      return false;
  return true;
}

// Copies the blocks from a join to the branch. Once a block is copied, all following blocks up to the branch are
// copied.
void Threading::copy(const Place &place) {
  const Path &path = cfg_.paths()[place.path].path;
  edge into = cfg_.walk(path)[place.join - 1];
  int cost = 0;
  edge e = into;
  for (size_t i = place.join;; i++) {
    if (cost > 0 || !single_pred_p(e->dest)) {
      if (!destination_may_be_copied(e))
        return;
      cost += std::max(size_of(e->dest), 1);
    }
    if (i == place.branch)
      break;
    e = cfg_.out_edge(e->dest, path.edges[i]);
  }
  if (folded_.count(e->dest) || spent_ + cost > kBudget)
    return;
  spent_ += cost;
  e = into;
  for (size_t i = place.join;; i++) {
    basic_block bb = single_pred_p(e->dest) ? e->dest : cfg_.copy(e);
    if (i == place.branch) {
      folded_.insert(bb);
      return;
    }
    e = cfg_.out_edge(bb, path.edges[i]);
  }
}

void Threading::run() {
  find_thread_paths();
  std::vector<std::pair<uint64_t, const std::vector<Place> *>> hottest_first;
  for (const auto &[thread_path, places] : places_) {
    uint64_t flow = 0;
    for (const Place &place : places)
      flow += cfg_.paths()[place.path].count;
    hottest_first.push_back({flow, &places});
  }
  std::stable_sort(hottest_first.begin(), hottest_first.end(),
                   [](const auto &a, const auto &b) { return a.first > b.first; });
  for (const auto &[flow, places] : hottest_first)
    for (const Place &place : *places)
      copy(place);
}

} // namespace

void thread_paths(CopiedCfg &cfg, uint64_t hot) {
  Threading(cfg, hot).run();
}

} // namespace pathprof
