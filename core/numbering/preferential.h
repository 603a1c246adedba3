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

// Returns true if the time and memory that PreferentialNumbering needs are acceptable.  It needs a few bytes for each
// edge of each interesting path.
bool can_be_compact(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting);

// Assigns compact numbers by the algorithm in Figure 10 of the paper.  The paper does not specify the order in which
// the edges of a node are processed, but the unused numbers (holes) depend on that order.  The constructor first tries
// the order of increasing Ball-Larus edge values.  If all paths are interesting, the compact numbers are then equal to
// the path IDs.  If there are holes, it tries other orders and selects the first order with the fewest holes.
class PreferentialNumbering {
public:
  // `interesting` contains path IDs below num_paths() in increasing order.
  PreferentialNumbering(const PathGraph &paths, const PathNumbering &numbering,
                        const std::vector<uint64_t> &interesting);

  // Returns the increment of a path-graph edge, or 0 if no interesting path contains the edge.  The absolute value is
  // at most num_paths().
  int64_t val(int edge) const { return vals_[static_cast<size_t>(edge)]; }
  const std::vector<int64_t> &vals() const { return vals_; }

  // Returns one more than the largest compact number of an interesting path, or 0 if there are no interesting paths.
  // The result is at most num_paths().  All interesting paths have distinct compact numbers.
  uint64_t size() const { return size_; }

  // Returns the compact number of the interesting path at `index` in the list that was passed to the constructor.
  uint64_t number_of(size_t index) const { return numbers_[index]; }

  // Returns the paper's measure of compactness, which is size() divided by the number of interesting paths.  The result
  // is 1 if there are no holes, and 0 if there are no interesting paths.
  double delta() const;

private:
  std::vector<int64_t> vals_;
  std::vector<uint64_t> numbers_;
  uint64_t size_ = 0;
};

// Combines the two numbers of a path in one register: (compact number << shift) + path ID, modulo 2^64.  The path ID of
// a complete path is below 2^shift, so the register values of two paths differ even if the compact number overflows.
class PreferentialCounters {
public:
  // Creates one slot for each compact number, starting at 0.  The number of slots is at most `max_slots`, and at most
  // the number of slots that the register can represent.
  PreferentialCounters(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting,
                       uint64_t max_slots);

  const PreferentialNumbering &compact() const { return compact_; }
  // Returns the values of the path-graph edges.  They are placed in the same way as the edge values of any other
  // numbering.
  const std::vector<int64_t> &vals() const { return vals_; }
  unsigned shift() const { return shift_; }

  // Returns true if every interesting path has a slot.
  bool has_all() const { return keys_.size() == compact_.size(); }
  uint64_t num_slots() const { return keys_.size(); }
  // Returns the key of each slot, which is the register value at the end of the slot's path.  A hole is a slot without
  // a path.  Its key encodes the number of another slot, so no register value matches it.
  const std::vector<uint64_t> &keys() const { return keys_; }

  // Returns the slot of the path that ends with the register value `sum`, or nothing if the path is residual.
  // Instrumented code performs the same computation.
  std::optional<uint64_t> slot_of(uint64_t sum) const;
  // Returns the path ID that is encoded in the register value `sum`.
  uint64_t id_of(uint64_t sum) const { return sum & ((uint64_t{1} << shift_) - 1); }

  // Returns the path ID of the path in this slot, or nothing if the slot is a hole.
  std::optional<uint64_t> path_in(uint64_t slot) const;

  // Returns the path ID that belongs to a counter index, or nothing if the index is a hole or out of range.  Indices
  // below num_slots() are slots; higher indices are num_slots() plus the path ID of a residual path.
  std::optional<uint64_t> path_at(uint64_t index) const;

private:
  PreferentialNumbering compact_;
  uint64_t num_paths_;
  unsigned shift_;
  std::vector<int64_t> vals_;
  std::vector<uint64_t> keys_;
};

} // namespace pathprof

#endif
