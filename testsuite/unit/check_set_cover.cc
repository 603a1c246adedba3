// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/analysis/set_cover.h: against all choices of small random systems, and by the definitions on large
// ones.
#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "core/analysis/set_cover.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

SetSystem random_system(std::mt19937 &random, size_t num_sets, size_t num_elements, unsigned per_cent) {
  SetSystem system;
  system.num_elements = num_elements;
  for (size_t set = 0; set < num_sets; set++) {
    system.sets.emplace_back();
    for (uint32_t element = 0; element < num_elements; element++)
      if (random() % 100 < per_cent)
        system.sets.back().push_back(element);
  }
  return system;
}

std::set<uint32_t> covered_by(const SetSystem &system, const std::vector<size_t> &sets) {
  std::set<uint32_t> covered;
  for (size_t set : sets)
    covered.insert(system.sets[set].begin(), system.sets[set].end());
  return covered;
}

std::vector<size_t> members(unsigned choice, size_t num_sets) {
  std::vector<size_t> sets;
  for (size_t set = 0; set < num_sets; set++)
    if (choice >> set & 1)
      sets.push_back(set);
  return sets;
}

std::vector<size_t> all_sets(const SetSystem &system) {
  return members((1u << system.sets.size()) - 1, system.sets.size());
}

size_t least_cover(const SetSystem &system) {
  size_t all = covered_by(system, all_sets(system)).size(), least = system.sets.size();
  for (unsigned choice = 0; choice < 1u << system.sets.size(); choice++) {
    std::vector<size_t> sets = members(choice, system.sets.size());
    if (sets.size() < least && covered_by(system, sets).size() == all)
      least = sets.size();
  }
  return least;
}

size_t most_covered(const SetSystem &system, const std::vector<uint64_t> &costs, uint64_t budget) {
  size_t most = 0;
  for (unsigned choice = 0; choice < 1u << system.sets.size(); choice++) {
    uint64_t cost = 0;
    std::vector<size_t> sets = members(choice, system.sets.size());
    for (size_t set : sets)
      cost += costs[set];
    if (cost <= budget)
      most = std::max(most, covered_by(system, sets).size());
  }
  return most;
}

SetSystem some_system(std::mt19937 &random) {
  size_t num_sets = 1 + random() % 11, num_elements = random() % 16;
  return random_system(random, num_sets, num_elements, 5 + random() % 60);
}

} // namespace

// Whatever effort is spent, what is chosen covers all, and the bound is none that the best choice breaks.
START_TEST(test_cover_small) {
  std::mt19937 random(1);
  size_t num_not_exact = 0;
  for (int round = 0; round < 600; round++) {
    SetSystem system = some_system(random);
    size_t least = least_cover(system), all = covered_by(system, all_sets(system)).size();
    SetCover exact = choose_cover(system), greedy = choose_cover(system, 0);
    for (const SetCover *cover : {&exact, &greedy}) {
      ck_assert_uint_eq(covered_by(system, cover->sets).size(), all);
      ck_assert_uint_le(cover->least, least);
      ck_assert_uint_ge(cover->sets.size(), least);
      ck_assert(std::is_sorted(cover->sets.begin(), cover->sets.end()));
      ck_assert(std::adjacent_find(cover->sets.begin(), cover->sets.end()) == cover->sets.end());
    }
    ck_assert_uint_eq(exact.sets.size(), least);
    ck_assert_uint_eq(exact.least, least);
    num_not_exact += greedy.sets.size() > greedy.least;
  }
  ck_assert_uint_gt(num_not_exact, 0); // some have to be searched
}
END_TEST

START_TEST(test_budget_small) {
  std::mt19937 random(2);
  for (int round = 0; round < 600; round++) {
    SetSystem system = some_system(random);
    std::vector<uint64_t> costs;
    for (size_t set = 0; set < system.sets.size(); set++)
      costs.push_back(random() % 10);
    uint64_t budget = random() % 30;
    size_t most = most_covered(system, costs, budget);
    BudgetedCover exact = choose_within(system, costs, budget), greedy = choose_within(system, costs, budget, 0);
    for (const BudgetedCover *cover : {&exact, &greedy}) {
      uint64_t cost = 0;
      for (size_t set : cover->sets)
        cost += costs[set];
      ck_assert_uint_le(cost, budget);
      ck_assert_uint_eq(covered_by(system, cover->sets).size(), cover->covered);
      ck_assert_uint_ge(cover->most, most);
    }
    ck_assert_uint_eq(exact.covered, most);
    ck_assert_uint_eq(exact.most, most);
    ck_assert_uint_le(greedy.covered, most);
    ck_assert_uint_ge(2 * greedy.covered + (most == 1), most); // at least half as much as is possible
  }
}
END_TEST

// Each set that is ranked adds as much as it says, and no other one would have added more.
START_TEST(test_rank) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; round++) {
    SetSystem system = some_system(random);
    std::vector<RankedSet> ranked = rank_sets(system);
    std::set<uint32_t> covered;
    for (const RankedSet &next : ranked) {
      auto gain_of = [&](size_t set) {
        return static_cast<size_t>(std::count_if(system.sets[set].begin(), system.sets[set].end(),
                                                 [&](uint32_t element) { return covered.count(element) == 0; }));
      };
      ck_assert_uint_gt(next.gain, 0);
      ck_assert_uint_eq(next.gain, gain_of(next.set));
      for (size_t set = 0; set < system.sets.size(); set++) {
        ck_assert_uint_le(gain_of(set), next.gain);
        ck_assert(gain_of(set) < next.gain || set >= next.set);
      }
      covered.insert(system.sets[next.set].begin(), system.sets[next.set].end());
    }
    ck_assert(covered == covered_by(system, all_sets(system)));
  }
}
END_TEST

START_TEST(test_own_elements) {
  std::mt19937 random(4);
  for (int round = 0; round < 300; round++) {
    SetSystem system = some_system(random);
    std::vector<size_t> own = count_own_elements(system);
    size_t all = covered_by(system, all_sets(system)).size();
    for (size_t set = 0; set < system.sets.size(); set++) {
      std::vector<size_t> others = all_sets(system);
      others.erase(others.begin() + static_cast<ptrdiff_t>(set));
      ck_assert_uint_eq(own[set], all - covered_by(system, others).size());
    }
  }
}
END_TEST

// As many as tests of a large program have: nothing takes time that grows with the square of what there is.
START_TEST(test_large) {
  std::mt19937 random(5);
  SetSystem system = random_system(random, 1000, 3000, 5);
  SetCover cover = choose_cover(system);
  ck_assert_uint_eq(covered_by(system, cover.sets).size(), 3000);
  ck_assert_uint_le(cover.least, cover.sets.size());
  ck_assert_uint_gt(cover.least, 1);
}
END_TEST

int main() {
  return run_suite("set cover",
                   {{"systems", {test_cover_small, test_budget_small, test_rank, test_own_elements, test_large}, 300}});
}
