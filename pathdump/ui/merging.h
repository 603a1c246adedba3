// SPDX-License-Identifier: GPL-3.0-or-later
// The weighted sum of profiles.
#ifndef PATHPROF_PATHDUMP_UI_MERGING_H
#define PATHPROF_PATHDUMP_UI_MERGING_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "profile/format/image.h"
#include "profile/model/profile.h"

namespace pathprof {

using MergedImage = std::shared_ptr<pathprof_buffer>;

// The sum of the files, each times its weight, of which there are as many.  Memory grows with the functions and paths that
// differ, not with the files.  Throws Failure, also where the files are of builds by different compilers.
MergedImage merge_profiles(const std::vector<std::string> &files, const std::vector<uint64_t> &weights);

// The sum of the files as one profile.  Prints no warnings.
Profile open_merged(const std::vector<std::string> &files);

} // namespace pathprof

#endif
