/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Converts raw files to profiles.  The runtime and the tools share this code, so it is written in C and depends only on
 * libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_RAW_CONVERT_H
#define PATHPROF_PROFILE_FORMAT_RAW_CONVERT_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/format/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts a raw file to a profile image.  Returns false and sets `*error` if this version cannot read the data or if
 * the data is inconsistent.  The function is not reentrant.  */
bool pathprof_raw_convert(const unsigned char *data, size_t size, struct pathprof_buffer *image,
                          struct pathprof_error *error);

#ifdef __cplusplus
}
#endif
#endif
