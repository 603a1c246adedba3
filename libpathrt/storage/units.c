/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Finds and sorts the units of a module.  */
#include "libpathrt/storage/units.h"

#include <string.h>

#include "libpathrt/process/message.h"

/* Start and end of PATHPROF_UNITS_SECTION, defined by the linker; null if the module has no such section.  */
extern const unsigned char __start_pathprof_units[] __attribute__((weak, visibility("hidden")));
extern const unsigned char __stop_pathprof_units[] __attribute__((weak, visibility("hidden")));

static struct pathprof_buffer unit_list; /* sorted array of pathrt_unit */
static bool units_found;

/* Returns the record after `previous`, skipping zeros that were inserted for alignment, or null if there are no more
 * records.  */
static pathrt_unit next_record(pathrt_unit previous) {
  const unsigned char *at = previous ? (const unsigned char *)(previous + 1) : __start_pathprof_units;
  for (; at < __stop_pathprof_units; at += sizeof(uint64_t))
    if (((pathrt_unit)(const void *)at)->abi_version)
      return (pathrt_unit)(const void *)at;
  return NULL;
}

static bool is_readable(pathrt_unit unit) {
  return unit->abi_version == PATHPROF_ABI_VERSION &&
         (size_t)(__stop_pathprof_units - (const unsigned char *)unit) >= sizeof *unit;
}

pathrt_unit pathrt_next_unit(pathrt_unit previous) {
  pathrt_unit unit = next_record(previous);
  return unit && is_readable(unit) ? unit : NULL;
}

bool pathrt_has_units(void) {
  return next_record(NULL) != NULL;
}

bool pathrt_has_tables(void) {
  bool any = false;
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    any |= unit->num_tables != 0;
  return any;
}

struct pathprof_unit_notes pathrt_notes_of(pathrt_unit unit) {
  struct pathprof_unit_notes notes = {unit->key, {unit->notes, unit->notes_size}};
  return notes;
}

static int compare(pathrt_unit a, pathrt_unit b) {
  struct pathprof_unit_notes notes_a = pathrt_notes_of(a), notes_b = pathrt_notes_of(b);
  return pathprof_compare_units(&notes_a, &notes_b);
}

pathrt_unit *pathrt_all_units(size_t *n) {
  *n = unit_list.size / sizeof(pathrt_unit);
  return (pathrt_unit *)unit_list.data;
}

/* Uses Shellsort, because qsort may call malloc.  */
static void sort_units(void) {
  size_t n;
  pathrt_unit *units = pathrt_all_units(&n);
  for (size_t gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (size_t i = gap; i < n; i++) {
      pathrt_unit unit = units[i];
      size_t at = i;
      for (; at >= gap && compare(units[at - gap], unit) > 0; at -= gap)
        units[at] = units[at - gap];
      units[at] = unit;
    }
}

bool pathrt_find_units(void) {
  if (units_found)
    return true;
  memset(&unit_list, 0, sizeof unit_list); /* a fork may have left the list incomplete */
  for (pathrt_unit unit = next_record(NULL); unit; unit = next_record(unit)) {
    if (!is_readable(unit)) {
      pathrt_error("a unit was compiled with a different version of the pathprof plugin; "
                   "build the whole program with one version of pathprof",
                   NULL);
      pathprof_buffer_free(&unit_list);
      return false;
    }
    pathprof_put_bytes(&unit_list, &unit, sizeof unit);
  }
  if (unit_list.failed) {
    pathprof_buffer_free(&unit_list);
    pathrt_error("not enough memory for the list of units", NULL);
    return false;
  }
  sort_units();
  units_found = true;
  return true;
}

size_t pathrt_group_size(pathrt_unit *units, size_t n) {
  size_t size = 1;
  while (size < n && compare(units[0], units[size]) == 0)
    size++;
  return size;
}

struct pathprof_unit_notes pathrt_notes_of_group(pathrt_unit *group, size_t n) {
  struct pathprof_unit_notes chosen = pathrt_notes_of(group[0]);
  for (size_t i = 1; i < n; i++) {
    struct pathprof_unit_notes notes = pathrt_notes_of(group[i]);
    chosen = *pathprof_choose_unit(&chosen, &notes);
  }
  return chosen;
}

uint64_t pathrt_units_key(void) {
  size_t n, group;
  pathrt_unit *units = pathrt_all_units(&n);
  struct pathprof_buffer keys = {0};
  for (size_t i = 0; i < n; i += group) {
    group = pathrt_group_size(units + i, n - i);
    pathprof_put_u64(&keys, units[i]->key);
  }
  uint64_t key = pathprof_key(keys.data, keys.size);
  pathprof_buffer_free(&keys);
  return key;
}

void pathrt_forget_units(void) {
  pathprof_buffer_free(&unit_list);
  units_found = false;
}
