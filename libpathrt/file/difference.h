/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Description of the difference between two builds of a program.  */
#ifndef PATHRT_DIFFERENCE_H
#define PATHRT_DIFFERENCE_H

#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Returns a text that names a function that differs, or states that no function differs.  Valid until the next
 * call.  */
const char *pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there);

#pragma GCC visibility pop

#endif
