// SPDX-License-Identifier: GPL-3.0-or-later
// Stores the name under which the program was started, for use in warnings and hints.
#ifndef PATHPROF_PATHDUMP_UI_PROGRAM_H
#define PATHPROF_PATHDUMP_UI_PROGRAM_H

#include <string>

namespace pathprof {

// The name of the program: "pathdump" or "pathprof". Under the name pathprof, the program also offers the commands that
// build and run programs.
inline std::string program_name = "pathdump";

} // namespace pathprof

#endif
