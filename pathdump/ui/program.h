// SPDX-License-Identifier: GPL-3.0-or-later
// The name by which the program was started, of which there are two: warnings and hints name it.
#ifndef PATHPROF_PATHDUMP_UI_PROGRAM_H
#define PATHPROF_PATHDUMP_UI_PROGRAM_H

#include <string>

namespace pathprof {

// "pathdump" or "pathprof": as pathprof it has the commands that build and run programs, too.
inline std::string program_name = "pathdump";

} // namespace pathprof

#endif
