// SPDX-License-Identifier: GPL-3.0-or-later
// Making a function's loops reducible.
#ifndef PATHPROF_PLUGIN_CFG_SPLIT_H
#define PATHPROF_PLUGIN_CFG_SPLIT_H

namespace pathprof {

// Copies blocks of `cfun` until control enters each loop at one block (core/graph/irreducible.h), so that all loops can
// have context.  Only in SSA form.  Loops stay as they are if too many statements would be copied, in functions with
// abnormal edges, and where GCC does not allow a copy.
void make_loops_reducible();

} // namespace pathprof

#endif
