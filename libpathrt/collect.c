/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Walks the units of this module and makes a profile image of their counts.  */
#include "libpathrt/collect.h"

#include <string.h>

#include "libpathrt/continuous.h"
#include "libpathrt/cycles.h"
#include "libpathrt/forest.h"
#include "libpathrt/message.h"
#include "libpathrt/residual.h"
#include "libpathrt/section.h"
#include "libpathrt/thread.h"
#include "libpathrt/written.h"
#include "profile/abi.h"
#include "profile/image.h"
#include "profile/storage.h"

/* The linker's names for the two ends of PATHPROF_UNITS_SECTION; both null without the section.  */
extern const unsigned char __start_pathprof_units[] __attribute__((weak, visibility("hidden")));
extern const unsigned char __stop_pathprof_units[] __attribute__((weak, visibility("hidden")));

typedef const struct pathprof_unit *unit_pointer;

static struct pathprof_buffer unit_list; /* unit_pointer, sorted */
static bool units_found;

/* ---- units ---- */

/* Steps over the zeros that an alignment may have put between records.  Null at the end.  */
static unit_pointer next_unit(unit_pointer previous) {
  const unsigned char *at = previous ? (const unsigned char *)(previous + 1) : __start_pathprof_units;
  for (; at < __stop_pathprof_units; at += sizeof(uint64_t))
    if (((unit_pointer)(const void *)at)->abi_version)
      return (unit_pointer)(const void *)at;
  return NULL;
}

static bool is_readable(unit_pointer unit) {
  return unit->abi_version == PATHPROF_ABI_VERSION &&
         (size_t)(__stop_pathprof_units - (const unsigned char *)unit) >= sizeof *unit;
}

bool pathrt_has_units(void) {
  return next_unit(NULL) != NULL;
}

/* Whether asking which pages of counters and heads were touched is cheaper than looking at all.  */
static bool has_many_counters(void) {
  enum { MANY = 1 << 15 };
  uint64_t n = 0;
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    n += unit->num_counters + unit->num_tables * (sizeof *unit->tables / sizeof *unit->counters);
  return n >= MANY;
}

static struct pathprof_unit_notes notes_of(unit_pointer unit) {
  struct pathprof_unit_notes notes = {unit->key, {unit->notes, unit->notes_size}};
  return notes;
}

static int compare(unit_pointer a, unit_pointer b) {
  struct pathprof_unit_notes notes_a = notes_of(a), notes_b = notes_of(b);
  return pathprof_compare_units(&notes_a, &notes_b);
}

static unit_pointer *all_units(size_t *n) {
  *n = unit_list.size / sizeof(unit_pointer);
  return (unit_pointer *)unit_list.data;
}

/* Shell's sort: not qsort, which may call malloc.  */
static void sort_units(void) {
  size_t n;
  unit_pointer *units = all_units(&n);
  for (size_t gap = n / 2; gap; gap = gap == 2 ? 1 : gap * 5 / 11)
    for (size_t i = gap; i < n; i++) {
      unit_pointer unit = units[i];
      size_t at = i;
      for (; at >= gap && compare(units[at - gap], unit) > 0; at -= gap)
        units[at] = units[at - gap];
      units[at] = unit;
    }
}

bool pathrt_find_units(void) {
  if (units_found)
    return true;
  memset(&unit_list, 0, sizeof unit_list); /* a fork may have left it half made */
  for (unit_pointer unit = next_unit(NULL); unit; unit = next_unit(unit)) {
    if (!is_readable(unit)) {
      pathrt_error("a unit was compiled with a plugin that this runtime does not match; "
                   "build all of the program with one version of pathprof",
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

/* Units that are alike (a source compiled twice) are one unit, with the sum of their counts.  */
static size_t group_size(unit_pointer *units, size_t n) {
  size_t size = 1;
  while (size < n && compare(units[0], units[size]) == 0)
    size++;
  return size;
}

uint64_t pathrt_units_key(void) {
  size_t n, group;
  unit_pointer *units = all_units(&n);
  struct pathprof_buffer keys = {0};
  for (size_t i = 0; i < n; i += group) {
    group = group_size(units + i, n - i);
    pathprof_put_u64(&keys, units[i]->key);
  }
  uint64_t key = pathprof_key(keys.data, keys.size);
  pathprof_buffer_free(&keys);
  return key;
}

/* ---- all functions of a unit ---- */

/* Walks the functions of a unit with the place of their counts.  */
struct walk {
  struct pathprof_index index;
  uint64_t counters; /* where the current function's begin */
  uint64_t tables;
  uint64_t next_counters;
  uint64_t next_tables;
};

static struct walk walk; /* too large for the stack of a small thread */
static struct pathprof_forest_put forest_put;
static struct pathrt_pages pages;

static void walk_open(unit_pointer unit) {
  memset(&walk, 0, sizeof walk);
  pathprof_index_open(&walk.index, notes_of(unit).notes, 0);
}

/* Whether the unit has what the current function asks for (if not, walk_ok says so).  */
static bool fits(unit_pointer unit) {
  if (walk.next_counters <= unit->num_counters && walk.next_tables <= unit->num_tables)
    return true;
  pathprof_cursor_fail(&walk.index.cursor, "the notes do not match the counters");
  return false;
}

/* False at the end and after an error.  */
static bool walk_next(unit_pointer unit) {
  walk.counters = walk.next_counters;
  walk.tables = walk.next_tables;
  if (!pathprof_index_next(&walk.index))
    return false;
  for (int kind = 0; kind <= walk.index.has_cycles; kind++) {
    if (walk.index.storage == PATHPROF_STORAGE_TABLE)
      walk.next_tables++;
    if (walk.index.storage == PATHPROF_STORAGE_ARRAY &&
        __builtin_add_overflow(walk.next_counters, walk.index.num_paths, &walk.next_counters))
      walk.next_counters = UINT64_MAX;
  }
  if (walk.index.has_prefixes)
    walk.next_tables++;
  return fits(unit);
}

static bool walk_ok(void) {
  if (pathprof_cursor_ok(&walk.index.cursor))
    return true;
  pathrt_error("the notes of a unit in this program are malformed: ", walk.index.cursor.error.reason, NULL);
  return false;
}

bool pathrt_measures_cycles(void) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit)) {
    walk_open(unit);
    if (walk.index.next_with_cycles != UINT64_MAX)
      return true;
  }
  return false;
}

void pathrt_raise_array_max(uint64_t limit) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit)) {
    if (!unit->num_tables)
      continue;
    walk_open(unit);
    while (walk_next(unit))
      if (walk.index.storage == PATHPROF_STORAGE_TABLE && !walk.index.forest_k &&
          pathprof_choose_storage(walk.index.num_paths, limit) == PATHPROF_STORAGE_ARRAY)
        for (int kind = 0; kind <= walk.index.has_cycles; kind++)
          pathrt_table_use_array(&unit->tables[walk.tables + (uint64_t)kind], walk.index.num_paths);
  }
}

void pathrt_prepare_copy(uint64_t to_own) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++)
      if (unit->tables[i].num_paths)
        pathrt_table_use_array((void *)((uintptr_t)&unit->tables[i] + to_own), unit->tables[i].num_paths);
}

/* The same counters, or table heads, in a thread's copy; null where it has none.  */
static void *in_copy(const struct pathrt_thread *thread, void *shared) {
  uint64_t to_own = __atomic_load_n(&thread->to_own, __ATOMIC_ACQUIRE);
  return to_own ? (unsigned char *)shared + to_own : NULL;
}

/* The front that belongs to a table head, if that one is a program's.  */
static struct pathprof_slot *program_front_of(unit_pointer unit, uint64_t table) {
  return table == 0 ? unit->program_front : NULL;
}

static struct pathprof_slot *copied_front(struct pathprof_slot *front, uint64_t to_own) {
  return front ? (void *)((uintptr_t)front + to_own) : NULL;
}

/* What is to be done with all forests, of threads' copies too.  */
static void each_forest(void (*change)(struct pathprof_forest *)) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++) {
      if (pathrt_forest_in(&unit->tables[i]))
        change(pathrt_forest_in(&unit->tables[i]));
      for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
        struct pathprof_table *copy = in_copy(thread, &unit->tables[i]);
        if (copy && pathrt_forest_in(copy))
          change(pathrt_forest_in(copy));
      }
    }
}

void pathrt_seal_forests(void) {
  each_forest(pathrt_seal_forest);
}

void pathrt_abandon_forests(void) {
  each_forest(pathrt_abandon_forest);
}

void pathrt_save_fronts(struct pathprof_buffer *saved, uint64_t to_own) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++) {
      struct pathprof_slot *front = program_front_of(unit, i);
      pathrt_save_front(saved, &unit->tables[i], front);
      if (to_own)
        pathrt_save_front(saved, (void *)((uintptr_t)&unit->tables[i] + to_own), copied_front(front, to_own));
    }
}

/* Takes from the module's counters and from all threads' copies of them.  */
static void take_counters(struct pathrt_taker *taker, uint64_t *counters, uint64_t n) {
  pathrt_take_counters(taker, counters, n);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (in_copy(thread, counters))
      pathrt_take_counters(taker, in_copy(thread, counters), n);
}

static void take_table(struct pathrt_taker *taker, unit_pointer unit, uint64_t index) {
  struct pathprof_table *table = &unit->tables[index];
  struct pathprof_slot *front = program_front_of(unit, index);
  pathrt_take_table(taker, table, front);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (in_copy(thread, table))
      pathrt_take_table(taker, in_copy(thread, table), front ? in_copy(thread, front) : NULL);
}

void pathrt_discard_counts(bool alone) {
  struct pathrt_taker taker;
  memset(&taker, 0, sizeof taker);
  pathrt_pages_begin(&pages);
  taker.pages = &pages;
  taker.discard = true;
  taker.in_file = pathrt_is_continuous();
  taker.reads_only = !taker.in_file && !alone;
  taker.sparse = !taker.in_file && has_many_counters();
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit)) {
    take_counters(&taker, unit->counters, unit->num_counters);
    for (uint64_t i = 0; i < unit->num_tables; i++)
      take_table(&taker, unit, i);
  }
  pathrt_taker_free(&taker);
  pathrt_pages_end(&pages);
}

void pathrt_release_counts(void) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    for (uint64_t i = 0; i < unit->num_tables; i++)
      pathrt_table_release(&unit->tables[i], program_front_of(unit, i));
  pathrt_residual_release();
  pathrt_tables_release_rest();
  pathrt_written_release();
  pathprof_buffer_free(&unit_list);
  units_found = false;
}

/* ---- image ---- */

/* Of whole paths: their counts (kind 0), or their cycles, which lie behind.  */
static void take_kind(struct pathrt_taker *taker, unit_pointer unit, uint64_t kind) {
  uint64_t num_paths = walk.index.num_paths;
  taker->takes_cycles = kind != 0;
  if (walk.index.storage == PATHPROF_STORAGE_ARRAY)
    take_counters(taker, unit->counters + walk.counters + kind * num_paths, num_paths);
  else if (walk.index.storage == PATHPROF_STORAGE_TABLE)
    take_table(taker, unit, walk.tables + kind);
}

/* Cycles first: who counts does that first, so that no path has cycles here and no count.  */
static void take_function(struct pathrt_taker *taker, unit_pointer *group, size_t n) {
  taker->counts.size = taker->cycles.size = 0;
  for (size_t i = 0; i < n; i++) {
    if (!fits(group[i]))
      return;
    if (walk.index.has_cycles)
      take_kind(taker, group[i], 1);
    take_kind(taker, group[i], 0);
    if (walk.index.has_prefixes)
      take_table(taker, group[i], walk.next_tables - 1);
  }
}

static bool take_one_forest(struct pathrt_taker *taker, struct pathprof_table *table, struct pathprof_forest_sum *sum) {
  struct pathprof_forest *forest = table ? pathrt_forest_in(table) : NULL;
  return !forest || pathrt_take_forest(taker, forest, walk.index.num_paths, walk.index.forest_k, sum);
}

/* The forests of all threads and of all units that are alike, in one.  */
static bool take_function_forest(struct pathrt_taker *taker, unit_pointer *group, size_t n,
                                 struct pathprof_forest_sum *sum, struct pathprof_unit_sums *sums) {
  taker->takes_cycles = false;
  bool ok = pathprof_begin_forest_sum(sum);
  for (size_t i = 0; i < n && ok; i++) {
    if (!fits(group[i]))
      return false;
    struct pathprof_table *table = &group[i]->tables[walk.tables];
    ok = take_one_forest(taker, table, sum);
    for (struct pathrt_thread *thread = pathrt_threads(); thread && ok; thread = thread->next)
      ok = take_one_forest(taker, in_copy(thread, table), sum);
  }
  return ok && pathprof_put_function_forest(sums, walk.index.next - 1, sum, &taker->counts, &forest_put);
}

static bool collect_group(struct pathrt_collection *collection, struct pathprof_writer *writer,
                          struct pathprof_unit_sums *sums, unit_pointer *group, size_t n) {
  struct pathrt_taker *taker = &collection->taker;
  struct pathprof_forest_sum forest = {{0}, {0}, 0};
  bool ok = true;
  pathprof_begin_unit_sums(sums);
  walk_open(group[0]);
  while (ok && walk_next(group[0])) {
    if (walk.index.forest_k) {
      ok = take_function_forest(taker, group, n, &forest, sums);
      collection->num_paths += taker->counts.size / sizeof(struct pathprof_count);
      continue;
    }
    take_function(taker, group, n);
    uint64_t cost = taker->cycles.size ? pathrt_cost_of_cycles() : 0;
    pathprof_put_function_sums(sums, walk.index.next - 1, &taker->counts, &taker->cycles, cost);
    collection->num_paths += taker->counts.size / sizeof(struct pathprof_count);
  }
  struct pathprof_unit_notes notes = notes_of(group[0]);
  pathprof_put_unit(&writer->section[PATHPROF_SECTION_UNITS], &notes);
  pathprof_put_unit_sums(writer, sums);
  pathprof_free_forest_sum(&forest);
  pathprof_buffer_free(&forest_put.nodes);
  return walk_ok() && ok;
}

static bool put_units(struct pathrt_collection *collection, struct pathprof_writer *writer) {
  size_t n, size, num_groups = 0;
  unit_pointer *units = all_units(&n);
  struct pathprof_unit_sums sums;
  bool ok = true;
  memset(&sums, 0, sizeof sums);
  for (size_t i = 0; i < n; i += size, num_groups++)
    size = group_size(units + i, n - i);
  pathprof_put_varint(&writer->section[PATHPROF_SECTION_UNITS], num_groups);
  for (size_t i = 0; i < n && ok; i += size) {
    size = group_size(units + i, n - i);
    ok = collect_group(collection, writer, &sums, units + i, size);
  }
  pathprof_free_unit_sums(&sums);
  return ok;
}

static struct pathprof_text text_of(const void *data, size_t size) {
  struct pathprof_text text = {data, size};
  return text;
}

static void put_program(struct pathprof_buffer *out, const struct pathrt_run *run) {
  const struct pathrt_identity *identity = run->identity;
  uint64_t key = pathrt_units_key();
  struct pathprof_program program = {
      text_of(identity->program, strlen(identity->program)), run->runs, run->forks, run->resets, 1, 0};
  struct pathprof_module module = {text_of(identity->module, strlen(identity->module)),
                                   text_of(identity->build_id, identity->build_id_size), key};
  struct pathprof_buffer key_bytes = {0};
  if (!identity->build_id) {
    pathprof_put_u64(&key_bytes, key);
    module.build_id = text_of(key_bytes.data, key_bytes.size);
  }
  pathprof_put_program(out, &program);
  pathprof_put_module(out, &module);
  pathprof_buffer_free(&key_bytes);
}

bool pathrt_collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone) {
  struct pathprof_writer writer;
  memset(&writer, 0, sizeof writer);
  memset(collection, 0, sizeof *collection);
  pathrt_pages_begin(&pages);
  collection->taker.pages = &pages;
  collection->taker.in_file = pathrt_is_continuous();
  collection->taker.reads_only = !collection->taker.in_file && !alone;
  collection->taker.sparse = !collection->taker.in_file && has_many_counters();
  put_program(&writer.section[PATHPROF_SECTION_PROGRAM], run);
  bool ok = put_units(collection, &writer);
  pathrt_pages_end(&pages);
  if (!ok) {
    pathprof_writer_free(&writer);
    return false;
  }
  pathprof_writer_finish(&writer, &collection->image);
  return !collection->image.failed && !collection->taker.counts.failed && !collection->taker.cycles.failed &&
         !collection->taker.taken.failed;
}

/* ---- raw files ---- */

static bool is_in_section(const void *data, uint64_t size) {
  uint64_t all = pathrt_section_size();
  uint64_t at = (uintptr_t)data - (uintptr_t)__start_pathprof_counters;
  return !size || (at <= all && size <= all - at);
}

bool pathrt_counters_in_section(void) {
  for (unit_pointer unit = next_unit(NULL); unit && is_readable(unit); unit = next_unit(unit))
    if (!is_in_section(unit->counters, unit->num_counters * sizeof *unit->counters) ||
        !is_in_section(unit->tables, unit->num_tables * sizeof *unit->tables) ||
        !is_in_section(unit->program_front, unit->program_front ? PATHPROF_PROGRAM_FRONT_BYTES : 0))
      return false;
  return true;
}

static uint64_t place_of(const void *data, uint64_t n) {
  return n ? (uint64_t)((const unsigned char *)data - __start_pathprof_counters) : 0;
}

static void put_placement(struct pathprof_buffer *placements, uint64_t group, unit_pointer unit) {
  struct pathprof_raw_placement place = {group,
                                         place_of(unit->counters, unit->num_counters),
                                         unit->num_counters,
                                         place_of(unit->tables, unit->num_tables),
                                         unit->num_tables,
                                         unit->program_front ? place_of(unit->program_front, 1)
                                                             : PATHPROF_NO_PROGRAM_FRONT};
  pathprof_put_bytes(placements, &place, sizeof place);
}

/* All groups of units, without counts.  */
static void describe_units(struct pathprof_writer *writer, struct pathprof_buffer *placements) {
  struct pathprof_buffer units = {0}, *out = &writer->section[PATHPROF_SECTION_UNITS];
  uint64_t num_groups = 0;
  size_t n, size;
  unit_pointer *all = all_units(&n);
  for (size_t i = 0; i < n; i += size, num_groups++) {
    size = group_size(all + i, n - i);
    struct pathprof_unit_notes notes = notes_of(all[i]);
    pathprof_put_unit(&units, &notes);
    pathprof_put_varint(&writer->section[PATHPROF_SECTION_COUNTS], 0);
    for (size_t k = 0; k < size; k++)
      put_placement(placements, num_groups, all[i + k]);
  }
  pathprof_put_varint(out, num_groups);
  pathprof_put_bytes(out, units.data, units.size);
  out->failed |= units.failed;
  pathprof_buffer_free(&units);
}

bool pathrt_describe(struct pathprof_buffer *file, const struct pathrt_identity *identity) {
  struct pathprof_writer writer;
  struct pathprof_buffer image = {0}, placements = {0};
  struct pathrt_run run = {identity, 0, 0, 0};
  memset(&writer, 0, sizeof writer);
  if (!pathrt_find_units())
    return false;
  put_program(&writer.section[PATHPROF_SECTION_PROGRAM], &run);
  describe_units(&writer, &placements);
  pathprof_writer_finish(&writer, &image);
  pathprof_raw_begin(file, &image, (const void *)placements.data,
                     placements.size / sizeof(struct pathprof_raw_placement));
  file->failed |= placements.failed;
  pathprof_buffer_free(&image);
  pathprof_buffer_free(&placements);
  return !file->failed;
}

void pathrt_collection_free(struct pathrt_collection *collection) {
  pathrt_taker_free(&collection->taker);
  pathprof_buffer_free(&collection->image);
}
