// SPDX-License-Identifier: GPL-3.0-or-later
// Merges profiles into a weighted sum.
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

// Returns the weighted sum of the files; `weights` contains one weight per file. Memory use grows with the number of
// distinct functions and paths, not with the number of files. Throws Failure if a file cannot be read or if the
// profiled programs were built by different compilers. `target` is the file that the sum will replace, or empty. The
// raw files of `target` are excluded from the sum, because their counts are added whenever `target` is read.
MergedImage merge_profiles(const std::vector<std::string> &files, const std::vector<uint64_t> &weights,
                           const std::string &target = {});

// Returns the sum of the files as a parsed profile, without printing warnings.
Profile open_merged(const std::vector<std::string> &files);

} // namespace pathprof

#endif
