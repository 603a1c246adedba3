// SPDX-License-Identifier: GPL-3.0-or-later
// How often the calls of a program run, by the frequencies of its graphs.
#ifndef PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H
#define PATHPROF_CORE_INTERPROCEDURAL_CALL_FREQUENCY_H

#include <vector>

#include "core/interprocedural/supergraph.h"

namespace pathprof {

// By procedure and call: executions of the call for one execution of each procedure that begins paths.  The program
// must have no recursive traversed call.
std::vector<std::vector<double>> call_frequencies(const Supergraph &program);

} // namespace pathprof

#endif
