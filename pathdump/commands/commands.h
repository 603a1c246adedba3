// SPDX-License-Identifier: GPL-3.0-or-later
// The commands.  Each declares its arguments and gives what runs it.
#ifndef PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H
#define PATHPROF_PATHDUMP_COMMANDS_COMMANDS_H

#include <functional>

namespace CLI {
class App;
}

namespace pathprof {

// Gives the exit status, or throws Failure (ui/failure.h).
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
