// SPDX-License-Identifier: GPL-3.0-or-later
// Which calls paths go through, so that all paths of a program can be numbered (Melski and Reps, TR 1382, 1998,
// sections 8 and 9.1).
//
// Every call on the way multiplies the number of paths, so a whole program's would take hundreds or thousands of bits.
// Calls are stepped over until the numbers fit: first those that save the most bits per execution that paths lose.
#ifndef PATHPROF_CORE_CALL_CUTS_H
#define PATHPROF_CORE_CALL_CUTS_H

#include <vector>

#include <gmpxx.h>

#include "core/supergraph.h"

namespace pathprof {

// A call that was cut to fit, by procedure and index.
struct CutCall {
  int procedure = 0;
  int call = 0;
};

// Turns Whole calls into `instead` until there are at most `limit` paths, where procedures called at such a site
// begin paths.  `frequencies`, by procedure and call, say how often a call runs; only ratios matter.  The program
// must have no recursive Whole call.  Returns the calls, or nothing with all calls cut where even then there are more.
std::vector<CutCall> cut_calls_to_limit(Supergraph &program, const std::vector<std::vector<double>> &frequencies,
                                        const mpz_class &limit, CallKind instead);

} // namespace pathprof

#endif
