/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Decimal numbers for messages and for names of files, without stdio.  */
#ifndef PATHRT_DECIMAL_H
#define PATHRT_DECIMAL_H

#include <stdint.h>

/* Writes the number in decimal digits.  Returns the buffer.  */
enum { PATHRT_DECIMAL_SIZE = 21 };
const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value);

#endif
