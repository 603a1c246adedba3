// SPDX-License-Identifier: GPL-3.0-or-later
// Making the names in a profile fit to be shown.
#ifndef PATHPROF_PATHDUMP_UI_VISIBLE_NAMES_H
#define PATHPROF_PATHDUMP_UI_VISIBLE_NAMES_H

#include "profile/model/profile.h"

namespace pathprof {

// All names in it become fit to be shown (profile/model/visible.h), in whatever format: what a file is called on disk
// only UnitSources::names says.
void make_names_visible(Profile &profile);

} // namespace pathprof

#endif
