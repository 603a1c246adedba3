// SPDX-License-Identifier: GPL-3.0-or-later
// The report for commands that made the profile themselves.
#ifndef PATHPROF_PATHDUMP_COMMANDS_REPORT_H
#define PATHPROF_PATHDUMP_COMMANDS_REPORT_H

#include <string>

#include "pathdump/ui/options.h"

namespace pathprof {

// Prints what `report FILE` prints, and returns its exit status.
int report_of(const std::string &file, const CommonOptions &options);

} // namespace pathprof

#endif
