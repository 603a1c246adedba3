// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls paths go through, so that all paths of a program can be numbered (Melski and Reps, TR 1382, 1998,
// sections 8 and 9.1).
//
// Every call on the path multiplies the number of paths, so a whole program's would take hundreds or thousands of bits.
// So some are cut: those that take many bits for the executions that paths would lose.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_CUTS_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_CUTS_H

#include <optional>
#include <vector>

#include <gmpxx.h>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// A call that was cut to fit, by procedure and index.
struct CutCall {
  int procedure = 0;
  int call = 0;
};

// How many paths a program has, exactly, with its calls and `begins_paths` as they are: what
// SupergraphNumbering::num_paths() says, without numbering them.  No traversed call may be recursive.
mpz_class count_paths(const Supergraph &program);

// Turns traversed calls into `instead` (not traversed) until there are at most `limit` paths, and sets `begins_paths`
// of the procedures called there; nothing else changes.  `frequencies`, by procedure and call, say how often a call
// runs: only their ratios matter, and a call whose frequency is not positive counts as one that never runs.  No
// traversed call may be recursive.  Where the program as it is exceeds the limit, a limit above 2^399 means 2^399.
//
// A greedy search looks for the set of calls that stay traversed with the largest sum of frequencies.  It does not look
// at the clock: the same arguments have the same result.
//
// Returns the calls that were cut, in the order of procedures and calls; none where all paths fit as they are.  Returns
// nullopt where no set of calls was found that fits; then all traversed calls are cut, and the caller can only cut
// edges inside of procedures.
std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &program,
                                                       const std::vector<std::vector<double>> &frequencies,
                                                       const mpz_class &limit, CallKind instead);

} // namespace pathprof

#endif
