/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Describes the difference between two builds of a program.  */
#ifndef PATHRT_DIFFERENCE_H
#define PATHRT_DIFFERENCE_H

#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Returns a description of the first difference, for example of the compiler versions or of a function.  If no function
 * differs, the description says so.  The result is valid until the next call.  */
const char *pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there);

#pragma GCC visibility pop

#endif
