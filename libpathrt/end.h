/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What is done when the process ends, or a module does.  */
#ifndef PATHRT_END_H
#define PATHRT_END_H

#include "libpathrt/process/registry.h"

/* Counts what is open as cut short, and writes.  `only`: one module, null: all.  `may_go_on`: an exec that fails
 * returns, so these counts are provisional (libpathrt/provisional.h).  Does nothing in a child of vfork, whose open
 * activations are its parent's.  */
void pathrt_write_at_end(struct pathrt_module *only, bool may_go_on);

#endif
