// SPDX-License-Identifier: GPL-3.0-or-later
// Estimates how often each call of a program is executed, from the frequencies of its graphs.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H

#include <vector>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// Returns, by procedure and call, the executions of the call if each procedure that starts paths is entered once.  The
// program must have no recursive traversed call.
std::vector<std::vector<double>> call_frequencies(const Supergraph &program);

} // namespace pathprof

#endif
