// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of paths across procedures, which may be wider than a register.
#ifndef PATHPROF_CORE_NUMBERING_WIDE_H
#define PATHPROF_CORE_NUMBERING_WIDE_H

#include <cstdint>

#include <gmpxx.h>

namespace pathprof {

// The number of a path, or what an edge adds to it: modulo 2^128.
using WideNumber = unsigned __int128;

// Numbers that are counted have at most so many digits of so many bits.  Those that have more than one are paths in a
// forest that is so deep.
constexpr uint32_t kMaxDigits = 2;
constexpr unsigned kDigitBits = 62;
constexpr WideNumber kDigitValues = WideNumber{1} << kDigitBits;

// What is not below 2^128 is taken modulo that; `value` must not be negative.
inline WideNumber wide(const mpz_class &value) {
  mpz_class high = value >> 64;
  return WideNumber{high.get_ui()} << 64 | value.get_ui();
}

inline mpz_class exact(WideNumber number) {
  mpz_class high = static_cast<unsigned long>(number >> 64);
  return (high << 64) + static_cast<unsigned long>(number);
}

} // namespace pathprof

#endif
