/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Addition of profile images in memory.  */
#ifndef PATHRT_JOIN_H
#define PATHRT_JOIN_H

#include <stdbool.h>

#include "profile/format/bytes.h"

/* Computes the sum of two profile images.  The caller must free `*sum`.  If the images do not match or memory is
 * exhausted, sets `*error`, leaves `*sum` empty and returns false.  */
bool pathrt_join(const struct pathprof_buffer *one, const struct pathprof_buffer *other, struct pathprof_buffer *sum,
                 struct pathprof_error *error);

#endif
