// SPDX-License-Identifier: GPL-3.0-or-later
// Records the origin of a unit: checksums of its source files, the compilation directory and the compiler's version.
#ifndef PATHPROF_PLUGIN_CFG_SOURCES_H
#define PATHPROF_PLUGIN_CFG_SOURCES_H

#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Sets the checksums, the directory and the compiler version in the notes. `local_names` contains the names under which
// this compilation reads the files that are listed in the notes. Checksums are computed at the end of the compilation,
// for all files that GCC has read or that a #line directive names. They are omitted at link time and for preprocessed
// input (from -save-temps, distcc or -E), because the file with the recorded name may have changed by then.
void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names);

} // namespace pathprof

#endif
