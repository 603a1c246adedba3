// SPDX-License-Identifier: GPL-3.0-or-later
// Prints the report of a profile for commands that have just written the profile.
#ifndef PATHPROF_PATHDUMP_COMMANDS_REPORT_H
#define PATHPROF_PATHDUMP_COMMANDS_REPORT_H

#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

// Runs `report` on the profile `file` and returns the exit status.
int report_of(const std::string &file, const CommonOptions &options);

} // namespace pathprof

#endif
