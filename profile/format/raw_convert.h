/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* From a raw file to a profile.  Libc-only C, compiled into the runtime and into the tools.  */
#ifndef PATHPROF_PROFILE_FORMAT_RAW_CONVERT_H
#define PATHPROF_PROFILE_FORMAT_RAW_CONVERT_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/format/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes a profile image of a raw file.  False with *error filled where the data is not a raw file
 * that this version can read, or contradicts itself.  Not reentrant.  */
bool pathprof_raw_convert(const unsigned char *data, size_t size, struct pathprof_buffer *image,
                          struct pathprof_error *error);

#ifdef __cplusplus
}
#endif
#endif
