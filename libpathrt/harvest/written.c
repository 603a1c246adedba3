/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/harvest/written.h"

#include <stddef.h>

#include "libpathrt/harvest/amounts.h"

static struct pathrt_amounts written, marked;
static bool is_marking, have_moved;

uint64_t *pathrt_written(const uint64_t *counter, bool make) {
  return pathrt_amount(&written, counter, make);
}

void pathrt_written_release(void) {
  pathrt_amounts_release(&written);
}

bool pathrt_mark(const uint64_t *counter, uint64_t value) {
  uint64_t *mark = pathrt_amount(&marked, counter, true);
  if (mark)
    *mark = value;
  return mark != NULL;
}

void pathrt_begin_marks(void) {
  pathrt_end_marks();
  is_marking = true;
}

uint64_t pathrt_since_mark(const uint64_t *counter, uint64_t value) {
  const uint64_t *mark = pathrt_amount(&marked, counter, false);
  uint64_t since = mark ? value - *mark : value;
  return since > INT64_MAX ? 0 : since;
}

void pathrt_move_mark(const uint64_t *counter, uint64_t by) {
  uint64_t *mark = is_marking ? pathrt_amount(&marked, counter, true) : NULL;
  if (!mark)
    return;
  *mark += by;
  have_moved = true;
}

bool pathrt_marks_have_moved(void) {
  return have_moved;
}

void pathrt_end_marks(void) {
  is_marking = have_moved = false;
  pathrt_amounts_release(&marked);
}
