// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the subcommands.  Each function adds its arguments to `command` and returns the function that runs the
// command.  `operands` are the arguments of a command that runs a program; they are set before the command runs.
#ifndef PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H
#define PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H

#include <functional>
#include <string>

namespace pathprof {

class Subcommand;
struct CommonOptions;
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
Run declare_justify(Subcommand &command);
Run declare_merge(Subcommand &command);
Run declare_check(Subcommand &command);
Run declare_import(Subcommand &command);
Run declare_record(Subcommand &command, const Operands &operands);
Run declare_build(Subcommand &command, const Operands &operands);
Run declare_find_bug(Subcommand &command, const Operands &operands);
Run declare_rebuild(Subcommand &command, const Operands &operands);

// Runs `report` on the profile `file` and returns the exit status.
int report_of(const std::string &file, const CommonOptions &options);

} // namespace pathprof

#endif
