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

// The sum of the files, each times its weight, of which there are as many.  Memory grows with the functions and paths
// that differ, not with the files.  Throws Failure, also where the files are of builds by different compilers. `target`
// is the file that the sum replaces, if any.  Files next to it that are added whenever it is read are not part of the
// sum, because they stay there.
MergedImage merge_profiles(const std::vector<std::string> &files, const std::vector<uint64_t> &weights,
                           const std::string &target = {});

// The sum of the files as one profile.  Prints no warnings.
Profile open_merged(const std::vector<std::string> &files);

} // namespace pathprof

#endif
