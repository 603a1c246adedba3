/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Adding up profile images in memory.  */
#ifndef PATHRT_JOIN_H
#define PATHRT_JOIN_H

#include <stdbool.h>

#include "profile/format/bytes.h"

/* Makes the sum of two images, the caller's to free.  False with *error filled, and no sum, where they do not go
 * together or there is no memory.  */
bool pathrt_join(const struct pathprof_buffer *one, const struct pathprof_buffer *other, struct pathprof_buffer *sum,
                 struct pathprof_error *error);

#endif
