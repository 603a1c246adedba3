// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the command `record`, which profiles a program or a running process.
#ifndef PATHPROF_PATHDUMP_COMMANDS_RECORD_H
#define PATHPROF_PATHDUMP_COMMANDS_RECORD_H

#include "pathdump/commands/commands.h"
#include "pathdump/workflow/workflow.h"

namespace pathprof {

// Adds the arguments of `record` to `command` and returns a function that runs the command with `operands`.
Run declare_record(CLI::App &command, const Operands &operands);

} // namespace pathprof

#endif
