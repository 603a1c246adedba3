/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What differs between two builds of a program, in words.  */
#ifndef PATHRT_DIFFERENCE_H
#define PATHRT_DIFFERENCE_H

#include "profile/format/image.h"

#pragma GCC visibility push(hidden)

/* Names a function that differs and how, or says that none does.  Valid until the next call.  */
const char *pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there);

#pragma GCC visibility pop

#endif
