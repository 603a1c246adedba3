// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments programs with interprocedural paths at link time (-flto), when all bodies are available.
#ifndef PATHPROF_PLUGIN_ENTRY_LINK_H
#define PATHPROF_PLUGIN_ENTRY_LINK_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Returns true if, with these arguments, code that is compiled with -flto is instrumented only at link time.
bool waits_for_link(const Arguments &arguments);

// Registers the pass that instruments the program in the link-time compiler. The pass writes the dumps of individual
// functions under the name of `dump_pass`.
void register_link_pass(const char *plugin_name, const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
