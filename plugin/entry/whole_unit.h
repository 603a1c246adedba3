// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments all functions of a translation unit or program at once.
#ifndef PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H
#define PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Plans all functions, and then instruments them. Between these two steps, the const and pure attributes are removed
// and GCC's information about the memory that functions access is discarded, because instrumented functions write
// counters. `dump_pass` provides the name for dumps of single functions.
void instrument_unit(const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
