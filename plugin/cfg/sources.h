// SPDX-License-Identifier: GPL-3.0-or-later
// Where a unit comes from, as its compilation knows: the contents of its source files, the folder that their names
// belong to, the version of the compiler.
#ifndef PATHPROF_PLUGIN_CFG_SOURCES_H
#define PATHPROF_PLUGIN_CFG_SOURCES_H

#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Fills in checksums, folder and compiler of the notes, whose files this compilation knows by these names.
//
// A checksum says what a file held that GCC has read, or that a #line names, now, at the end of the compilation.  None
// is known where the text came from elsewhere: of preprocessed input (-save-temps, distcc, an output of -E) only the
// names are here, and files of these names may be others; and so it is at link time.
void note_origin(UnitNotes &notes, const std::vector<std::string> &local_names);

} // namespace pathprof

#endif
