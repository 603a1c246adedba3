/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Conversion of numbers to decimal strings, for messages and file names.  Does not use stdio.  */
#ifndef PATHRT_DECIMAL_H
#define PATHRT_DECIMAL_H

#include <stdint.h>

/* Writes `value` to `buffer` in decimal and returns the buffer.  */
enum { PATHRT_DECIMAL_SIZE = 21 };
const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value);

#endif
