/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Messages on stderr and text on other descriptors.  Each line is written at once, without stdio or malloc.  */
#ifndef PATHRT_MESSAGE_H
#define PATHRT_MESSAGE_H

#include "libpathrt/process/decimal.h"

/* Prints "pathrt: error: " and the parts, which end with a null pointer.  */
void pathrt_error(const char *part, ...) __attribute__((sentinel));
/* Prints "pathrt: note: " and the parts, which end with a null pointer.  */
void pathrt_note(const char *part, ...) __attribute__((sentinel));

/* Prints the parts to a descriptor of the program.  */
void pathrt_print(int fd, const char *part, ...) __attribute__((sentinel));

/* Returns the English description of an errno value.  A translation could need malloc.  */
const char *pathrt_reason(int error);

/* Returns a remedy for the error that starts with "; ", or an empty string.  */
const char *pathrt_way_out(int error);

#endif
