// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the commands of pathdump that read profiles.  Each function adds its arguments to `command` and returns the
// function that runs the command.
#ifndef PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H
#define PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H

#include <functional>

namespace CLI {
class App;
}

namespace pathprof {

// Runs a command and returns the exit status.  Throws Failure (ui/failure.h) on errors.
using Run = std::function<int()>;

Run declare_report(CLI::App &command);
Run declare_show(CLI::App &command);
Run declare_functions(CLI::App &command);
Run declare_path(CLI::App &command);
Run declare_coverage(CLI::App &command);
Run declare_diff(CLI::App &command);
Run declare_overlap(CLI::App &command);
Run declare_stats(CLI::App &command);
Run declare_residual(CLI::App &command);
Run declare_advise(CLI::App &command);
Run declare_export(CLI::App &command);
Run declare_html(CLI::App &command);
Run declare_tui(CLI::App &command);
Run declare_merge(CLI::App &command);
Run declare_check(CLI::App &command);

} // namespace pathprof

#endif
