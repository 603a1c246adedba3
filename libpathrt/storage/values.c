/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts values of expressions, such as divisors and sizes.  */
#include "libpathrt/storage/values.h"

#include "libpathrt/storage/table.h"
#include "profile/format/values.h"

static inline void count_value(struct pathprof_table *table, uint64_t site, int64_t value, bool atomic) {
  uint64_t number = pathprof_value_number(site, pathprof_value_code(value));
  if (!pathrt_table_has_room(table, number, PATHPROF_MAX_VALUES))
    number = pathprof_value_number(site, pathprof_magnitude_code(value));
  pathrt_table_add(table, number, 1, NULL, atomic);
}

void __pathrt_value(struct pathprof_table *table, uint64_t site, int64_t value) {
  count_value(table, site, value, false);
}

void __pathrt_value_atomic(struct pathprof_table *table, uint64_t site, int64_t value) {
  count_value(table, site, value, true);
}
