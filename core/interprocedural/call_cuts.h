// SPDX-License-Identifier: GPL-3.0-or-later
// Selects the calls that paths go through, so that all paths of a supergraph can be numbered (Melski and Reps, TR 1382,
// 1998, sections 8 and 9.1).
//
// Every traversed call on a path multiplies the number of paths, so the path IDs of a whole program would need hundreds
// or thousands of bits.  Paths are therefore truncated at the calls that cost the most bits relative to their execution
// frequency.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_CUTS_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_CUTS_H

#include <optional>
#include <vector>

#include <gmpxx.h>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// A truncated call, identified by its procedure and its index in the procedure.  Its kind was changed so that the
// number of paths satisfies the limit.
struct CutCall {
  int procedure = 0;
  int call = 0;
};

// Returns the exact number of paths in a supergraph, like SupergraphNumbering::num_paths(), but without numbering the
// paths.  The supergraph must not contain recursive traversed calls.
mpz_class count_paths(const Supergraph &supergraph);

// Changes traversed calls to the kind `instead` until the supergraph has at most `limit` paths, and sets `begins_paths`
// of their callees.  `frequencies` contains the execution frequency of each call, indexed by procedure and call.  Only
// the ratios of the frequencies matter, and values that are not positive are treated as 0.  The supergraph must not
// contain recursive traversed calls.  If calls must be truncated, a limit above 2^399 is treated as 2^399.
//
// A greedy search maximizes the sum of the frequencies of the calls that stay traversed.  The result depends only on
// the arguments, not on the time that the search takes.
//
// Returns the truncated calls, ordered by procedure and call, or an empty vector if no call must be truncated.  Returns
// nullopt if no choice satisfies the limit.  In this case, all traversed calls are truncated, and the caller must add
// truncation points inside the procedures.
std::optional<std::vector<CutCall>> cut_calls_to_limit(Supergraph &supergraph,
                                                       const std::vector<std::vector<double>> &frequencies,
                                                       const mpz_class &limit, CallKind instead);

} // namespace pathprof

#endif
