// SPDX-License-Identifier: GPL-3.0-or-later
// Determines condition vectors from executed paths.
#include "core/analysis/decisions.h"

#include <algorithm>

#include "core/numbering/saturate.h"

namespace pathprof {

namespace {

// The blocks inside a decision: the blocks of all conditions but the first, and the blocks from which control reaches
// these blocks without evaluating another condition.
class Inside {
public:
  Inside(const FlowGraph &graph, const std::vector<const ConditionBlock *> &blocks)
      : graph_(graph), is_condition_(static_cast<size_t>(graph.num_blocks())), is_inside_(is_condition_.size()) {
    uint32_t first = UINT32_MAX;
    for (const ConditionBlock *block : blocks) {
      is_condition_[block->block] = 1;
      first = std::min(first, block->index);
    }
    std::vector<int> waiting;
    for (const ConditionBlock *block : blocks)
      if (block->index != first)
        mark(static_cast<int>(block->block), waiting);
    while (!waiting.empty()) {
      int block = waiting.back();
      waiting.pop_back();
      for (int e : graph.preds(block))
        if (!is_condition_[static_cast<size_t>(graph.edge(e).src)])
          mark(graph.edge(e).src, waiting);
    }
  }

  bool has(int block) const { return is_inside_[static_cast<size_t>(block)]; }
  const std::vector<int> &blocks() const { return found_; }

private:
  void mark(int block, std::vector<int> &waiting) {
    if (is_inside_[static_cast<size_t>(block)])
      return;
    is_inside_[static_cast<size_t>(block)] = 1;
    found_.push_back(block);
    waiting.push_back(block);
  }

  const FlowGraph &graph_;
  std::vector<char> is_condition_, is_inside_;
  std::vector<int> found_;
};

using BlocksByDecision = std::vector<std::vector<const ConditionBlock *>>;

BlocksByDecision by_decision(const std::vector<ConditionBlock> &conditions) {
  BlocksByDecision blocks;
  for (const ConditionBlock &condition : conditions) {
    if (condition.decision >= blocks.size())
      blocks.resize(condition.decision + size_t{1});
    blocks[condition.decision].push_back(&condition);
  }
  return blocks;
}

// Returns true if the decision has several conditions.
bool is_compound(const std::vector<const ConditionBlock *> &blocks) {
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const ConditionBlock *block) { return block->index != blocks.front()->index; });
}

} // namespace

std::vector<char> edges_inside_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions) {
  std::vector<char> inside(static_cast<size_t>(graph.num_edges()));
  for (const std::vector<const ConditionBlock *> &blocks : by_decision(conditions)) {
    if (blocks.empty() || !is_compound(blocks))
      continue;
    Inside region(graph, blocks);
    for (int block : region.blocks())
      for (int e : graph.preds(block))
        inside[static_cast<size_t>(e)] = 1;
  }
  return inside;
}

std::vector<char> edges_spared_for_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions) {
  std::vector<char> spared = edges_inside_decisions(graph, conditions);
  for (char &edge : spared)
    edge = edge ? 2 : 0;
  for (const ConditionBlock &condition : conditions) {
    const std::vector<int> &succs = graph.succs(static_cast<int>(condition.block));
    auto cut = std::find_if(succs.begin(), succs.end(), [&](int e) { return graph.edge(e).is_cut(); });
    for (size_t i = 0; i < succs.size(); i++)
      if (cut != succs.end() ? succs[i] != *cut : i > 0)
        spared[static_cast<size_t>(succs[i])] = std::max(spared[static_cast<size_t>(succs[i])], char{1});
  }
  return spared;
}

bool is_only_condition(const std::vector<ConditionBlock> &conditions, int block) {
  auto at = std::find_if(conditions.begin(), conditions.end(),
                         [&](const ConditionBlock &one) { return static_cast<int>(one.block) == block; });
  return at != conditions.end() && std::none_of(conditions.begin(), conditions.end(), [&](const ConditionBlock &other) {
           return other.decision == at->decision && other.index != at->index;
         });
}

DecisionVectors::DecisionVectors(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions,
                                 std::vector<char> is_turned)
    : graph_(graph), is_turned_(std::move(is_turned)), places_(static_cast<size_t>(graph.num_blocks())) {
  for (const std::vector<const ConditionBlock *> &blocks : by_decision(conditions))
    add_decision(graph, blocks);
  open_.resize(decisions_.size());
  counts_.resize(decisions_.size());
}

// Adds a decision, and renumbers its conditions so that their numbers have no gaps.
void DecisionVectors::add_decision(const FlowGraph &graph, const std::vector<const ConditionBlock *> &blocks) {
  std::map<uint32_t, uint32_t> numbers;
  for (const ConditionBlock *block : blocks)
    numbers.emplace(block->index, 0);
  uint32_t number = 0;
  for (auto &[index, own] : numbers)
    own = number++;
  ExecutedDecision decision;
  decision.graph.next.resize(numbers.size());
  decision.blocks.resize(numbers.size());
  for (const ConditionBlock *block : blocks) {
    number = numbers.at(block->index);
    decision.blocks[number].push_back(static_cast<int>(block->block));
    places_[block->block] = {static_cast<int>(decisions_.size()), number};
    if (block->is_merged)
      decision.unmeasured = Unmeasured::Merged;
    for (size_t value = 0; value < 2; value++) {
      uint32_t next = block->next[value];
      auto follower = next < kFirstCondition ? numbers.end() : numbers.find(next - kFirstCondition);
      bool is_later = follower != numbers.end() && follower->second > number;
      if (!block->is_known || (next >= kFirstCondition && !is_later))
        decision.unmeasured = Unmeasured::Unknown;
      else
        decision.graph.next[number][(value == 1) != is_turned(block->block)] =
            is_later ? kFirstCondition + follower->second : next;
    }
  }
  if (decision.unmeasured == Unmeasured::No && numbers.size() == 1)
    decision.graph.next.front() = {kOutcomeFalse, kOutcomeTrue};
  if (decision.unmeasured == Unmeasured::No && is_compound(blocks)) {
    Inside region(graph, blocks);
    for (int block : region.blocks())
      if (graph.has_pred_with(block, kCutMask))
        decision.unmeasured = Unmeasured::Cut;
  }
  decision.couplings = couplings_of(blocks, numbers);
  decisions_.push_back(std::move(decision));
}

// Returns the coupling of each condition in a decision.  Each coupling is read from the condition's last block, because
// all blocks of a condition have the same coupling.
std::vector<Coupling> DecisionVectors::couplings_of(const std::vector<const ConditionBlock *> &blocks,
                                                    const std::map<uint32_t, uint32_t> &numbers) const {
  std::map<uint32_t, const ConditionBlock *> by_index;
  for (const ConditionBlock *block : blocks)
    by_index[block->index] = block;
  std::vector<Coupling> couplings;
  bool is_any = false;
  for (const auto &[index, block] : by_index) {
    Coupling own{static_cast<uint32_t>(couplings.size()), false};
    auto earlier = block->coupled_back ? numbers.find(index - block->coupled_back) : numbers.end();
    if (earlier != numbers.end() && earlier->second < own.group) {
      const ConditionBlock *other = by_index.at(earlier->first);
      bool is_opposite = block->is_opposite ^ is_turned(block->block) ^ is_turned(other->block);
      const Coupling &known = couplings[earlier->second];
      own = {known.group, is_opposite != known.is_opposite};
      is_any = true;
    }
    couplings.push_back(own);
  }
  return is_any ? couplings : std::vector<Coupling>();
}

// Records that a path contains `edge`.  An edge that leaves a condition determines the value of that condition.
void DecisionVectors::pass(int edge, uint64_t count) {
  const Edge &flow = graph_.edge(edge);
  Place at = places_[static_cast<size_t>(flow.src)];
  if (at.decision < 0)
    return;
  auto number = static_cast<size_t>(at.decision);
  ExecutedDecision &decision = decisions_[number];
  if (decision.unmeasured != Unmeasured::No)
    return;
  Open &open = open_[number];
  if (at.condition == 0) {
    open.values.assign(decision.graph.num_conditions(), kNotEvaluated);
    touched_.push_back(at.decision);
  } else if (open.next != kFirstCondition + at.condition) {
    decision.unmeasured = Unmeasured::Cut;
    return;
  }
  bool value = static_cast<bool>(flow.flags & kTrue) != is_turned(static_cast<uint32_t>(flow.src));
  open.values[at.condition] = value;
  open.next = decision.graph.next[at.condition][value];
  if (open.next >= kFirstCondition || count == 0)
    return;
  uint64_t &sum = counts_[number][{open.values, open.next == kOutcomeTrue}];
  saturating_add(sum, count);
}

// Returns the cut edge at which the path ends, or -1 if there is no such edge or if several cut edges are possible.  If
// several are possible, also marks the decision of the path's last block as unmeasured.
int DecisionVectors::last_edge(const Path &path) {
  if ((path.end != PathEnd::BackEdge && path.end != PathEnd::Cut) || path.blocks.empty() || path.ends_in_loop_visit())
    return -1;
  int block = path.blocks.back();
  std::vector<int> cut = cut_succs(graph_, block);
  Place at = places_[static_cast<size_t>(block)];
  if (cut.size() > 1 && at.decision >= 0 && decisions_[static_cast<size_t>(at.decision)].unmeasured == Unmeasured::No)
    decisions_[static_cast<size_t>(at.decision)].unmeasured = Unmeasured::Cut;
  return cut.size() == 1 ? cut.front() : -1;
}

void DecisionVectors::add(const Path &path, uint64_t count) {
  for (size_t i = 0; i < path.edges.size(); i++)
    pass(path.edges[i], i < path.context_edges ? 0 : count);
  int last = last_edge(path);
  if (last >= 0)
    pass(last, count);
  for (int decision : touched_)
    open_[static_cast<size_t>(decision)].next = kOutcomeFalse;
  touched_.clear();
}

std::vector<ExecutedDecision> DecisionVectors::take() {
  for (size_t i = 0; i < decisions_.size(); i++)
    if (decisions_[i].unmeasured == Unmeasured::No)
      for (const auto &[vector, count] : counts_[i])
        decisions_[i].vectors.push_back({vector.first, vector.second, count});
  return std::move(decisions_);
}

} // namespace pathprof
