// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments all functions of a translation unit or program at once.
#ifndef PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H
#define PATHPROF_PLUGIN_ENTRY_WHOLE_UNIT_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Plans all functions, and then instruments all of them. Between these two steps, the plugin removes the attributes
// const and pure from functions and discards GCC's information about the memory that functions access, because all
// functions now write counters. `dump_pass` provides the name of per-function dumps.
void instrument_unit(const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
