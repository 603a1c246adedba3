// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers for paths that were cut short at a call: by exit, longjmp, an exception, a signal.
//
// Such a path is the beginning of one or more whole paths.  The sum of vals up to a block tells apart all
// paths to get there (the rest of the walk could be the same for two of them, and whole paths have different
// numbers), so the sum and the call name it.
#ifndef PATHPROF_CORE_NUMBERING_PREFIX_H
#define PATHPROF_CORE_NUMBERING_PREFIX_H

#include <cstdint>
#include <optional>
#include <vector>

namespace pathprof {

// The numbers from num_paths() of the whole paths on, up to num_ids().
class PrefixNumbering {
public:
  // `calls` says for each block at how many calls in it a path may end.
  PrefixNumbering(uint64_t num_paths, const std::vector<uint32_t> &calls);

  // Whether every number is below 2^62.
  bool fits() const { return fits_; }
  // Calls of all blocks.
  uint64_t num_calls() const { return first_call_.back(); }
  uint64_t num_ids() const;

  // A call's place among those of all blocks; `call` counts the calls of its block from 0.
  uint64_t place_of(int block, uint32_t call) const { return first_call_[block] + call; }
  // The number of the path with this sum of vals that ends at the call with that place.
  uint64_t id_of(uint64_t sum, uint64_t place) const;

  struct Prefix {
    uint64_t sum;
    int block;     // the last one
    uint32_t call; // which of its calls the path ended at
  };
  // Nothing if the number is none of these.
  std::optional<Prefix> locate(uint64_t id) const;

private:
  uint64_t num_paths_;
  bool fits_;
  std::vector<uint64_t> first_call_; // by block, and their total
};

} // namespace pathprof

#endif
