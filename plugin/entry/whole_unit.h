// SPDX-License-Identifier: GPL-3.0-or-later
// Instrumenting all functions that there are at once: of a translation unit, or of a program.
#ifndef PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H
#define PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// All functions are planned, then all are emitted.  Between the two functions lose const and pure, and GCC forgets
// what it knew about the memory they touch: they all write counters now.  `dump_pass` names the dumps of single
// functions.
void instrument_unit(const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
