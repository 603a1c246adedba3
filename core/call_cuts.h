// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls paths go through, so that all paths of a program can be numbered (Melski and Reps, TR 1382, 1998,
// sections 8 and 9.1).
//
// Every call on the way multiplies the number of paths, so a whole program's would take hundreds or thousands of bits.
// So some are cut: those that take many bits for the executions that paths would lose.
#ifndef PATHPROF_CORE_CALL_CUTS_H
#define PATHPROF_CORE_CALL_CUTS_H

#include <optional>
#include <vector>

#include <gmpxx.h>

#include "core/supergraph.h"

namespace pathprof {

// A call that was cut to fit, by procedure and index.
struct CutCall {
  int procedure = 0;
  int call = 0;
};

// How many paths a program has, exactly, with its calls and `begins_paths` as they are: what
// SupergraphNumbering::num_paths() says, without numbering them.  No Whole call may be recursive.
mpz_class count_paths(const Supergraph &program);

// Turns Whole calls into `instead` (not Whole) until there are at most `limit` paths, and sets `begins_paths` of the
// procedures called there; nothing else changes.  `frequencies`, by procedure and call, say how often a call runs:
// only ratios matter, and what is not positive counts as never.  No Whole call may be recursive.  A limit above 2^399
// is taken for that where not all fits as it is.
//
// Calls whose frequencies sum up to as much as a greedy search finds stay Whole.  It does not look at the clock: the
// same arguments have the same result.
//
// Returns the calls, in the order of procedures and calls; none where all paths fit as they are.  Returns nullopt
// where no choice was found that fits; then all Whole calls are cut.  What is left to shorten are the procedures
// themselves.
std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &program,
                                                       const std::vector<std::vector<double>> &frequencies,
                                                       const mpz_class &limit, CallKind instead);

} // namespace pathprof

#endif
