// SPDX-License-Identifier: GPL-3.0-or-later
// MC/DC by walks over a decision's diagram.
#include "core/analysis/mcdc.h"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "core/numbering/saturate.h"

namespace pathprof {

namespace {

using Values = std::vector<signed char>;

// A walk from a place of the diagram to an outcome.
class Walker {
public:
  explicit Walker(const DecisionGraph &graph) : graph_(graph) {}

  // Whether control can come from `place` to the outcome where conditions that have a value keep it; `values` has those
  // of the conditions on the way then.
  bool reach(uint32_t place, bool outcome, Values &values) {
    seen_.assign(graph_.num_conditions(), 0);
    return search(place, outcome, values);
  }

  // Likewise from two places to different outcomes; conditions on both ways have one value.
  bool reach_both(uint32_t first, uint32_t second, Values &values) {
    failed_.clear();
    return search_both(first, second, values);
  }

  // Whether control can come from the first condition to this one.
  bool reach_condition(size_t condition, Values &values) {
    seen_.assign(graph_.num_conditions(), 0);
    return condition == 0 || search_condition(0, condition, values);
  }

private:
  // Depth first with a stack of its own: decisions of thousands of conditions are deep.
  bool search(uint32_t from, bool outcome, Values &values) {
    std::vector<std::pair<uint32_t, int>> stack{{from, 0}}; // place, values tried
    std::vector<char> had(graph_.num_conditions());
    while (!stack.empty()) {
      auto &[place, tried] = stack.back();
      if (place < kFirstCondition) {
        if (place == (outcome ? kOutcomeTrue : kOutcomeFalse))
          return true;
        stack.pop_back();
        continue;
      }
      size_t condition = place - kFirstCondition;
      if (tried == 0) {
        if (seen_[condition]) {
          stack.pop_back();
          continue;
        }
        seen_[condition] = 1;
        had[condition] = values[condition] != kNotEvaluated;
      }
      bool is_done = tried == (had[condition] ? 1 : 2);
      if (is_done) {
        if (!had[condition])
          values[condition] = kNotEvaluated;
        stack.pop_back();
        continue;
      }
      signed char value = had[condition] ? values[condition] : static_cast<signed char>(tried);
      tried++;
      values[condition] = value;
      stack.push_back({graph_.next[condition][static_cast<size_t>(value)], 0});
    }
    return false;
  }

  bool search_condition(size_t from, size_t wanted, Values &values) {
    if (from == wanted)
      return true;
    if (seen_[from])
      return false;
    seen_[from] = 1;
    for (signed char value : {1, 0}) {
      uint32_t next = graph_.next[from][static_cast<size_t>(value)];
      values[from] = value;
      if (next >= kFirstCondition && next - kFirstCondition <= wanted &&
          search_condition(next - kFirstCondition, wanted, values))
        return true;
    }
    values[from] = kNotEvaluated;
    return false;
  }

  bool search_both(uint32_t a, uint32_t b, Values &values) {
    if (a < kFirstCondition && b < kFirstCondition)
      return a != b;
    if (a == b || failed_.count({a, b}))
      return false;
    bool moves_a = a >= kFirstCondition && (b < kFirstCondition || a <= b);
    size_t condition = (moves_a ? a : b) - kFirstCondition;
    for (signed char value : {0, 1}) {
      uint32_t next = graph_.next[condition][static_cast<size_t>(value)];
      values[condition] = value;
      if (search_both(moves_a ? next : a, moves_a ? b : next, values))
        return true;
    }
    values[condition] = kNotEvaluated;
    failed_.insert({a, b});
    return false;
  }

  const DecisionGraph &graph_;
  std::vector<char> seen_;
  std::set<std::pair<uint32_t, uint32_t>> failed_;
};

class Covering {
public:
  explicit Covering(const ExecutedDecision &decision)
      : decision_(decision), walker_(decision.graph), size_(decision.graph.num_conditions()) {}

  DecisionCoverage run() {
    DecisionCoverage coverage;
    coverage.conditions.resize(size_);
    for (const ConditionVector &vector : decision_.vectors) {
      uint64_t &sum = coverage.outcomes[vector.outcome];
      sum = saturating_sum(sum, vector.count);
    }
    for (size_t condition = 0; condition < size_; condition++)
      cover_condition(condition, coverage.conditions[condition]);
    return coverage;
  }

  // Whether the condition affects the vector's outcome.
  bool has_effect(const ConditionVector &vector, size_t condition) {
    return vector.values[condition] != kNotEvaluated && changed(vector, condition);
  }

private:
  // What a vector would be with the condition's value changed, if the outcome changes with it.
  std::optional<ConditionVector> changed(const ConditionVector &vector, size_t condition) {
    ConditionVector other{Values(size_, kNotEvaluated), !vector.outcome, 0};
    Values values = vector.values;
    values[condition] = static_cast<signed char>(!vector.values[condition]);
    if (!walker_.reach(decision_.graph.next[condition][static_cast<size_t>(values[condition])], other.outcome, values))
      return std::nullopt;
    // Conditions that are not on the way are not evaluated.
    for (uint32_t place = kFirstCondition; place >= kFirstCondition;) {
      size_t at = place - kFirstCondition;
      other.values[at] = values[at];
      place = decision_.graph.next[at][static_cast<size_t>(values[at])];
    }
    return other;
  }

  void cover_condition(size_t condition, ConditionCoverage &coverage) {
    // By value and outcome, a vector in which the condition shows its effect.
    std::optional<size_t> shown[2][2];
    for (size_t i = 0; i < decision_.vectors.size(); i++) {
      const ConditionVector &vector = decision_.vectors[i];
      signed char value = vector.values[condition];
      if (value == kNotEvaluated)
        continue;
      uint64_t &sum = coverage.executed[value];
      sum = saturating_sum(sum, vector.count);
      std::optional<size_t> &known = shown[static_cast<size_t>(value)][vector.outcome];
      if (known || !changed(vector, condition))
        continue;
      known = i;
      coverage.shows_effect[value] = true;
    }
    for (size_t outcome = 0; outcome < 2 && !coverage.masking; outcome++)
      if (shown[1][outcome] && shown[0][!outcome])
        coverage.masking = VectorPair{*shown[1][outcome], *shown[0][!outcome]};
    if (coverage.masking)
      coverage.unique_cause = find_unique_cause(condition);
    else
      find_missing(condition, shown, coverage);
  }

  // The vector that goes with one that was executed, or else two.
  void find_missing(size_t condition, const std::optional<size_t> (&shown)[2][2], ConditionCoverage &coverage) {
    for (const auto &by_outcome : shown)
      for (const std::optional<size_t> &known : by_outcome)
        if (known) {
          coverage.missing.push_back(*changed(decision_.vectors[*known], condition));
          return;
        }
    Values values(size_, kNotEvaluated);
    const std::array<uint32_t, 2> &next = decision_.graph.next[condition];
    if (!walker_.reach_condition(condition, values) || !walker_.reach_both(next[1], next[0], values))
      return;
    for (signed char value : {1, 0}) {
      values[condition] = value;
      coverage.missing.push_back(follow(values));
    }
  }

  ConditionVector follow(const Values &values) const {
    ConditionVector vector{Values(size_, kNotEvaluated), false, 0};
    uint32_t place = kFirstCondition;
    while (place >= kFirstCondition) {
      size_t at = place - kFirstCondition;
      vector.values[at] = values[at];
      place = decision_.graph.next[at][static_cast<size_t>(values[at])];
    }
    vector.outcome = place == kOutcomeTrue;
    return vector;
  }

  // Vectors that came to the condition alike are neighbours in their order, which is that of their values.
  std::optional<VectorPair> find_unique_cause(size_t condition) const {
    const std::vector<ConditionVector> &vectors = decision_.vectors;
    auto is_alike = [&](size_t a, size_t b) {
      return std::equal(vectors[a].values.begin(), vectors[a].values.begin() + static_cast<ptrdiff_t>(condition),
                        vectors[b].values.begin());
    };
    for (size_t begin = 0, end; begin < vectors.size(); begin = end) {
      for (end = begin + 1; end < vectors.size() && is_alike(begin, end);)
        end++;
      for (size_t a = begin; a < end; a++)
        for (size_t b = begin; b < end; b++)
          if (vectors[a].values[condition] == 1 && vectors[b].values[condition] == 0 &&
              differ_only_in(condition, vectors[a], vectors[b]))
            return VectorPair{a, b};
    }
    return std::nullopt;
  }

  bool differ_only_in(size_t condition, const ConditionVector &a, const ConditionVector &b) const {
    if (a.outcome == b.outcome)
      return false;
    for (size_t i = condition + 1; i < size_; i++)
      if (a.values[i] != b.values[i] && a.values[i] != kNotEvaluated && b.values[i] != kNotEvaluated)
        return false;
    return true;
  }

  const ExecutedDecision &decision_;
  Walker walker_;
  size_t size_;
};

} // namespace

DecisionCoverage cover(const ExecutedDecision &decision) {
  return Covering(decision).run();
}

std::vector<char> effects_in(const DecisionGraph &graph, const ConditionVector &vector) {
  ExecutedDecision decision;
  decision.graph = graph;
  Covering covering(decision);
  std::vector<char> effects(graph.num_conditions());
  for (size_t condition = 0; condition < effects.size(); condition++)
    effects[condition] = covering.has_effect(vector, condition);
  return effects;
}

} // namespace pathprof
