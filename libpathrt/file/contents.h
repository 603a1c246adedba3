/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reading and writing whole files.  */
#ifndef PATHRT_CONTENTS_H
#define PATHRT_CONTENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "libpathrt/process/name.h"
#include "profile/format/bytes.h"

/* Reads a whole profile or raw file.  If the file is neither, reads only its beginning, because it may be large.  On
 * failure, sets errno and returns false.  */
bool pathrt_read_profile(int fd, struct pathprof_buffer *bytes);

/* Writes all of the data to the file.  On failure, sets errno and returns false.  */
bool pathrt_write_all(int fd, const unsigned char *data, size_t size);

/* Result of reading a file.  */
enum pathrt_found { PATHRT_ABSENT, PATHRT_UNREADABLE, PATHRT_READ };

/* Owner and permissions of a file.  */
struct pathrt_rights {
  mode_t mode; /* 0 if unknown */
  uid_t user;
  gid_t group;
};

/* Reads a file, its owner and its permissions.  If the result is PATHRT_UNREADABLE, errno is set.  */
__attribute__((visibility("hidden"))) enum pathrt_found
pathrt_read_file(const struct pathrt_name *file, struct pathprof_buffer *bytes, struct pathrt_rights *rights);

/* Prints an error message about the file.  `what` describes the failure.  Always returns false, so callers can return
 * the result.  */
__attribute__((visibility("hidden"))) bool pathrt_cannot(const struct pathrt_name *file, const char *what, int error);

/* Makes pathrt_cannot suppress messages about denied permissions.  Used if the caller can write to another file
 * instead.  */
__attribute__((visibility("hidden"))) void pathrt_expect_refusal(void);
/* Ends the suppression of messages about denied permissions.  Returns true if a message was suppressed.  */
__attribute__((visibility("hidden"))) bool pathrt_was_refused(void);

#endif
