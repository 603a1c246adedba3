// SPDX-License-Identifier: GPL-3.0-or-later
// Preferential path profiling (Vaswani, Nori and Chilimbi, POPL 2007): compact numbers for some paths of a function.
//
// Some paths are *interesting*, for instance all that the tests took.  They get small numbers of their own beside the
// Ball-Larus numbers that all paths have, so that an array can count them where all paths would need a hash table.  The
// others have such numbers, too, but share them with interesting ones; the Ball-Larus number tells these aliases apart.
// A path that is not interesting is *residual*.
#ifndef PATHPROF_CORE_NUMBERING_PREFERENTIAL_H
#define PATHPROF_CORE_NUMBERING_PREFERENTIAL_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Whether what follows takes tolerable time and memory: some bytes for each edge of each of these paths.
bool can_be_compact(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting);

// Compact numbers (Figure 10).  The figure leaves open in which order a node's edges are processed, on which the holes
// depend.  The order of increasing Ball-Larus vals is taken, under which the numbers are those vals if all paths are
// interesting.  If that leaves holes, other orders are tried; the one with the fewest holes counts, the first of
// several.
class PreferentialNumbering {
public:
  // `interesting`: Ball-Larus numbers, increasing and below num_paths().
  PreferentialNumbering(const PathGraph &paths, const PathNumbering &numbering,
                        const std::vector<uint64_t> &interesting);

  // What an edge of the path graph adds; 0 for edges that no interesting path is on.  At most num_paths() in
  // magnitude.
  int64_t val(int edge) const { return vals_[static_cast<size_t>(edge)]; }
  const std::vector<int64_t> &vals() const { return vals_; }

  // The numbers of interesting paths are below it, different, and at most num_paths(); 0 if there are no such paths.
  uint64_t size() const { return size_; }

  // Of the interesting path with this index.
  uint64_t number_of(size_t index) const { return numbers_[index]; }

  // The paper's measure of compactness: size() over the number of interesting paths, 1 without holes; 0 if there are
  // none of them.
  double delta() const;

private:
  std::vector<int64_t> vals_;
  std::vector<uint64_t> numbers_;
  uint64_t size_ = 0;
};

// Both counters of the paper in one register: (compact number << shift) + Ball-Larus number, modulo 2^64.  The
// Ball-Larus number of a whole path fits below the shift, so all paths have different sums of vals(), whatever has
// overflowed above.
class PreferentialCounters {
public:
  // At most `max_slots` slots, those of the smallest numbers; fewer also where the register has no room for more.
  PreferentialCounters(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting,
                       uint64_t max_slots);

  const PreferentialNumbering &compact() const { return compact_; }
  // Of the path graph's edges, to be placed like those of any numbering.
  const std::vector<int64_t> &vals() const { return vals_; }
  unsigned shift() const { return shift_; }

  // Whether every interesting path has a slot.
  bool has_all() const { return keys_.size() == compact_.size(); }
  uint64_t num_slots() const { return keys_.size(); }
  // By slot: what the register has at the end of the slot's path.  Of a hole: what it never has there.
  const std::vector<uint64_t> &keys() const { return keys_; }

  // What instrumented code asks at a path's end.
  std::optional<uint64_t> slot_of(uint64_t sum) const;
  // The path's Ball-Larus number.
  uint64_t id_of(uint64_t sum) const { return sum & ((uint64_t{1} << shift_) - 1); }

  // The Ball-Larus number of the path with this slot; none of a hole.
  std::optional<uint64_t> path_in(uint64_t slot) const;

  // Where counts are stored: slots have their own numbers, residual paths their Ball-Larus numbers behind the slots.
  uint64_t place_of_residual(uint64_t id) const { return num_slots() + id; }
  // The Ball-Larus number of what is counted at a place; none of a hole, or if no path has such a number.
  std::optional<uint64_t> path_at(uint64_t place) const;

private:
  PreferentialNumbering compact_;
  uint64_t num_paths_;
  unsigned shift_;
  std::vector<int64_t> vals_;
  std::vector<uint64_t> keys_;
};

} // namespace pathprof

#endif
