// SPDX-License-Identifier: GPL-3.0-or-later
// The options that -fprofile-use implies.
#ifndef PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H

namespace pathprof {

// Sets, for the unit and for each of its functions, the options that -fprofile-use implies, where the user has not set
// them; those that concern values only where the profile has some.  To be called between two
// functions, not before the early passes: they are to make the same of a function as when its profile was collected.
void set_implied_options(bool has_values);

} // namespace pathprof

#endif
