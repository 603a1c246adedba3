// SPDX-License-Identifier: GPL-3.0-or-later
// Opens profiles together with the raw files (profile/format/raw.h) of processes that ended suddenly.
#ifndef PATHPROF_PROFILE_MODEL_ORPHANS_H
#define PATHPROF_PROFILE_MODEL_ORPHANS_H

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "profile/format/image.h"
#include "profile/model/profile.h"

namespace pathprof {

// Returns the image of a profile, or of a raw file.  Adds the raw files of dead processes and the parts of users
// (profile/format/part.h) to a profile, which may be missing if raw files or parts exist.  Reads standard input,
// without raw files and parts, if the name is "-".  Changes no file.  Appends one line, escaped for output, to `*notes`
// for each file that is not added.
std::optional<FileBytes> open_with_orphans(const std::string &name, LoadError *error, std::vector<std::string> *notes,
                                           Accept accept = Accept::Streams);

// Returns the modules of an image by name, each with the units_key of each of its builds.
std::map<std::string, std::set<uint64_t>> modules_of(const pathprof_image &image);

// Returns the raw files that belong to the profile by name, including those of living processes.
std::vector<std::string> raw_files_of(const std::string &profile);

// Returns the name of the profile to which a raw file belongs by name, or an empty string if the name is not that of a
// raw file.
std::string profile_of_raw(const std::string &name);

} // namespace pathprof

#endif
