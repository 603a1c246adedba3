// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the prime paths of a function.
//
// A path passes through strongly connected components in topological order, and its part in one component is
// independent of its part in the next.  Only the first component determines whether a block could precede the path, and
// only the last component determines whether the path could continue.  Simple paths are therefore enumerated within
// components only, and the numbers are added and multiplied across components.  A function without loops takes time
// proportional to its edges, however many paths it has.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_TOTAL_H
#define PATHPROF_CORE_ANALYSIS_PRIME_TOTAL_H

#include <cstdint>

#include <gmpxx.h>

#include "core/analysis/prime_paths.h"

namespace pathprof {

struct PrimeTotal {
  mpz_class all = 0;
  mpz_class measured = 0; // number of prime paths that sequences of `k` paths can show (PrimeGraph::needed_paths)
  bool is_exact = true;   // false if the numbers are lower bounds
};

// Counts all prime paths.  `effort` is decremented for each visited edge, and the enumeration stops when it reaches 0.
PrimeTotal count_all_prime_paths(const PrimeGraph &graph, uint32_t k, uint64_t &effort);

} // namespace pathprof

#endif
