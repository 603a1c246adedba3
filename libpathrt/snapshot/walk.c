/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Iterates over the functions of a unit and finds their counters.  */
#include "libpathrt/snapshot/walk.h"

#include "libpathrt/process/message.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/storage/table.h"
#include "profile/format/storage.h"

struct pathrt_walk *pathrt_walk_open(pathrt_unit unit) {
  static struct pathrt_walk walk; /* static because it is too large for small stacks */
  walk.counters = walk.tables = walk.next_counters = walk.next_tables = 0;
  pathprof_index_open(&walk.index, pathrt_notes_of(unit).notes, 0);
  walk.index.skips_names = true;
  return &walk;
}

bool pathrt_walk_fits(struct pathrt_walk *walk, pathrt_unit unit) {
  if (walk->next_counters <= unit->num_counters && walk->next_tables <= unit->num_tables)
    return true;
  pathprof_cursor_fail(&walk->index.cursor, "notes do not match the counters");
  return false;
}

bool pathrt_walk_next(struct pathrt_walk *walk, pathrt_unit unit) {
  walk->counters = walk->next_counters;
  walk->tables = walk->next_tables;
  if (!pathprof_index_next(&walk->index))
    return false;
  for (int kind = 0; kind <= walk->index.has_cycles; kind++) {
    if (walk->index.storage == PATHPROF_STORAGE_TABLE)
      walk->next_tables++;
    if (walk->index.storage == PATHPROF_STORAGE_ARRAY &&
        __builtin_add_overflow(walk->next_counters, walk->index.num_paths, &walk->next_counters))
      walk->next_counters = UINT64_MAX;
  }
  if (walk->index.has_prefixes)
    walk->next_tables++;
  return pathrt_walk_fits(walk, unit);
}

bool pathrt_walk_ok(const struct pathrt_walk *walk) {
  if (pathprof_cursor_ok(&walk->index.cursor))
    return true;
  pathrt_error("malformed notes in a unit of this program: ", walk->index.cursor.error.reason, NULL);
  return false;
}

void pathrt_raise_array_max(void) {
  if (!pathrt_registry.has_array_max)
    return;
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit)) {
    if (!unit->num_tables)
      continue;
    struct pathrt_walk *walk = pathrt_walk_open(unit);
    while (pathrt_walk_next(walk, unit))
      if (walk->index.storage == PATHPROF_STORAGE_TABLE && !walk->index.forest_k &&
          pathprof_choose_storage(walk->index.num_paths, pathrt_registry.array_max) == PATHPROF_STORAGE_ARRAY)
        for (int kind = 0; kind <= walk->index.has_cycles; kind++)
          pathrt_table_use_array(&unit->tables[walk->tables + (uint64_t)kind], walk->index.num_paths);
  }
}
