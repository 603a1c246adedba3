// SPDX-License-Identifier: GPL-3.0-or-later
// Opens profiles together with the raw files (profile/format/raw.h) of processes that ended without adding their counts
// to the profile.
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

// Returns the image of a profile or of a raw file.  The image of a profile also includes the raw files of dead
// processes and the parts of the profile that belong to other users (profile/format/part.h).  The profile itself can be
// missing if there are raw files or parts.  If the name is "-", reads only standard input.  Does not change any file.
// For each file that is not included, appends one line to `*notes`, escaped for output.
std::optional<FileBytes> open_with_orphans(const std::string &name, LoadError *error, std::vector<std::string> *notes,
                                           Accept accept = Accept::Streams);

// Returns a map from the name of each module in the image to the units_keys of the module's builds.
std::map<std::string, std::set<uint64_t>> modules_of(const pathprof_image &image);

// Returns all raw files of the profile, including those of running processes.  Raw files are recognized by their names.
std::vector<std::string> raw_files_of(const std::string &profile);

// Returns the name of the profile that a raw file belongs to, which is part of the raw file's name.  Returns an empty
// string if `name` is not the name of a raw file.
std::string profile_of_raw(const std::string &name);

} // namespace pathprof

#endif
