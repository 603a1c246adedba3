// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the names in a profile displayable.
#ifndef PATHPROF_PATHDUMP_UI_VISIBLE_NAMES_H
#define PATHPROF_PATHDUMP_UI_VISIBLE_NAMES_H

#include "profile/model/profile.h"

namespace pathprof {

// Escapes nonprintable characters in the names that the profile contains, so that the names can be displayed in any
// format (profile/model/visible.h). UnitSources::names is not changed and contains the original names of source files.
void make_names_visible(Profile &profile);

} // namespace pathprof

#endif
