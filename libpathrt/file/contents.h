/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reading and writing files whole.  */
#ifndef PATHRT_CONTENTS_H
#define PATHRT_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

/* Reads a profile or raw file whole, and of anything else, which may be large, only the beginning.  False with errno
 * set.  */
bool pathrt_read_profile(int fd, struct pathprof_buffer *bytes);

/* Writes all of the data.  False with errno set.  */
bool pathrt_write_all(int fd, const unsigned char *data, size_t size);

/* What was found in the place of a file.  */
enum pathrt_found { PATHRT_ABSENT, PATHRT_UNREADABLE, PATHRT_READ };

/* Reads the file of this name and says what its mode is.  PATHRT_UNREADABLE sets errno.  */
__attribute__((visibility("hidden"))) enum pathrt_found pathrt_read_file(const struct pathrt_name *file,
                                                                         struct pathprof_buffer *bytes, mode_t *mode);

/* A message that something cannot be done with the file.  Always false, for callers that return it.  */
__attribute__((visibility("hidden"))) bool pathrt_cannot(const struct pathrt_name *file, const char *what, int error);

#endif
