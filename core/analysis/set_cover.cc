// SPDX-License-Identifier: GPL-3.0-or-later
// Computes set covers by reduction, greedy selection, bounds, and branch and bound.
#include "core/analysis/set_cover.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace pathprof {

namespace {

using Lists = std::vector<std::vector<uint32_t>>;

// Returns, for each element, the sets that contain it, in increasing order.
Lists transpose(const Lists &sets, size_t num_elements) {
  Lists lists(num_elements);
  std::vector<uint32_t> sizes(num_elements, 0);
  for (const std::vector<uint32_t> &set : sets)
    for (uint32_t element : set)
      sizes[element]++;
  for (size_t element = 0; element < num_elements; element++)
    lists[element].reserve(sizes[element]);
  for (size_t set = 0; set < sets.size(); set++)
    for (uint32_t element : sets[set])
      lists[element].push_back(static_cast<uint32_t>(set));
  return lists;
}

// Repeatedly selects the best set according to `better`.  Because gains never increase, the gain of a set is recomputed
// only when the set reaches the front of the queue (Minoux, 1978).
template <typename Better, typename Take>
void choose_greedily(const Lists &sets, std::vector<char> &covered, Better better, Take take) {
  std::vector<size_t> gain(sets.size());
  auto is_after = [&](size_t a, size_t b) {
    if (better(a, gain[a], b, gain[b]))
      return false;
    return better(b, gain[b], a, gain[a]) || a > b;
  };
  auto count = [&](size_t set) {
    return static_cast<size_t>(
        std::count_if(sets[set].begin(), sets[set].end(), [&](uint32_t element) { return !covered[element]; }));
  };
  std::vector<size_t> order;
  for (size_t set = 0; set < sets.size(); set++)
    if ((gain[set] = count(set)) > 0)
      order.push_back(set);
  std::make_heap(order.begin(), order.end(), is_after);
  while (!order.empty()) {
    std::pop_heap(order.begin(), order.end(), is_after);
    size_t set = order.back();
    order.pop_back();
    size_t now = count(set);
    if (now == gain[set]) {
      if (take(set, now))
        for (uint32_t element : sets[set])
          covered[element] = 1;
    } else if ((gain[set] = now) > 0) {
      order.push_back(set);
      std::push_heap(order.begin(), order.end(), is_after);
    }
  }
}

bool is_larger(size_t, size_t gain, size_t, size_t other) {
  return gain > other;
}

// The part of a set system that remains after the reduction.
struct Rest {
  Lists sets;                 // elements of each set, renumbered
  Lists lists;                // sets of each element
  std::vector<size_t> origin; // index of each set in the original system
};

// Selects the sets that every cover must contain, and merges elements that belong to the same sets.
class Reduction {
public:
  explicit Reduction(const SetSystem &system) : system_(system), lists_(transpose(system.sets, system.num_elements)) {}

  // Appends to `chosen` each set that is the only one to contain some element, and returns the rest of the system.
  Rest run(std::vector<size_t> &chosen) {
    std::vector<char> is_chosen(system_.sets.size(), 0), covered(system_.num_elements, 0);
    for (const std::vector<uint32_t> &list : lists_)
      if (list.size() == 1)
        is_chosen[list.front()] = 1;
    for (size_t set = 0; set < is_chosen.size(); set++)
      if (is_chosen[set]) {
        chosen.push_back(set);
        for (uint32_t element : system_.sets[set])
          covered[element] = 1;
      }
    return rest_of(covered);
  }

private:
  Rest rest_of(const std::vector<char> &covered) {
    std::vector<uint32_t> left;
    for (uint32_t element = 0; element < lists_.size(); element++)
      if (!covered[element] && !lists_[element].empty())
        left.push_back(element);
    std::sort(left.begin(), left.end(), [&](uint32_t a, uint32_t b) { return lists_[a] < lists_[b]; });
    left.erase(std::unique(left.begin(), left.end(), [&](uint32_t a, uint32_t b) { return lists_[a] == lists_[b]; }),
               left.end());
    Rest rest;
    std::vector<size_t> place(system_.sets.size(), SIZE_MAX);
    for (uint32_t element : left) {
      rest.lists.emplace_back();
      for (uint32_t set : lists_[element]) {
        if (place[set] == SIZE_MAX) {
          place[set] = rest.origin.size();
          rest.origin.push_back(set);
        }
        rest.lists.back().push_back(static_cast<uint32_t>(place[set]));
      }
    }
    return in_order(std::move(rest));
  }

  // Restores the order of the sets in the original system, so that the first of several equally good sets is selected.
  static Rest in_order(Rest rest) {
    std::vector<uint32_t> by_origin(rest.origin.size()), rank(rest.origin.size());
    std::iota(by_origin.begin(), by_origin.end(), 0u);
    std::sort(by_origin.begin(), by_origin.end(),
              [&](uint32_t a, uint32_t b) { return rest.origin[a] < rest.origin[b]; });
    for (uint32_t i = 0; i < by_origin.size(); i++)
      rank[by_origin[i]] = i;
    std::sort(rest.origin.begin(), rest.origin.end());
    for (std::vector<uint32_t> &list : rest.lists) {
      for (uint32_t &set : list)
        set = rank[set];
      std::sort(list.begin(), list.end());
    }
    rest.sets = transpose(rest.lists, rest.origin.size());
    return rest;
  }

  const SetSystem &system_;
  Lists lists_;
};

// Selection of sets from the rest.

// Removes redundant sets, starting with the sets that were selected last.
std::vector<size_t> without_unnecessary(const Lists &sets, std::vector<size_t> chosen, size_t num_elements) {
  std::vector<uint32_t> times(num_elements, 0);
  for (size_t set : chosen)
    for (uint32_t element : sets[set])
      times[element]++;
  std::vector<size_t> kept;
  for (auto at = chosen.rbegin(); at != chosen.rend(); ++at) {
    const std::vector<uint32_t> &set = sets[*at];
    if (std::all_of(set.begin(), set.end(), [&](uint32_t element) { return times[element] > 1; }))
      for (uint32_t element : set)
        times[element]--;
    else
      kept.push_back(*at);
  }
  return kept;
}

// Selects sets greedily.  If a selected set newly covers n elements, assigns 1/n to `prices[e]` for each such element
// e.
std::vector<size_t> choose_from(const Rest &rest, std::vector<double> &prices) {
  std::vector<size_t> chosen;
  std::vector<char> covered(rest.lists.size(), 0);
  prices.assign(rest.lists.size(), 0);
  choose_greedily(rest.sets, covered, is_larger, [&](size_t set, size_t gain) {
    chosen.push_back(set);
    for (uint32_t element : rest.sets[set])
      if (!covered[element])
        prices[element] = 1 / static_cast<double>(gain);
    return true;
  });
  return without_unnecessary(rest.sets, std::move(chosen), rest.lists.size());
}

// Returns the elements in increasing order of the number of sets that contain them.
std::vector<uint32_t> rarest_first(const Lists &lists) {
  std::vector<uint32_t> order(lists.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return lists[a].size() < lists[b].size(); });
  return order;
}

// Returns a lower bound on the number of sets in a cover.  A feasible solution of the dual linear program assigns a
// value to each element such that the values in each set add up to at most 1.  The sum of all values is then a lower
// bound.  Starts with `values`, scaled if necessary, and increases each value as far as possible.
size_t dual_bound(const Rest &rest, std::vector<double> values) {
  static constexpr double kError = 1e-6; // tolerance for rounding errors in the sums
  double most = 0, sum = 0;
  std::vector<double> left(rest.sets.size(), 1);
  for (const std::vector<uint32_t> &set : rest.sets)
    most = std::max(most, std::accumulate(set.begin(), set.end(), 0.0,
                                          [&](double value, uint32_t element) { return value + values[element]; }));
  for (size_t set = 0; set < rest.sets.size(); set++)
    for (uint32_t element : rest.sets[set])
      left[set] -= most > 1 ? values[element] / most : values[element];
  for (double value : values)
    sum += most > 1 ? value / most : value;
  for (uint32_t element : rarest_first(rest.lists)) {
    double room = 1;
    for (uint32_t set : rest.lists[element])
      room = std::min(room, left[set]);
    if (room <= 0)
      continue;
    for (uint32_t set : rest.lists[element])
      left[set] -= room;
    sum += room;
  }
  return static_cast<size_t>(std::max(0.0, std::ceil(sum - kError)));
}

// Improves a cover by depth-first branch and bound.  Each step selects the uncovered element that the fewest sets
// contain, and tries each of these sets.
class Search {
public:
  Search(const Rest &rest, std::vector<size_t> best, size_t least, uint64_t effort)
      : rest_(rest), best_(std::move(best)), least_(least), effort_(effort), order_(rarest_first(rest.lists)),
        times_(rest.lists.size(), 0), marked_(rest.sets.size(), 0) {}

  // Returns true if the search was completed; best() is then a minimum cover.
  bool run() {
    descend();
    return effort_ > 0;
  }
  const std::vector<size_t> &best() const { return best_; }

private:
  // Returns a lower bound on the number of sets that are needed for the uncovered elements: the size of a collection of
  // uncovered elements such that no set contains two of them.
  size_t num_independent() {
    size_t number = 0;
    mark_++;
    for (uint32_t element : order_) {
      const std::vector<uint32_t> &list = rest_.lists[element];
      if (times_[element] || std::any_of(list.begin(), list.end(), [&](uint32_t set) { return marked_[set] == mark_; }))
        continue;
      for (uint32_t set : list)
        marked_[set] = mark_;
      number++;
    }
    return number;
  }

  bool spend(uint64_t amount) {
    effort_ -= std::min(effort_, amount);
    return effort_ > 0;
  }

  void add(uint32_t set, int change) {
    for (uint32_t element : rest_.sets[set])
      times_[element] += static_cast<uint32_t>(change);
  }

  std::vector<uint32_t> candidates(uint32_t element) const {
    std::vector<std::pair<size_t, uint32_t>> ranked;
    for (uint32_t set : rest_.lists[element])
      ranked.push_back({static_cast<size_t>(std::count_if(rest_.sets[set].begin(), rest_.sets[set].end(),
                                                          [&](uint32_t other) { return times_[other] == 0; })),
                        set});
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto &a, const auto &b) { return a.first > b.first; });
    std::vector<uint32_t> sets;
    for (const auto &[gain, set] : ranked)
      sets.push_back(set);
    return sets;
  }

  void descend() {
    if (best_.size() <= least_ || !spend(rest_.lists.size() + 1))
      return;
    auto open = std::find_if(order_.begin(), order_.end(), [&](uint32_t element) { return times_[element] == 0; });
    if (open == order_.end()) {
      if (chosen_.size() < best_.size())
        best_ = chosen_;
      return;
    }
    if (chosen_.size() + num_independent() >= best_.size())
      return;
    for (uint32_t set : candidates(*open)) {
      if (!spend(rest_.sets[set].size()))
        return;
      add(set, 1);
      chosen_.push_back(set);
      descend();
      chosen_.pop_back();
      add(set, -1);
    }
  }

  const Rest &rest_;
  std::vector<size_t> best_, chosen_;
  size_t least_;
  uint64_t effort_;
  std::vector<uint32_t> order_;
  std::vector<uint32_t> times_; // number of chosen sets that contain each element
  std::vector<uint64_t> marked_;
  uint64_t mark_ = 0;
};

} // namespace

SetCover choose_cover(const SetSystem &system, uint64_t effort) {
  SetCover cover;
  Rest rest = Reduction(system).run(cover.sets);
  size_t num_needed = cover.sets.size();
  std::vector<double> prices;
  std::vector<size_t> chosen = choose_from(rest, prices);
  size_t least = std::max(dual_bound(rest, prices), dual_bound(rest, std::vector<double>(prices.size(), 0)));
  if (chosen.size() > least) {
    Search search(rest, chosen, least, effort);
    bool is_exact = search.run();
    chosen = search.best();
    if (is_exact)
      least = chosen.size();
  }
  for (size_t set : chosen)
    cover.sets.push_back(rest.origin[set]);
  std::sort(cover.sets.begin(), cover.sets.end());
  cover.least = num_needed + least;
  return cover;
}

std::vector<RankedSet> rank_sets(const SetSystem &system) {
  std::vector<RankedSet> ranked;
  std::vector<char> covered(system.num_elements, 0);
  choose_greedily(system.sets, covered, is_larger, [&](size_t set, size_t gain) {
    ranked.push_back({set, gain});
    return true;
  });
  return ranked;
}

std::vector<size_t> count_own_elements(const SetSystem &system) {
  std::vector<uint32_t> times(system.num_elements, 0);
  for (const std::vector<uint32_t> &set : system.sets)
    for (uint32_t element : set)
      times[element]++;
  std::vector<size_t> own;
  for (const std::vector<uint32_t> &set : system.sets)
    own.push_back(static_cast<size_t>(
        std::count_if(set.begin(), set.end(), [&](uint32_t element) { return times[element] == 1; })));
  return own;
}

namespace {

// Branch and bound within a budget.
class BudgetSearch {
public:
  BudgetSearch(const SetSystem &system, const std::vector<uint64_t> &costs, uint64_t effort)
      : system_(system), costs_(costs), is_out_(system.sets.size()), covered_(system.num_elements), effort_(effort) {}

  // Improves the cover.  The result is optimal unless the effort limit stopped the search.
  void improve(BudgetedCover &cover, uint64_t budget) {
    best_ = cover.sets;
    best_covered_ = cover.covered;
    cover.most = std::min({cover.most, candidates(budget).most, most_beside(cover.sets, budget)});
    search(budget);
    cover.sets = best_;
    cover.covered = best_covered_;
    if (effort_ > 0)
      cover.most = best_covered_;
  }

private:
  struct Candidates {
    size_t most = 0;       // upper bound on the elements that can be covered
    size_t set = SIZE_MAX; // set with the largest gain per cost
  };

  // Returns an upper bound on the number of elements that can be covered, ignoring overlaps between sets.  Sets are
  // added in order of decreasing gain per cost, and only the affordable fraction of the last set is counted.
  Candidates candidates(uint64_t left) {
    struct Item {
      size_t gain, set;
      uint64_t cost;
    };
    std::vector<Item> items;
    for (size_t set = 0; set < system_.sets.size(); set++) {
      if (is_out_[set] || costs_[set] > left)
        continue;
      spend(system_.sets[set].size() + 1);
      size_t gain = static_cast<size_t>(std::count_if(system_.sets[set].begin(), system_.sets[set].end(),
                                                      [&](uint32_t element) { return covered_[element] == 0; }));
      if (gain > 0)
        items.push_back({gain, set, costs_[set]});
    }
    std::stable_sort(items.begin(), items.end(), [](const Item &a, const Item &b) {
      return static_cast<unsigned __int128>(a.gain) * b.cost > static_cast<unsigned __int128>(b.gain) * a.cost;
    });
    Candidates found;
    found.most = num_covered_;
    if (!items.empty())
      found.set = items.front().set;
    for (const Item &item : items) {
      if (item.cost > left) {
        found.most += static_cast<size_t>(static_cast<unsigned __int128>(item.gain) * left / item.cost);
        break;
      }
      found.most += item.gain;
      left -= item.cost;
    }
    return found;
  }

  // Returns an upper bound on the number of elements that can be covered within the budget if the given sets cost
  // nothing.
  size_t most_beside(const std::vector<size_t> &sets, uint64_t budget) {
    for (size_t set : sets)
      choose(set);
    size_t most = candidates(budget).most;
    for (size_t set : sets)
      take_back(set);
    return most;
  }

  void choose(size_t set) {
    for (uint32_t element : system_.sets[set])
      num_covered_ += covered_[element]++ == 0;
  }
  void take_back(size_t set) {
    for (uint32_t element : system_.sets[set])
      num_covered_ -= --covered_[element] == 0;
  }

  void search(uint64_t left) {
    if (num_covered_ > best_covered_) {
      best_ = chosen_;
      best_covered_ = num_covered_;
    }
    Candidates next = candidates(left);
    if (effort_ == 0 || next.set == SIZE_MAX || next.most <= best_covered_)
      return;
    is_out_[next.set] = 1;
    chosen_.push_back(next.set);
    choose(next.set);
    search(left - costs_[next.set]);
    take_back(next.set);
    chosen_.pop_back();
    search(left);
    is_out_[next.set] = 0;
  }

  void spend(uint64_t effort) { effort_ -= std::min(effort_, effort); }

  const SetSystem &system_;
  const std::vector<uint64_t> &costs_;
  std::vector<char> is_out_;      // nonzero for each set that was chosen or rejected
  std::vector<uint32_t> covered_; // number of chosen sets that contain each element
  std::vector<size_t> chosen_, best_;
  size_t num_covered_ = 0, best_covered_ = 0;
  uint64_t effort_; // remaining effort
};

} // namespace

BudgetedCover choose_within(const SetSystem &system, const std::vector<uint64_t> &costs, uint64_t budget,
                            uint64_t effort) {
  BudgetedCover cover;
  std::vector<char> any(system.num_elements, 0);
  for (const std::vector<uint32_t> &set : system.sets)
    for (uint32_t element : set)
      any[element] = 1;
  cover.most = static_cast<size_t>(std::count(any.begin(), any.end(), 1));
  std::vector<char> covered(system.num_elements, 0);
  auto is_better = [&](size_t a, size_t gain, size_t b, size_t other) {
    return static_cast<unsigned __int128>(gain) * costs[b] > static_cast<unsigned __int128>(other) * costs[a];
  };
  uint64_t left = budget;
  choose_greedily(system.sets, covered, is_better, [&](size_t set, size_t gain) {
    if (costs[set] > left)
      return false;
    left -= costs[set];
    cover.covered += gain;
    cover.sets.push_back(set);
    return true;
  });
  size_t largest = SIZE_MAX;
  for (size_t set = 0; set < system.sets.size(); set++)
    if (costs[set] <= budget && (largest == SIZE_MAX || system.sets[set].size() > system.sets[largest].size()))
      largest = set;
  if (largest != SIZE_MAX && system.sets[largest].size() > cover.covered) {
    cover.sets = {largest};
    cover.covered = system.sets[largest].size();
  }
  BudgetSearch(system, costs, effort).improve(cover, budget);
  std::sort(cover.sets.begin(), cover.sets.end());
  return cover;
}

} // namespace pathprof
