// SPDX-License-Identifier: GPL-3.0-or-later
// Declares `pathdump coverage --changed-since`: reports code that changed since a revision and was not executed.
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
  std::string earlier;  // name of an earlier profile, whose counts are added in unchanged functions; may be empty
  std::string annotate; // "github", "gitlab", or empty
  double least = 0;     // required coverage in per cent of the paths through changed lines
  double line = 0;      // required coverage in per cent of the changed lines
  double branch = 0;    // required coverage in per cent of the branch outcomes on changed lines
  uint64_t limit = 20;  // maximum number of paths to list per function; 0: all that were found
};

// Adds the counts of an earlier profile for functions whose graph and model are the same in both profiles.
void add_earlier(Profile &profile, const Profile &earlier);

// Prints the report on the profile, which was read from `file`, and returns the exit status.  Throws Failure on errors.
ExitStatus cover_changed_code(Profile profile, const std::string &file, const ChangedOptions &changed,
                              const CommonOptions &options);

} // namespace pathprof

#endif
