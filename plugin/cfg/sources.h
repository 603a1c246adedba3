// SPDX-License-Identifier: GPL-3.0-or-later
// Records the origin of a unit: checksums of its source files, the compilation directory and the compiler's version.
#ifndef PATHPROF_PLUGIN_CFG_SOURCES_H
#define PATHPROF_PLUGIN_CFG_SOURCES_H

#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Sets the checksums, the directory and the compiler version in the notes. `local_names` are the names under which this
// compilation reads the files of the notes.
//
// A checksum is computed at the end of the compilation, for each file that GCC has read or that a #line directive
// names. There are no checksums for preprocessed input (-save-temps, distcc, output of -E) or at link time. For such
// input, only file names are known, and the files of these names may have other contents.
void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names);

} // namespace pathprof

#endif
