// SPDX-License-Identifier: GPL-3.0-or-later
// Computes MC/DC by walks through a decision diagram.
#include "core/analysis/mcdc.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/numbering/saturate.h"

namespace pathprof {

namespace {

using Values = std::vector<signed char>;

// Searches a decision diagram for walks.
class Walker {
public:
  explicit Walker(const DecisionGraph &graph) : graph_(graph) {}

  // Returns true if a walk from `place` to the outcome exists.  Conditions that already have a value in `values` keep
  // that value; `values` receives the values of the other conditions on the walk.
  bool reach(uint32_t place, bool outcome, Values &values) {
    seen_.assign(graph_.num_conditions(), 0);
    return search(place, outcome, values);
  }

  // Returns true if walks from the two positions can reach different outcomes although each condition that lies on both
  // walks has the same value on both.
  bool reach_both(uint32_t first, uint32_t second, Values &values) {
    failed_.clear();
    return search_both(first, second, values);
  }

  // Returns true if a walk from the first condition to `condition` exists.
  bool reach_condition(size_t condition, Values &values) {
    seen_.assign(graph_.num_conditions(), 0);
    return condition == 0 || search_condition(0, condition, values);
  }

private:
  // Performs a depth-first search with an explicit stack, because recursion would be too deep for decisions with
  // thousands of conditions.
  bool search(uint32_t from, bool outcome, Values &values) {
    std::vector<std::pair<uint32_t, int>> stack{{from, 0}}; // position and number of values tried
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

// Searches for possible vectors of a decision.  In a possible vector, coupled conditions have consistent values.
class PossibleVectors {
public:
  // `steps` is the maximum number of conditions to visit in all searches combined.
  PossibleVectors(const ExecutedDecision &decision, size_t steps)
      : graph_(decision.graph), couplings_(decision.couplings), steps_(steps), earlier_(graph_.num_conditions()) {
    std::map<uint32_t, std::vector<size_t>> groups;
    for (size_t i = 0; i < couplings_.size(); i++) {
      std::vector<size_t> &group = groups[couplings_[i].group];
      earlier_[i] = group;
      group.push_back(i);
    }
  }

  // Returns true if every search so far has run to completion.
  bool is_complete() const { return steps_ > 0; }

  // Returns true if coupled conditions have consistent values in the vector.
  bool has(const ConditionVector &vector) const {
    for (size_t i = 0; i < vector.values.size(); i++)
      if (vector.values[i] != kNotEvaluated && !agrees_with_coupled(vector.values, i, vector.values[i]))
        return false;
    return true;
  }

  // Calls `visit` for each possible vector in which the condition has the given value and the decision has the given
  // outcome, until `visit` returns false.  The values in `near` are tried first.  If `other` is not null, a vector must
  // not differ from `*other` in any condition except `condition`.
  void search(size_t condition, bool value, bool outcome, const Values &near, const Values *other,
              const std::function<bool(ConditionVector &&)> &visit) {
    Search search{condition, value, outcome, near, other, leads_to(condition), leads_to_outcome(outcome)};
    Values values(graph_.num_conditions(), kNotEvaluated);
    std::vector<Choice> stack;
    uint32_t place = kFirstCondition;
    for (;;) {
      if (place < kFirstCondition) {               // the required outcome
        steps_ -= std::min(steps_, values.size()); // accounts for the caller's work on the vector
        if (!visit(ConditionVector{values, outcome, 0}))
          return;
      } else {
        stack.push_back({place - kFirstCondition, 0});
      }
      if (!next_choice(search, stack, values, place))
        return;
    }
  }

private:
  struct Search {
    size_t condition;
    bool value, outcome;
    const Values &near;
    const Values *other;
    std::vector<char> leads_to_condition,
        leads_to_outcome; // nonzero for each condition that leads there
  };
  struct Choice {
    size_t condition;
    int tried;
  };

  // Backtracks to the last condition on the stack that has an untried value, and selects that value.  Returns false if
  // there is no such condition.
  bool next_choice(const Search &search, std::vector<Choice> &stack, Values &values, uint32_t &place) {
    while (!stack.empty()) {
      if (steps_ == 0)
        return false;
      steps_--;
      auto &[at, tried] = stack.back();
      values[at] = kNotEvaluated;
      if (tried == 2) {
        stack.pop_back();
        continue;
      }
      signed char first = search.near[at] == 0 ? 0 : 1;
      signed char value = tried++ == 0 ? first : static_cast<signed char>(!first);
      place = graph_.next[at][static_cast<size_t>(value)];
      if (!is_allowed(search, values, at, value) || !may_lead_on(search, at, place))
        continue;
      values[at] = value;
      return true;
    }
    return false;
  }

  bool is_allowed(const Search &search, const Values &values, size_t at, signed char value) const {
    if (at == search.condition ? value != static_cast<signed char>(search.value)
                               : search.other && (*search.other)[at] == !value)
      return false;
    return agrees_with_coupled(values, at, value);
  }

  // Returns true if the value is consistent with the values of earlier coupled conditions.
  bool agrees_with_coupled(const Values &values, size_t condition, signed char value) const {
    return std::none_of(earlier_[condition].begin(), earlier_[condition].end(), [&](size_t i) {
      bool is_opposite = couplings_[i].is_opposite != couplings_[condition].is_opposite;
      return values[i] != kNotEvaluated && (values[i] != value) != is_opposite;
    });
  }

  // Returns true if a walk that goes from condition `from` to `place` can still reach the required condition and then
  // the required outcome.
  static bool may_lead_on(const Search &search, size_t from, uint32_t place) {
    if (from < search.condition)
      return place >= kFirstCondition && search.leads_to_condition[place - kFirstCondition];
    return place < kFirstCondition ? (place == kOutcomeTrue) == search.outcome
                                   : search.leads_to_outcome[place - kFirstCondition];
  }

  // Returns, for each condition, 1 if a walk from it can reach `condition`, and 0 otherwise.
  std::vector<char> leads_to(size_t condition) const {
    std::vector<char> leads(graph_.num_conditions());
    leads[condition] = 1;
    for (size_t i = condition; i-- > 0;)
      for (uint32_t next : graph_.next[i])
        if (next >= kFirstCondition && leads[next - kFirstCondition])
          leads[i] = 1;
    return leads;
  }

  std::vector<char> leads_to_outcome(bool outcome) const {
    std::vector<char> leads(graph_.num_conditions());
    for (size_t i = leads.size(); i-- > 0;)
      for (uint32_t next : graph_.next[i])
        if (next < kFirstCondition ? (next == kOutcomeTrue) == outcome : leads[next - kFirstCondition])
          leads[i] = 1;
    return leads;
  }

  const DecisionGraph &graph_;
  const std::vector<Coupling> &couplings_;
  size_t steps_;
  std::vector<std::vector<size_t>> earlier_; // earlier coupled conditions of each condition
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
      saturating_add(sum, vector.count);
    }
    for (size_t condition = 0; condition < size_; condition++) {
      cover_condition(condition, coverage.conditions[condition]);
      for (size_t other = 0; other < size_ && !decision_.couplings.empty(); other++)
        if (other != condition && decision_.couplings[other].group == decision_.couplings[condition].group)
          coverage.conditions[condition].coupled.push_back(other);
    }
    return coverage;
  }

  // Returns true if the condition affects the outcome of the vector.
  bool has_effect(const ConditionVector &vector, size_t condition) {
    return vector.values[condition] != kNotEvaluated && changed(vector, condition);
  }

private:
  // Returns a vector with the opposite value of the condition and the opposite outcome, or nothing if the condition
  // does not affect the outcome.
  std::optional<ConditionVector> changed(const ConditionVector &vector, size_t condition) {
    ConditionVector other{Values(size_, kNotEvaluated), !vector.outcome, 0};
    Values values = vector.values;
    values[condition] = static_cast<signed char>(!vector.values[condition]);
    if (!walker_.reach(decision_.graph.next[condition][static_cast<size_t>(values[condition])], other.outcome, values))
      return std::nullopt;
    // Conditions that are not on the walk are not evaluated.
    for (uint32_t place = kFirstCondition; place >= kFirstCondition;) {
      size_t at = place - kFirstCondition;
      other.values[at] = values[at];
      place = decision_.graph.next[at][static_cast<size_t>(values[at])];
    }
    return other;
  }

  void cover_condition(size_t condition, ConditionCoverage &coverage) {
    // For each value of the condition and each outcome, the index of a vector in which the condition affects the
    // outcome.
    std::optional<size_t> shown[2][2];
    for (size_t i = 0; i < decision_.vectors.size(); i++) {
      const ConditionVector &vector = decision_.vectors[i];
      signed char value = vector.values[condition];
      if (value == kNotEvaluated)
        continue;
      uint64_t &sum = coverage.executed[value];
      saturating_add(sum, vector.count);
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
    if (!decision_.couplings.empty() && !coverage.unique_cause)
      coverage.by_unique_cause = can_be_unique_cause(condition);
  }

  using Shown = std::optional<size_t>[2][2];
  using Vectors = std::vector<ConditionVector>;

  // Finds possible vectors that would form an independence pair with an executed vector.  If there are none, finds
  // independence pairs of possible vectors.  If the vectors that find_nearest returns are possible despite the
  // couplings, they come first in the result.
  void find_missing(size_t condition, const Shown &shown, ConditionCoverage &coverage) {
    std::vector<Vectors> found;
    Vectors nearest = find_nearest(condition, shown);
    PossibleVectors possible(decision_, steps());
    bool are_possible = std::all_of(nearest.begin(), nearest.end(), [&](const auto &one) { return possible.has(one); });
    if (!nearest.empty() && are_possible)
      found.push_back(nearest);
    const Values near = nearest.empty() ? Values(size_, kNotEvaluated) : nearest.front().values;
    if (found.empty() || found.front().size() == 1)
      add_single(condition, shown, near, possible, found);
    if (found.empty() || found.front().size() == 2)
      add_pairs(condition, near, possible, found);
    if (found.empty()) {
      coverage.by_masking = possible.is_complete() ? Showable::No : Showable::Unknown;
      return;
    }
    coverage.missing = std::move(found.front());
    coverage.alternatives.assign(std::make_move_iterator(found.begin() + 1), std::make_move_iterator(found.end()));
  }

  // Returns the maximum number of search steps.  It is higher for decisions with couplings, because their searches must
  // determine whether any vector is possible.
  size_t steps() const {
    return decision_.couplings.empty() ? 256 + 4 * size_ : (size_t{1} << 23) / std::max<size_t>(size_, 32);
  }

  static bool has_vectors(const std::vector<Vectors> &found, const Vectors &vectors) {
    auto is_same = [](const ConditionVector &a, const ConditionVector &b) { return a.values == b.values; };
    return std::any_of(found.begin(), found.end(), [&](const Vectors &known) {
      return std::equal(known.begin(), known.end(), vectors.begin(), vectors.end(), is_same);
    });
  }

  static bool is_enough(const std::vector<Vectors> &found) { return found.size() > kMostAlternatives; }

  void add_single(size_t condition, const Shown &shown, const Values &near, PossibleVectors &possible,
                  std::vector<Vectors> &found) {
    for (size_t value = 0; value < 2; value++)
      for (size_t outcome = 0; outcome < 2; outcome++)
        if (shown[value][outcome] && !is_enough(found))
          possible.search(condition, !value, !outcome, near, nullptr, [&](ConditionVector &&vector) {
            if (has_effect(vector, condition) && !has_vectors(found, {vector}))
              found.push_back({std::move(vector)});
            return !is_enough(found);
          });
  }

  void add_pairs(size_t condition, const Values &near, PossibleVectors &possible, std::vector<Vectors> &found) {
    constexpr size_t kMostOfKind = 8;
    auto some = [&](bool value, bool outcome) {
      Vectors vectors;
      possible.search(condition, value, outcome, near, nullptr, [&](ConditionVector &&vector) {
        if (has_effect(vector, condition))
          vectors.push_back(std::move(vector));
        return vectors.size() < kMostOfKind;
      });
      return vectors;
    };
    for (bool outcome : {true, false}) {
      Vectors if_true = some(true, outcome), if_false = if_true.empty() ? Vectors() : some(false, !outcome);
      for (bool is_unique_wanted : {true, false}) // pairs that also show unique cause come first
        for (const ConditionVector &a : if_true)
          for (const ConditionVector &b : if_false)
            if (!is_enough(found) && differ_only_in(condition, a, b) == is_unique_wanted && !has_vectors(found, {a, b}))
              found.push_back({a, b});
    }
  }

  // Returns a vector that forms an independence pair with an executed vector or, if there is none, an independence pair
  // of unexecuted vectors.  Ignores couplings.
  Vectors find_nearest(size_t condition, const Shown &shown) {
    for (const auto &by_outcome : shown)
      for (const std::optional<size_t> &known : by_outcome)
        if (known)
          return {*changed(decision_.vectors[*known], condition)};
    Values values(size_, kNotEvaluated);
    const std::array<uint32_t, 2> &next = decision_.graph.next[condition];
    if (!walker_.reach_condition(condition, values) || !walker_.reach_both(next[1], next[0], values))
      return {};
    Vectors vectors;
    for (signed char value : {1, 0}) {
      values[condition] = value;
      vectors.push_back(follow(values));
    }
    return vectors;
  }

  // Determines whether some pair of possible vectors shows that the condition is the unique cause of the outcome.
  Showable can_be_unique_cause(size_t condition) {
    const Values near(size_, kNotEvaluated);
    PossibleVectors possible(decision_, steps());
    bool is_found = false;
    for (bool outcome : {true, false})
      if (!is_found)
        possible.search(condition, true, outcome, near, nullptr, [&](ConditionVector &&vector) {
          possible.search(condition, false, !outcome, vector.values, &vector.values, [&](ConditionVector &&other) {
            is_found = differ_only_in(condition, vector, other);
            return !is_found;
          });
          return !is_found;
        });
    return is_found ? Showable::Yes : possible.is_complete() ? Showable::No : Showable::Unknown;
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

  // Returns a unique-cause pair of executed vectors, or nothing.  Because the vectors are sorted by their values,
  // vectors that agree in all conditions before `condition` are adjacent.
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
    for (size_t i = 0; i < size_; i++)
      if (i != condition && a.values[i] != b.values[i] && a.values[i] != kNotEvaluated && b.values[i] != kNotEvaluated)
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
