// SPDX-License-Identifier: GPL-3.0-or-later
// Executed paths as call stacks with weights, for viewers of flame graphs.
#ifndef PATHPROF_PATHDUMP_STACKS_H
#define PATHPROF_PATHDUMP_STACKS_H

#include <string>

#include "pathdump/common.h"

namespace pathprof {

// A stack for each executed path: of a function's path the function, of a program's path the functions that are open
// at its end; and then the path itself, named by its lines.  Weights are executions × statements.

// Lines "main;count;wc.c:12-14 [path 3] 120".
void export_collapsed(const Profile &profile, const std::string &file, const Names &names, Output &out);
// JSON of speedscope.app.
void export_speedscope(const Profile &profile, const std::string &file, const Names &names, Output &out);

} // namespace pathprof

#endif
