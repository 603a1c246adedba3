// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns compact numbers to the interesting paths of a function: preferential path profiling (Vaswani, Nori and
// Chilimbi, POPL 2007).
//
// Some paths are *interesting*, for example all paths that the tests executed.  They have small compact numbers in
// addition to the Ball-Larus path IDs, so that an array can count them even if all paths together would need a hash
// table.  Other paths have compact numbers, too, which can be equal to those of interesting paths; the path ID
// distinguishes these aliases.  A path that is not interesting is *residual*.
#ifndef PATHPROF_CORE_NUMBERING_PREFERENTIAL_H
#define PATHPROF_CORE_NUMBERING_PREFERENTIAL_H

#include <cstdint>
#include <optional>
#include <vector>

#include "core/numbering/numbering.h"
#include "core/numbering/path_graph.h"

namespace pathprof {

// Returns true if PreferentialNumbering needs acceptable time and memory: a few bytes per edge of each interesting
// path.
bool can_be_compact(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting);

// Compact numbers (Figure 10).  The figure does not specify the order in which the edges of a node are processed, but
// the unused numbers (holes) depend on this order.  The constructor first tries the order of increasing Ball-Larus
// vals; if all paths are interesting, the compact numbers are then the path IDs.  If holes remain, it tries other
// orders and uses the first order with the fewest holes.
class PreferentialNumbering {
public:
  // `interesting` contains path IDs, in increasing order and below num_paths().
  PreferentialNumbering(const PathGraph &paths, const PathNumbering &numbering,
                        const std::vector<uint64_t> &interesting);

  // Returns the increment of a path-graph edge: 0 if no interesting path uses the edge, and at most num_paths() in
  // magnitude.
  int64_t val(int edge) const { return vals_[static_cast<size_t>(edge)]; }
  const std::vector<int64_t> &vals() const { return vals_; }

  // Returns the smallest number above all compact numbers of interesting paths, at most num_paths(), or 0 if there are
  // no such paths.  The compact numbers of interesting paths are distinct.
  uint64_t size() const { return size_; }

  // Returns the compact number of the interesting path with this index.
  uint64_t number_of(size_t index) const { return numbers_[index]; }

  // Returns the paper's measure of compactness: size() divided by the number of interesting paths.  It is 1 without
  // holes, and 0 if there are no interesting paths.
  double delta() const;

private:
  std::vector<int64_t> vals_;
  std::vector<uint64_t> numbers_;
  uint64_t size_ = 0;
};

// Combines both of the paper's counters in one register: (compact number << shift) + path ID, modulo 2^64.  The path ID
// of a complete path is below 2^shift, so all paths have different sums of vals(), even if the compact number
// overflows.
class PreferentialCounters {
public:
  // Creates slots for the smallest compact numbers: at most `max_slots`, and no more than the register can represent.
  PreferentialCounters(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting,
                       uint64_t max_slots);

  const PreferentialNumbering &compact() const { return compact_; }
  // Returns the vals of the path-graph edges, which are placed like the vals of any numbering.
  const std::vector<int64_t> &vals() const { return vals_; }
  unsigned shift() const { return shift_; }

  // Returns true if every interesting path has a slot.
  bool has_all() const { return keys_.size() == compact_.size(); }
  uint64_t num_slots() const { return keys_.size(); }
  // Returns, for each slot, the register value at the end of the slot's path; for a hole, a value that never occurs
  // there.
  const std::vector<uint64_t> &keys() const { return keys_; }

  // Returns the slot for the register value `sum` at a path's end, as instrumented code does, or nothing for a residual
  // path.
  std::optional<uint64_t> slot_of(uint64_t sum) const;
  // Returns the path ID that the register value `sum` contains.
  uint64_t id_of(uint64_t sum) const { return sum & ((uint64_t{1} << shift_) - 1); }

  // Returns the path ID of the path in this slot, or nothing if the slot is a hole.
  std::optional<uint64_t> path_in(uint64_t slot) const;

  // Returns the counter index of a residual path: indices up to num_slots() - 1 are slots, and path IDs follow.
  uint64_t place_of_residual(uint64_t id) const { return num_slots() + id; }
  // Returns the path ID for a counter index, or nothing if the index is a hole or out of range.
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
