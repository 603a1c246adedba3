/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writing the counts of a process's modules.  */
#ifndef PATHRT_WRITE_H
#define PATHRT_WRITE_H

#include <stdbool.h>

struct pathrt_module;

/* Adds the counts of all modules, or of only one, to their file; they are zero then.  True also
 * where there is nothing to do; false after a message, and the counts are kept.  */
bool pathrt_write(struct pathrt_module *only);

#endif
