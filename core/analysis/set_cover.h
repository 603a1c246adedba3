// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing among sets that overlap: which few cover everything, which add most, which could go.
//
// The sets are what tests executed.  Finding the least number of sets that cover all is NP-hard (Karp, 1972); the
// greedy choice, which takes the set that adds most, is at most a factor of 1 + ln n off (Chvatal, 1979), mostly far
// less, and the lower bound here says by how much it can be off at most in each case.
#ifndef PATHPROF_CORE_ANALYSIS_SET_COVER_H
#define PATHPROF_CORE_ANALYSIS_SET_COVER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pathprof {

struct SetSystem {
  size_t num_elements = 0;
  std::vector<std::vector<uint32_t>> sets; // of elements, each sorted and without repetitions
};

// Sets that cover all elements that any set has.
struct SetCover {
  std::vector<size_t> sets; // by increasing number
  size_t least = 0;         // no fewer sets do
};

// How much work is spent on proving that there is none with fewer sets: elements looked at.
inline constexpr uint64_t kCoverEffort = 20'000'000;

// Chooses sets, as few as are found.  Those that are the only ones with some element come first; elements that are in
// the same sets are one; the rest is chosen greedily, and then by branch and bound as far as `effort` goes.  The bound
// is the better one of elements no two of which are in one set, and a solution of the dual linear program.
SetCover choose_cover(const SetSystem &system, uint64_t effort = kCoverEffort);

// A set and how many elements it has that those before it do not have.
struct RankedSet {
  size_t set = 0;
  size_t gain = 0;
};
// All sets that add something, each time the one that adds most (of several the first).
std::vector<RankedSet> rank_sets(const SetSystem &system);

// By set: how many of its elements no other set has.
std::vector<size_t> count_own_elements(const SetSystem &system);

// What can be covered with sets whose costs add up to no more than a budget.
struct BudgetedCover {
  std::vector<size_t> sets; // by increasing number
  size_t covered = 0;
  size_t most = 0; // no choice within the budget covers more
};
// The better one of greedy by gain per cost, and the single set that covers most (Khuller, Moss and Naor, 1999); then
// by branch and bound as far as `effort` goes.
BudgetedCover choose_within(const SetSystem &system, const std::vector<uint64_t> &costs, uint64_t budget,
                            uint64_t effort = kCoverEffort);

} // namespace pathprof

#endif
