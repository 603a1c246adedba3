/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Output of messages to stderr and of text to other descriptors.  Each line is written in one piece, without using
 * stdio or malloc.  */
#ifndef PATHRT_MESSAGE_H
#define PATHRT_MESSAGE_H

#include "libpathrt/process/name.h"

/* Prints "pathrt: error: " followed by the parts.  The last argument must be a null pointer.  */
void pathrt_error(const char *part, ...) __attribute__((sentinel));
/* Prints "pathrt: note: " followed by the parts.  The last argument must be a null pointer.  */
void pathrt_note(const char *part, ...) __attribute__((sentinel));

/* Prints the parts to a descriptor that belongs to the program.  */
void pathrt_print(int fd, const char *part, ...) __attribute__((sentinel));

/* Returns the English description of an errno value.  It is not translated, because translation can require malloc.  */
const char *pathrt_reason(int error);

/* Returns a remedy for the error, or an empty string if there is none.  A remedy starts with "; ".  */
const char *pathrt_way_out(int error);

#endif
