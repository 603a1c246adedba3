// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers truncated paths, which are prefixes of complete paths.
#include "core/numbering/prefix.h"

#include <algorithm>

namespace pathprof {

PrefixNumbering::PrefixNumbering(uint64_t num_paths, const std::vector<uint32_t> &calls)
    : num_paths_(num_paths), first_call_{0} {
  for (uint32_t number : calls)
    first_call_.push_back(first_call_.back() + number);
  uint64_t all;
  fits_ = !__builtin_mul_overflow(num_paths_, num_calls() + 1, &all) && all < uint64_t{1} << 62;
}

uint64_t PrefixNumbering::num_ids() const {
  return num_paths_ * (num_calls() + 1);
}

uint64_t PrefixNumbering::id_of(uint64_t sum, uint64_t place) const {
  return num_paths_ + sum * num_calls() + place;
}

std::optional<PrefixNumbering::Prefix> PrefixNumbering::locate(uint64_t id) const {
  if (!fits_ || id < num_paths_ || id >= num_ids())
    return std::nullopt;
  uint64_t place = (id - num_paths_) % num_calls();
  auto after = std::upper_bound(first_call_.begin(), first_call_.end(), place);
  int block = static_cast<int>(after - first_call_.begin()) - 1;
  return Prefix{(id - num_paths_) / num_calls(), block, static_cast<uint32_t>(place - first_call_[block])};
}

} // namespace pathprof
