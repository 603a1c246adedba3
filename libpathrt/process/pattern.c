/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Expands the patterns of PATHPROF_FILE.  */
#define _GNU_SOURCE
#include "libpathrt/process/pattern.h"

#include <string.h>

#include "libpathrt/process/message.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Appends a value, doubling its percent signs so that they are preserved when the pattern is expanded a second
 * time.  */
static void append_value(struct pathrt_name *pattern, const char *value, size_t n) {
  for (size_t i = 0; i < n; i++) {
    pathrt_name_append_bytes(pattern, &value[i], 1);
    if (value[i] == '%')
      pathrt_name_append_bytes(pattern, "%", 1);
  }
}

static void append_host(struct pathrt_name *pattern) {
  char host[256] = "";
  pathprof_sys_host(host, sizeof host);
  append_value(pattern, host, pathprof_text_size(host));
}

static void append_temporary(struct pathrt_name *pattern) {
  const char *value = pathprof_sys_getenv("TMPDIR");
  if (!value || !*value)
    value = "/tmp";
  append_value(pattern, value, pathprof_text_size(value));
}

/* Expands an environment variable.  If the variable is not set, uses its name as its value.  If an empty value were
 * used, %q{VAR}/prog would denote a file in the root directory.  */
static void append_variable(struct pathrt_name *pattern, const char *name, const char *source) {
  const char *value = pathprof_sys_getenv(name);
  if (!value) {
    pathrt_error(source, ": '%q{", name, "}': the variable ", name, " is not set; its name is used instead", NULL);
    value = name;
  }
  append_value(pattern, value, pathprof_text_size(value));
}

/* Expands %q{VAR}.  `text` starts at the opening brace.  Returns the number of bytes up to and including the closing
 * brace, or 0 if the text is malformed.  */
static size_t append_quoted(struct pathrt_name *pattern, const char *text, const char *source) {
  char name[256];
  const char *end = *text == '{' ? pathprof_text_find(text, '}') : NULL;
  if (!end || (size_t)(end - text) > sizeof name)
    return 0;
  size_t n = (size_t)(end - text) - 1;
  memcpy(name, text + 1, n);
  name[n] = '\0';
  append_variable(pattern, name, source);
  return n + 2;
}

/* Expands the conversion after a percent sign.  Returns the length of the conversion, or 0 if it is unknown.  */
static size_t append_early(struct pathrt_name *pattern, const char *text, const char *source,
                           const struct pathrt_identity *identity) {
  switch (*text) {
  case 'p':
  case 'm':
  case '%':
    pathrt_name_append_bytes(pattern, text - 1, 2);
    return 1;
  case 'h':
    append_host(pattern);
    return 1;
  case 'e':
    append_value(pattern, identity->program, pathprof_text_size(identity->program));
    return 1;
  case 't':
    append_temporary(pattern);
    return 1;
  case 'q': {
    size_t n = append_quoted(pattern, text + 1, source);
    return n ? n + 1 : 0;
  }
  default:
    return 0;
  }
}

static void report_unknown(const char *source, const char *text) {
  char what[3] = {'%', text[0], '\0'};
  pathrt_error(source, ": unknown conversion '", what, "' is kept", "; expected %p, %h, %e, %m, %t, %q{VAR} or %%",
               NULL);
}

void pathrt_pattern_set(struct pathrt_name *pattern, const char *text, const char *source,
                        const struct pathrt_identity *identity) {
  pathrt_name_clear(pattern);
  for (const char *at = text; *at; at++) {
    if (*at != '%') {
      pathrt_name_append_bytes(pattern, at, 1);
      continue;
    }
    size_t n = append_early(pattern, at + 1, source, identity);
    at += n;
    if (!n) {
      report_unknown(source, at + 1);
      pathrt_name_append_bytes(pattern, "%%", 2);
    }
  }
}

void pathrt_name_expand(struct pathrt_name *name, const struct pathrt_name *pattern, const char *folder,
                        const unsigned char *build_id, size_t build_id_size) {
  pathrt_name_clear(name);
  name->too_long = pattern->too_long;
  if (pattern->text[0] != '/') {
    pathrt_name_append(name, folder);
    name->hidden = name->size;
  }
  for (const char *at = pattern->text; *at; at++) {
    if (*at != '%')
      pathrt_name_append_bytes(name, at, 1);
    else if (*++at == 'p')
      pathrt_name_append_number(name, (unsigned long)pathprof_sys_getpid());
    else if (*at == 'm')
      pathrt_name_append_hex(name, build_id, build_id_size);
    else
      pathrt_name_append_bytes(name, at, 1);
  }
}
