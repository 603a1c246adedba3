/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Builds file names and decimal numbers.  */
#include "libpathrt/process/name.h"

#include <string.h>

#include "profile/format/text.h"

const char *pathrt_decimal(char buffer[PATHRT_DECIMAL_SIZE], uint64_t value) {
  char *at = buffer + PATHRT_DECIMAL_SIZE - 1;
  *at = '\0';
  do
    *--at = (char)('0' + value % 10);
  while (value /= 10);
  return memmove(buffer, at, (size_t)(buffer + PATHRT_DECIMAL_SIZE - at));
}

void pathrt_name_append_bytes(struct pathrt_name *name, const char *bytes, size_t n) {
  if (n >= sizeof name->text - name->size) {
    name->too_long = true;
    return;
  }
  memcpy(name->text + name->size, bytes, n);
  name->size += n;
  name->text[name->size] = '\0';
}

void pathrt_name_clear(struct pathrt_name *name) {
  name->text[0] = '\0';
  name->size = name->hidden = 0;
  name->too_long = false;
}

void pathrt_name_append(struct pathrt_name *name, const char *text) {
  pathrt_name_append_bytes(name, text, pathprof_text_size(text));
}

void pathrt_name_append_number(struct pathrt_name *name, unsigned long value) {
  char decimal[PATHRT_DECIMAL_SIZE];
  pathrt_name_append(name, pathrt_decimal(decimal, value));
}

void pathrt_name_append_hex(struct pathrt_name *name, const unsigned char *bytes, size_t n) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < n; i++) {
    char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
    pathrt_name_append_bytes(name, pair, 2);
  }
}

void pathrt_name_extend(struct pathrt_name *name, const struct pathrt_name *base, const char *suffix) {
  pathrt_name_clear(name);
  pathrt_name_append_bytes(name, base->text, base->size);
  name->hidden = base->hidden;
  pathrt_name_append(name, suffix);
}

const char *pathrt_base_name(const char *path) {
  const char *slash = pathprof_text_find_last(path, '/');
  return slash ? slash + 1 : path;
}
