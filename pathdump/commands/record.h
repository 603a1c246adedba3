// SPDX-License-Identifier: GPL-3.0-or-later
// The command that runs programs, or looks at those that run, and prints reports, too.
#ifndef PATHPROF_PATHDUMP_COMMANDS_RECORD_H
#define PATHPROF_PATHDUMP_COMMANDS_RECORD_H

#include "pathdump/commands/commands.h"
#include "pathdump/workflow/workflow.h"

namespace pathprof {

// The operands are read when the command runs.
Run declare_record(CLI::App &command, const Operands &operands);

} // namespace pathprof

#endif
