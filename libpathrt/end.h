/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writing the counts when the process or a module ends.  */
#ifndef PATHRT_END_H
#define PATHRT_END_H

#include "libpathrt/process/registry.h"

/* Counts the open paths as truncated and writes the counts of the module `only`, or of all modules if it is null.  With
 * `may_go_on`, the counts of the open paths are provisional (libpathrt/provisional.h), because a failed exec returns.
 * Does nothing in a child of vfork, because its open activations belong to the parent.  */
void pathrt_write_at_end(struct pathrt_module *only, bool may_go_on);

#endif
