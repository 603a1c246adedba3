/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Converts numbers to decimal text.  */
#include "libpathrt/process/decimal.h"

#include <string.h>

const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value) {
  char *at = buffer + PATHRT_DECIMAL_SIZE - 1;
  *at = '\0';
  do
    *--at = (char)('0' + value % 10);
  while (value /= 10);
  return memmove(buffer, at, (size_t)(buffer + PATHRT_DECIMAL_SIZE - at));
}
