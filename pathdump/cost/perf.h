// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the samples that perf script prints.
#ifndef PATHPROF_PATHDUMP_COST_PERF_H
#define PATHPROF_PATHDUMP_COST_PERF_H

#include <string>

#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

// The commands that make the text, for messages.
inline const char *const kPerfCommands = "'PATHPROF_MODE=off perf record --call-graph dwarf PROGRAM' and then "
                                         "'perf script --no-inline -F ip,sym,symoff,dso > FILE'";

// What each sample cost (its period, or 1 where the text has none).  A sample in code that is not instrumented is its
// caller's in instrumented code, where the text has call chains.  Lines are those of the text (perf script -F
// +srcline), else they are found by the addresses in the binaries that it names.  Throws Failure.
Measurement read_perf(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
