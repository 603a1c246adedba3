// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the type of interprocedural path IDs, which may be wider than a register.
#ifndef PATHPROF_CORE_NUMBERING_WIDE_H
#define PATHPROF_CORE_NUMBERING_WIDE_H

#include <cstdint>

#include <gmpxx.h>

namespace pathprof {

// Type of interprocedural path IDs and edge increments.  Arithmetic is modulo 2^128.
using WideNumber = unsigned __int128;

// A counted path ID consists of at most kMaxDigits digits of kDigitBits bits each.  A path ID with two digits is stored
// as a sequence of two nodes in the forest.
constexpr uint32_t kMaxDigits = 2;
constexpr unsigned kDigitBits = 62;
constexpr WideNumber kDigitValues = WideNumber{1} << kDigitBits;

// Returns `value` modulo 2^128; `value` must not be negative.
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
