// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates how often each call of a supergraph is executed, from the frequencies of its graphs.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H

#include <vector>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// Returns the estimated execution frequency of each call, by procedure and call index.  If paths start at the entry of
// a procedure, the procedure is assumed to be entered once, in addition to its entries through traversed calls.  The
// supergraph must not contain recursive traversed calls.
std::vector<std::vector<double>> call_frequencies(const Supergraph &supergraph);

} // namespace pathprof

#endif
