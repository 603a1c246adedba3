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

/* Owner and permissions of a file.  */
struct pathrt_rights {
  mode_t mode; /* 0: unknown */
  uid_t user;
  gid_t group;
};

/* Reads the file of this name and its rights.  PATHRT_UNREADABLE sets errno.  */
__attribute__((visibility("hidden"))) enum pathrt_found
pathrt_read_file(const struct pathrt_name *file, struct pathprof_buffer *bytes, struct pathrt_rights *rights);

/* Prints a message that something cannot be done with the file.  Always returns false, for callers that return it.  */
__attribute__((visibility("hidden"))) bool pathrt_cannot(const struct pathrt_name *file, const char *what, int error);

/* From now on, pathrt_cannot prints nothing if permission is denied: the caller has another file to write to.  */
__attribute__((visibility("hidden"))) void pathrt_expect_refusal(void);
/* Ends that, and returns true if permission was denied.  */
__attribute__((visibility("hidden"))) bool pathrt_was_refused(void);

#endif
