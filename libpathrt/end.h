/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writes the counts when the process ends or a module is unloaded.  */
#ifndef PATHRT_END_H
#define PATHRT_END_H

#include "libpathrt/process/registry.h"

/* Counts the paths of open activations as truncated, and writes the counts of the module `only`, or of all modules if
 * `only` is null.  If `may_go_on` is true, these paths are counted provisionally (libpathrt/provisional.h), because the
 * process continues if an exec fails.  Does nothing in a child of vfork, because the open activations belong to its
 * parent.  */
void pathrt_write_at_end(struct pathrt_module *only, bool may_go_on);

#endif
