/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Expansion of file name patterns.  */
#define _GNU_SOURCE
#include "libpathrt/filename.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libpathrt/message.h"

/* ---- names ---- */

static void append_bytes(struct pathrt_name *name, const char *bytes, size_t n) {
  if (n >= sizeof name->text - name->size) {
    name->too_long = true;
    return;
  }
  memcpy(name->text + name->size, bytes, n);
  name->size += n;
  name->text[name->size] = '\0';
}

static void clear(struct pathrt_name *name) {
  name->text[0] = '\0';
  name->size = name->hidden = 0;
  name->too_long = false;
}

void pathrt_name_append(struct pathrt_name *name, const char *text) {
  append_bytes(name, text, strlen(text));
}

void pathrt_name_append_number(struct pathrt_name *name, unsigned long value) {
  char decimal[PATHRT_DECIMAL_SIZE];
  pathrt_name_append(name, pathrt_decimal(decimal, value));
}

void pathrt_name_append_hex(struct pathrt_name *name, const unsigned char *bytes, size_t n) {
  static const char digits[] = "0123456789abcdef";
  for (size_t i = 0; i < n; i++) {
    char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
    append_bytes(name, pair, 2);
  }
}

void pathrt_name_extend(struct pathrt_name *name, const struct pathrt_name *base, const char *suffix) {
  clear(name);
  append_bytes(name, base->text, base->size);
  name->hidden = base->hidden;
  pathrt_name_append(name, suffix);
}

const char *pathrt_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* ---- patterns ---- */

/* Text that a pattern stands for; a percent sign in it must survive the second expansion.  */
static void append_value(struct pathrt_name *pattern, const char *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    append_bytes(pattern, &value[i], 1);
    if (value[i] == '%')
      append_bytes(pattern, "%", 1);
  }
}

static void append_host(struct pathrt_name *pattern) {
  char host[256] = "";
  if (gethostname(host, sizeof host - 1) != 0)
    host[0] = '\0';
  append_value(pattern, host, strlen(host));
}

static void append_variable(struct pathrt_name *pattern, const char *name, const char *otherwise) {
  const char *value = secure_getenv(name);
  if (!value || !*value)
    value = otherwise;
  append_value(pattern, value, strlen(value));
}

/* %q{VAR}, from the brace on.  Returns how much of the text it is, 0 if it is malformed.  */
static size_t append_quoted(struct pathrt_name *pattern, const char *text) {
  char name[256];
  const char *end = *text == '{' ? strchr(text, '}') : NULL;
  if (!end || (size_t)(end - text) > sizeof name)
    return 0;
  size_t n = (size_t)(end - text) - 1;
  memcpy(name, text + 1, n);
  name[n] = '\0';
  append_variable(pattern, name, "");
  return n + 2;
}

/* Expands what follows a percent sign.  Returns how much of the text it is, 0 if unknown.  */
static size_t append_early(struct pathrt_name *pattern, const char *text, const struct pathrt_identity *identity) {
  switch (*text) {
  case 'p':
  case 'm':
  case '%':
    append_bytes(pattern, text - 1, 2);
    return 1;
  case 'h':
    append_host(pattern);
    return 1;
  case 'e':
    append_value(pattern, identity->program, strlen(identity->program));
    return 1;
  case 't':
    append_variable(pattern, "TMPDIR", "/tmp");
    return 1;
  case 'q': {
    size_t n = append_quoted(pattern, text + 1);
    return n ? n + 1 : 0;
  }
  default:
    return 0;
  }
}

static void report_unknown(const char *source, const char *text) {
  char what[3] = {'%', text[0], '\0'};
  pathrt_error(source, ": '", what, "' is not known and kept as it is", "; known are %p %h %e %m %t %q{VAR} %%", NULL);
}

void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity) {
  clear(pattern);
  for (const char *at = text; *at; at++) {
    if (*at != '%') {
      append_bytes(pattern, at, 1);
      continue;
    }
    size_t n = append_early(pattern, at + 1, identity);
    at += n;
    if (!n) {
      report_unknown(source, at + 1);
      append_bytes(pattern, "%%", 2);
    }
  }
}

void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size) {
  clear(name);
  name->too_long = pattern->too_long;
  if (pattern->text[0] != '/') {
    pathrt_name_append(name, folder);
    name->hidden = name->size;
  }
  for (const char *at = pattern->text; *at; at++) {
    if (*at != '%')
      append_bytes(name, at, 1);
    else if (*++at == 'p')
      pathrt_name_append_number(name, (unsigned long)getpid());
    else if (*at == 'm')
      pathrt_name_append_hex(name, build_id, build_id_size);
    else
      append_bytes(name, at, 1);
  }
}

/* ---- folders ---- */

/* Tries the whole folder first: it is usually there.  The working directory at start is not made
 * again: who removed it does not want it.  */
bool pathrt_make_folders(const struct pathrt_name *name) {
  static struct pathrt_name folder; /* the writer's lock is held */
  struct stat status;
  pathrt_name_extend(&folder, name, "");
  char *last = strrchr(folder.text, '/');
  if (!last || last == folder.text)
    return true;
  *last = '\0';
  if (name->hidden && (size_t)(last - folder.text) < name->hidden)
    return true;
  if (stat(folder.text, &status) == 0)
    return true;
  for (char *slash = strchr(folder.text + (name->hidden ? name->hidden : 1), '/'); slash;
       slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    if (mkdir(folder.text, 0777) != 0 && errno != EEXIST && stat(folder.text, &status) != 0)
      return false;
    *slash = '/';
  }
  return mkdir(folder.text, 0777) == 0 || errno == EEXIST;
}
