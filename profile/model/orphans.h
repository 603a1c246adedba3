// SPDX-License-Identifier: GPL-3.0-or-later
// Profiles together with the raw files (profile/format/raw.h) that processes left which ended suddenly.
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

// A profile's image: of a file with its orphans and its users' parts (profile/format/part.h) added, or of a raw file
// ("-": standard input, alone).  The file itself may be missing if it has orphans or parts.  Nothing is changed.
// `notes` gets a line for each of them that is not added, fit to be shown.
std::optional<FileBytes> open_with_orphans(const std::string &name, LoadError *error, std::vector<std::string> *notes,
                                           Accept accept = Accept::Streams);

// Modules of a profile's image by their names, each with the keys over the units of its builds.
std::map<std::string, std::set<uint64_t>> modules_of(const pathprof_image &image);

// The raw files that belong to the profile by their names, also those that processes still count in.
std::vector<std::string> raw_files_of(const std::string &profile);

// The profile that a raw file's name says it belongs to; empty for another name.
std::string profile_of_raw(const std::string &name);

} // namespace pathprof

#endif
