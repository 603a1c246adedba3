// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --evidence: what was covered of each function, by all criteria, in files that a reviewer can diff.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H

#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

// Writes the evidence of the profile `file` into the folder (doc/format.md describes the files).  They depend on the
// profile's bytes, on the source files that are found, and on the options, on nothing else.  Throws Failure.
void write_evidence_of(const std::string &file, const std::string &folder, const CommonOptions &options);

} // namespace pathprof

#endif
