// SPDX-License-Identifier: GPL-3.0-or-later
// Programs whose paths go through calls, under -flto: they are instrumented when they are linked, with all bodies
// present.
#ifndef PATHPROF_PLUGIN_ENTRY_LINK_H
#define PATHPROF_PLUGIN_ENTRY_LINK_H

#include "plugin/options/arguments.h"

class opt_pass;

namespace pathprof {

// Whether -flto puts off what the arguments ask for until then.
bool waits_for_link(const Arguments &arguments);

// Registers the pass, in the compiler that links.  `dump_pass` names the dumps of single functions.
void register_link_pass(const char *plugin_name, const Arguments &arguments, opt_pass *dump_pass);

} // namespace pathprof

#endif
