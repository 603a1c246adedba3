/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Stores three amounts for each counter: the amount already written to a profile, the mark and the provisional
 * count.  */
#include "libpathrt/snapshot/written.h"

#include <stddef.h>

#include "libpathrt/snapshot/amounts.h"

static struct pathrt_amounts written, marked, provisional;
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

bool pathrt_count_provisionally(uint64_t *counter) {
  uint64_t *amount = pathrt_amount(&provisional, counter, true);
  if (!amount)
    return false;
  ++*amount;
  __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
  return true;
}

uint64_t pathrt_provisional(const uint64_t *counter) {
  const uint64_t *amount = pathrt_amount(&provisional, counter, false);
  return amount ? *amount : 0;
}

bool pathrt_has_provisional(void) {
  return provisional.used != 0;
}

static void subtract(uint64_t *counter, uint64_t amount) {
  __atomic_fetch_sub(counter, amount, __ATOMIC_RELAXED);
  pathrt_move_mark(counter, 0 - amount);
}

void pathrt_subtract_provisional(void) {
  pathrt_each_amount(&provisional, subtract);
  pathrt_amounts_release(&provisional);
}

void pathrt_forget_provisional(bool forked) {
  if (forked)
    provisional = (struct pathrt_amounts){NULL, 0, 0};
  else
    pathrt_amounts_release(&provisional);
}
