// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump coverage --changed-since: what no test took of the code that changed since a revision.
#ifndef PATHPROF_PATHDUMP_COVERAGE_CHANGED_PATHS_H
#define PATHPROF_PATHDUMP_COVERAGE_CHANGED_PATHS_H

#include <cstdint>
#include <string>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"

namespace pathprof {

struct ChangedOptions {
  std::string revision;
  std::string earlier;  // a profile whose counts count in functions that are as they were; empty: none
  std::string annotate; // "github", "gitlab", or empty
  double least = 0;     // per cent of the paths through changed lines
  uint64_t limit = 20;  // paths; 0: all that were found
};

// Prints it.  `file` is the profile.  Throws Failure.
ExitStatus cover_changed_code(const std::string &file, const ChangedOptions &changed, const CommonOptions &options);

} // namespace pathprof

#endif
