// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the samples that 'perf script' prints.
#ifndef PATHPROF_PATHDUMP_COST_PERF_H
#define PATHPROF_PATHDUMP_COST_PERF_H

#include <string>

#include "pathdump/model/costs.h"
#include "profile/model/profile.h"

namespace pathprof {

// The commands that create a file with perf samples, as quoted in error messages.
inline const char *const kPerfCommands = "'PATHPROF_MODE=off perf record --call-graph dwarf PROGRAM' and then "
                                         "'perf script --no-inline --no-demangle -F ip,sym,symoff,dso > FILE'";

// Returns the costs of all samples. The cost of a sample is its period, or 1 if the file contains no periods. If the
// file contains call chains, a sample in uninstrumented code is attributed to the nearest instrumented caller. Source
// lines are read from the file if it contains them (perf script -F +srcline); otherwise, they are looked up by address
// in the binaries that the file names. Throws Failure if the file is invalid.
Measurement read_perf(const std::string &file, const Profile &profile);

} // namespace pathprof

#endif
