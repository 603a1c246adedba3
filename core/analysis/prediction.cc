// SPDX-License-Identifier: GPL-3.0-or-later
// Computes mispredictions with edge counts, path counts and pairs of paths.
#include "core/analysis/prediction.h"

#include <algorithm>

namespace pathprof {

void Mispredictions::add(const Mispredictions &other) {
  executions += other.executions;
  by_edges += other.by_edges;
  by_paths += other.by_paths;
  by_pairs += other.by_pairs;
}

BranchPredictor::BranchPredictor(const FlowGraph &graph)
    : graph_(graph), is_branch_(static_cast<size_t>(graph.num_blocks()), 0) {
  for (int block = 0; block < graph.num_blocks(); block++) {
    const std::vector<int> &succs = graph.succs(block);
    is_branch_[static_cast<size_t>(block)] = std::count_if(succs.begin(), succs.end(), [&](int e) {
                                               return !(graph.edge(e).flags & (kEh | kAbnormal));
                                             }) > 1;
  }
}

uint32_t BranchPredictor::Contexts::next(uint32_t context, uint64_t edge) {
  return numbers_.try_emplace({context, edge}, static_cast<uint32_t>(numbers_.size() + 1)).first->second;
}

int BranchPredictor::block_of(int outcome) const {
  return outcome < graph_.num_edges() ? graph_.edge(outcome).src : outcome - graph_.num_edges();
}

// If several cut edges leave the block at which a path ends, the edge that control took is unknown.  All cut edges of a
// block are therefore treated as one outcome, even on k-iteration paths, which continue through cut edges.
int BranchPredictor::outcome_over(int edge) const {
  const Edge &over = graph_.edge(edge);
  return over.is_cut() ? graph_.num_edges() + over.src : edge;
}

// Calls visit(outcome, is_context) for each outcome of a branch on the path.
template <typename Visit>
void BranchPredictor::for_decisions(const Path &path, Visit visit) const {
  for (size_t i = 0; i < path.edges.size(); i++)
    if (is_branch(graph_.edge(path.edges[i]).src))
      visit(outcome_over(path.edges[i]), i < path.context_edges);
  bool is_cut = path.end == PathEnd::BackEdge || path.end == PathEnd::Cut;
  if (is_cut && !path.ends_in_loop_visit() && is_branch(path.blocks.back()))
    visit(graph_.num_edges() + path.blocks.back(), false);
}

uint64_t BranchPredictor::num_executions(const Path &path) const {
  uint64_t number = 0;
  if (!path.blocks.empty())
    for_decisions(path, [&](int, bool is_context) { number += !is_context; });
  return number;
}

void BranchPredictor::add_to(Contexts &contexts, uint32_t start, const Path &path, uint64_t count) {
  uint32_t context = contexts.next(start, static_cast<uint64_t>(path.blocks.front()));
  for_decisions(path, [&](int outcome, bool is_context) {
    if (!is_context)
      contexts.outcomes[{context, block_of(outcome)}][outcome] += count;
    context = contexts.next(context, static_cast<uint64_t>(outcome));
  });
}

void BranchPredictor::add(const Path &path, uint64_t count) {
  if (path.blocks.empty())
    return;
  add_to(by_paths_, 0, path, count);
  std::vector<int> taken;
  size_t num_context = 0;
  for_decisions(path, [&](int outcome, bool is_context) {
    taken.push_back(outcome);
    num_context += is_context;
    if (!is_context)
      by_edges_[block_of(outcome)][outcome] += count;
  });
  decisions_.emplace_back(std::move(taken), count);
  num_context_.push_back(num_context);
}

void BranchPredictor::add_behind(const Path &path, std::optional<uint64_t> before, uint64_t count) {
  if (path.blocks.empty())
    return;
  has_pairs_ = true;
  add_to(by_pairs_, by_pairs_.next(0, before ? *before + 1 : 0), path, count);
}

BranchPredictor::MostFrequent BranchPredictor::most_frequent(const Outcomes &outcomes) {
  MostFrequent most = {outcomes.begin()->first, 0, 0};
  for (auto [outcome, count] : outcomes) {
    most.all += count;
    if (count > most.count)
      most = {outcome, count, most.all};
  }
  return most;
}

// Returns the number of mispredictions if the most frequent outcome is always predicted.
static uint64_t missed(const BranchPredictor::Outcomes &outcomes) {
  if (outcomes.empty())
    return 0;
  BranchPredictor::MostFrequent most = BranchPredictor::most_frequent(outcomes);
  return most.all - most.count;
}

void BranchPredictor::add_missed(const Contexts &contexts, uint64_t Mispredictions::*by,
                                 std::map<int, Mispredictions> &sums) const {
  for (const auto &[where, outcomes] : contexts.outcomes)
    sums[where.second].*by += missed(outcomes);
}

std::map<int, Mispredictions> BranchPredictor::branches() const {
  std::map<int, Mispredictions> sums;
  for (const auto &[block, outcomes] : by_edges_) {
    Mispredictions &sum = sums[block];
    for (auto [outcome, count] : outcomes)
      sum.executions += count;
    sum.by_edges = missed(outcomes);
  }
  add_missed(by_paths_, &Mispredictions::by_paths, sums);
  add_missed(has_pairs_ ? by_pairs_ : by_paths_, &Mispredictions::by_pairs, sums);
  return sums;
}

std::map<int, std::map<int, BranchPredictor::Outcomes>> BranchPredictor::together_with(int branch) const {
  std::map<int, std::map<int, Outcomes>> together;
  for (size_t path = 0; path < decisions_.size(); path++) {
    const auto &[taken, count] = decisions_[path];
    std::map<int, int> last; // last outcome by block
    for (size_t i = 0; i < taken.size(); i++) {
      int block = block_of(taken[i]);
      if (block == branch && i >= num_context_[path])
        for (auto [earlier, outcome] : last)
          together[earlier][outcome][taken[i]] += count;
      last[block] = taken[i];
    }
  }
  // In all other executions of `branch`, the path did not contain the earlier branch.
  auto all = by_edges_.find(branch);
  for (auto &[earlier, by_outcome] : together) {
    Outcomes rest = all->second;
    for (const auto &[earlier_outcome, outcomes] : by_outcome)
      for (auto [outcome, count] : outcomes)
        if ((rest[outcome] -= count) == 0)
          rest.erase(outcome);
    if (!rest.empty())
      by_outcome[kNotPassed] = std::move(rest);
  }
  return together;
}

std::optional<BranchPredictor::Decision> BranchPredictor::decided_by(int branch) const {
  std::optional<Decision> best;
  for (const auto &[earlier, by_outcome] : together_with(branch)) {
    uint64_t number = 0;
    for (const auto &[earlier_outcome, outcomes] : by_outcome)
      number += missed(outcomes);
    if (!best || number < best->missed)
      best = Decision{earlier, number};
  }
  return best;
}

std::map<int, BranchPredictor::Outcomes> BranchPredictor::outcomes_after(int earlier, int branch) const {
  std::map<int, std::map<int, Outcomes>> together = together_with(branch);
  return together[earlier];
}

} // namespace pathprof
