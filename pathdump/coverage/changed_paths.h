// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --changed-since: what no test took of the code that changed since a revision.
#ifndef PATHPROF_PATHDUMP_COVERAGE_CHANGED_PATHS_H
#define PATHPROF_PATHDUMP_COVERAGE_CHANGED_PATHS_H

#include <cstdint>
#include <string>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

struct ChangedOptions {
  std::string revision;
  std::string earlier;  // a profile whose counts count in functions that are as they were; empty: none
  std::string annotate; // "github", "gitlab", or empty
  double least = 0;     // per cent of the paths through changed lines
  uint64_t limit = 20;  // paths; 0: all that were found
};

// A profile, with the counts of an earlier one (empty: none) in functions whose graph and model are the same.
Profile open_with_earlier(const std::string &file, const std::string &earlier);

// Prints it.  `file` is the profile.  Throws Failure.
ExitStatus cover_changed_code(const std::string &file, const ChangedOptions &changed, const CommonOptions &options);

} // namespace pathprof

#endif
