// SPDX-License-Identifier: GPL-3.0-or-later
// How many prime paths a function has.
//
// A path passes strongly connected components one behind the other, and what it does in one does not matter in the
// next: only in the first one it depends on it whether a block could come before the path, and only in the last one
// whether it could go on.  So within components simple paths are walked through one by one, and what they make together
// is added and multiplied from component to component: a function without loops takes no more time than it has edges,
// however many paths it has.
#ifndef PATHPROF_CORE_ANALYSIS_PRIME_TOTAL_H
#define PATHPROF_CORE_ANALYSIS_PRIME_TOTAL_H

#include <cstdint>

#include <gmpxx.h>

#include "core/analysis/prime_paths.h"

namespace pathprof {

struct PrimeTotal {
  mpz_class all = 0;
  mpz_class measured = 0; // of these, how many sequences of `k` paths show (PrimeGraph::needed_paths)
  bool is_exact = true;   // else there are at least so many
};

// `effort` is lowered by the number of edges that were looked at, and ends the walks at 0.
PrimeTotal count_all_prime_paths(const PrimeGraph &graph, uint32_t k, uint64_t &effort);

} // namespace pathprof

#endif
