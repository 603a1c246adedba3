// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the options that -fprofile-use implies.
#ifndef PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H
#define PATHPROF_PLUGIN_REBUILD_IMPLIED_OPTIONS_H

namespace pathprof {

// Sets the options that -fprofile-use implies for the unit and for each of its functions, unless the user has set them.
// Options that concern values are set only if the profile has values. Call this between two functions and after the
// early passes, because these passes must produce the same code as in the profiled build.
void set_implied_options(bool has_values);

} // namespace pathprof

#endif
