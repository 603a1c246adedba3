// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments all functions of a translation unit or program at once.
#ifndef PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H
#define PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Plans all functions, and then instruments them. Instrumented functions write counters. Therefore, the const and pure
// attributes of functions and GCC's information about the memory that functions access are discarded between these two
// steps. Dumps of individual functions are written under the name of `dump_pass`.
void instrument_unit(const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
