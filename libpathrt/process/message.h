/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Lines on stderr and elsewhere.  They are written at once, without stdio and without malloc.  */
#ifndef PATHRT_MESSAGE_H
#define PATHRT_MESSAGE_H

#include "libpathrt/process/decimal.h"

/* "pathrt: error: " and the parts, which a null pointer ends.  */
void pathrt_error(const char *part, ...) __attribute__((sentinel));
/* "pathrt: note: " and the parts.  */
void pathrt_note(const char *part, ...) __attribute__((sentinel));

/* The parts, to a descriptor of the program's.  */
void pathrt_print(int fd, const char *part, ...) __attribute__((sentinel));

/* What an errno value means, in English: a translation could need malloc.  */
const char *pathrt_reason(int error);

/* What to do where a file cannot be written for this reason: "; ...", or nothing.  */
const char *pathrt_way_out(int error);

#endif
