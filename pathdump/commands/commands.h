// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the commands of pathdump that read profiles.  Each function adds its arguments to `command` and returns the
// function that runs the command.
#ifndef PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H
#define PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H

#include <functional>

namespace pathprof {

class Subcommand;
struct Operands;

// Runs a command and returns the exit status.  Throws Failure (ui/failure.h) on errors.
using Run = std::function<int()>;

Run declare_report(Subcommand &command);
Run declare_show(Subcommand &command);
Run declare_functions(Subcommand &command);
Run declare_path(Subcommand &command);
Run declare_coverage(Subcommand &command);
Run declare_tests(Subcommand &command);
Run declare_diff(Subcommand &command);
Run declare_overlap(Subcommand &command);
Run declare_stats(Subcommand &command);
Run declare_residual(Subcommand &command);
Run declare_advise(Subcommand &command);
Run declare_export(Subcommand &command);
Run declare_html(Subcommand &command);
Run declare_tui(Subcommand &command);
Run declare_merge(Subcommand &command);
Run declare_check(Subcommand &command);
Run declare_record(Subcommand &command, const Operands &operands);

} // namespace pathprof

#endif
