/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Describes the difference between two builds of a program.  */
#ifndef PATHRT_DIFFERENCE_H
#define PATHRT_DIFFERENCE_H

#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

enum { PATHRT_DIFFERENCE_SIZE = 512 };

/* Writes a description of the first difference to `text`, for example of the compiler versions or of a function.  If no
 * function differs or memory is exhausted, the description does not name a function.  */
void pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there,
                       char text[PATHRT_DIFFERENCE_SIZE]);

#pragma GCC visibility pop

#endif
