// SPDX-License-Identifier: GPL-3.0-or-later
// Selects sets in a system of overlapping sets: a small cover, a ranking by gain, and sets that are redundant.
//
// Each set contains the elements that one test executed.  The minimum set cover is NP-hard (Karp, 1972).  The greedy
// choice is at most a factor of 1 + ln n larger (Chvatal, 1979) and usually much better; the lower bound that is
// computed here limits the error in each case.
#ifndef PATHPROF_CORE_ANALYSIS_SET_COVER_H
#define PATHPROF_CORE_ANALYSIS_SET_COVER_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pathprof {

struct SetSystem {
  size_t num_elements = 0;
  std::vector<std::vector<uint32_t>> sets; // elements of each set, sorted and without duplicates
};

// A selection of sets that together contain all elements of the system.
struct SetCover {
  std::vector<size_t> sets; // indices of the sets in increasing order
  size_t least = 0;         // lower bound on the size of any cover
};

// Default maximum number of elements to visit while proving that a cover is minimal.
inline constexpr uint64_t kCoverEffort = 20'000'000;

// Returns a small cover.  First selects each set that is the only one to contain some element, and merges elements that
// belong to the same sets.  Then selects sets greedily for the remaining elements, and improves the selection by branch
// and bound within `effort`.  The lower bound is the value of a solution of the dual linear program.
SetCover choose_cover(const SetSystem &system, uint64_t effort = kCoverEffort);

// A set, and the number of its elements that no preceding set in the ranking contains.
struct RankedSet {
  size_t set = 0;
  size_t gain = 0;
};
// Ranks the sets greedily.  Each set in the ranking adds as many new elements as possible; in case of a tie, the first
// such set is used.  Sets that add no elements are omitted.
std::vector<RankedSet> rank_sets(const SetSystem &system);

// Returns, for each set, the number of elements that no other set contains.
std::vector<size_t> count_own_elements(const SetSystem &system);

// A selection of sets whose total cost is within a budget.
struct BudgetedCover {
  std::vector<size_t> sets; // indices of the sets in increasing order
  size_t covered = 0;
  size_t most = 0; // upper bound on the elements that any selection within the budget covers
};
// Computes two selections: a greedy selection by gain per cost, and the single set that covers the most elements.
// Takes the better selection (Khuller, Moss and Naor, 1999), and improves it by branch and bound within `effort`.
BudgetedCover choose_within(const SetSystem &system, const std::vector<uint64_t> &costs, uint64_t budget,
                            uint64_t effort = kCoverEffort);

} // namespace pathprof

#endif
