// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --evidence`: writes the coverage of each function, by all criteria, into files for
// review.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H

#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

// Writes the evidence of the profile `file` into the directory (doc/format.md describes the files).  The files depend
// only on the bytes of the profile, on the source files that are found, and on the options.  Throws Failure.
void write_evidence_of(const std::string &file, const std::string &folder, const CommonOptions &options);

} // namespace pathprof

#endif
