// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --evidence`: writes the coverage of each function, by all criteria, into files for
// review.
#ifndef PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H
#define PATHPROF_PATHDUMP_COVERAGE_EVIDENCE_H

#include <functional>
#include <string>
#include <vector>

#include "pathdump/coverage/output_folder.h"
#include "pathdump/coverage/thresholds.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

inline constexpr OutputFolder kEvidenceFolder = {"--evidence", "manifest.json", "{\n\"evidence\": "};

struct EvidenceOptions {
  std::string folder;
  ObjectOptions objects;
  std::string justifications; // name of the file; if empty, that of the source tree is used
  Thresholds thresholds;
  bool counts_exceptions = true;
  std::vector<std::string> test_results; // names of JUnit files
  bool reports_faults = true;            // print invalid justifications; false if the report prints them
  // Throws Failure if the report that accompanies the evidence cannot be made from the profile.
  std::function<void(const Profile &profile)> check = [](const Profile &) {};
};

// Writes the coverage evidence for the profile `file` into a directory; doc/pathdump.md describes the evidence files.
// Their contents depend only on the profile, on the source and object files that were found, and on the options. Prints
// one line to standard error for each source or object file that does not match the profile, for each test that failed
// and, if `reports_faults` is set, for each invalid justification. Returns kBadData if there are such files; otherwise,
// returns kMissed if the verdict is "failed". Throws Failure on errors.
ExitStatus write_evidence_of(const std::string &file, const CommonOptions &options, const EvidenceOptions &evidence);

} // namespace pathprof

#endif
