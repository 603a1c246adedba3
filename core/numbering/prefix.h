// SPDX-License-Identifier: GPL-3.0-or-later
// Assigns path IDs to paths that were truncated at a call, for example by exit, longjmp, an exception or a signal.
//
// A truncated path is a prefix of one or more complete paths.  Two different prefixes that end at the same block have
// different sums of vals: both could continue with the same edges, and complete paths have different path IDs.  The sum
// and the call therefore identify the truncated path.
#ifndef PATHPROF_CORE_NUMBERING_PREFIX_H
#define PATHPROF_CORE_NUMBERING_PREFIX_H

#include <cstdint>
#include <optional>
#include <vector>

namespace pathprof {

// Assigns the IDs from num_paths() to num_ids() - 1 to truncated paths.
class PrefixNumbering {
public:
  // `calls` contains, for each block, the number of calls at which a path can be truncated.
  PrefixNumbering(uint64_t num_paths, const std::vector<uint32_t> &calls);

  // Returns true if every ID is below 2^62.
  bool fits() const { return fits_; }
  // Returns the total number of calls at which a path can be truncated.
  uint64_t num_calls() const { return first_call_.back(); }
  uint64_t num_ids() const;

  // Converts the index of a call in its block to its index among the calls of all blocks.  Both indices start at 0.
  uint64_t index_of_call(int block, uint32_t call) const { return first_call_[block] + call; }
  // Returns the ID of the path that is truncated at the call with index `place` and whose edge values add up to `sum`.
  uint64_t id_of(uint64_t sum, uint64_t place) const;

  struct Prefix {
    uint64_t sum;
    int block;     // last block of the path
    uint32_t call; // index of the call in the block
  };
  // Returns the truncated path with this ID, or nothing if the ID does not belong to a truncated path.
  std::optional<Prefix> locate(uint64_t id) const;

private:
  uint64_t num_paths_;
  bool fits_;
  std::vector<uint64_t> first_call_; // index of the first call of each block, followed by the total
};

} // namespace pathprof

#endif
