// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a unit's source files when it is compiled: their contents, and the folder that their names belong
// to.
#ifndef PATHPROF_PLUGIN_CFG_SOURCES_H
#define PATHPROF_PLUGIN_CFG_SOURCES_H

#include <string>
#include <vector>

#include "profile/model/notes.h"

namespace pathprof {

// Fills in checksums and folder of the notes, whose files this compilation knows by these names.
//
// A checksum says what a file held that GCC has read, or that a #line names, now, at the end of the compilation.  None
// is known where the text came from elsewhere: of preprocessed input (-save-temps, distcc, an output of -E) only the
// names are here, and files of these names may be others; and so it is at link time.
void note_sources(UnitNotes &notes, const std::vector<std::string> &local_names);

} // namespace pathprof

#endif
