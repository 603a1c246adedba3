// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --evidence`: writes the coverage of each function, by all criteria, into files for
// review.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H

#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

// Writes the coverage evidence for the profile `file` into a directory; doc/format.md describes the evidence files.
// Their contents depend only on the profile, on the source files that were found, and on the options.  Throws Failure
// on errors.
void write_evidence_of(const std::string &file, const std::string &folder, const CommonOptions &options);

} // namespace pathprof

#endif
