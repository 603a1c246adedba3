/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Builds a profile image from all counts of a module.  */
#include "libpathrt/snapshot/collect.h"

#include <string.h>

#include "libpathrt/snapshot/all_counts.h"
#include "libpathrt/snapshot/walk.h"
#include "libpathrt/storage/cycles.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/thread.h"
#include "profile/format/counts.h"
#include "profile/format/image.h"
#include "profile/format/tests.h"
#include "profile/format/text.h"
#include "profile/format/unit_sums.h"

static struct pathprof_forest_put forest_put; /* static because it is too large for small stacks */

/* Takes a snapshot of a function's counts (kind 0) or of its cycles, which are stored after the counts (kind 1).  */
static void snapshot_kind(struct pathrt_snapshot *snapshot, const struct pathrt_walk *walk, pathrt_unit unit,
                          uint64_t kind) {
  uint64_t num_paths = walk->index.num_paths;
  snapshot->of_cycles = kind != 0;
  if (walk->index.storage == PATHPROF_STORAGE_ARRAY)
    pathrt_snapshot_all_counters(snapshot, unit->counters + walk->counters + kind * num_paths, num_paths);
  else if (walk->index.storage == PATHPROF_STORAGE_TABLE)
    pathrt_snapshot_all_tables(snapshot, unit, walk->tables + kind);
}

/* Reads the cycles before the counts.  Instrumented code counts a path before it adds the path's cycles, so each path
 * that has cycles in the snapshot also has a count.  */
static void snapshot_function(struct pathrt_snapshot *snapshot, struct pathrt_walk *walk, pathrt_unit *group,
                              size_t n) {
  snapshot->counts.size = snapshot->cycles.size = 0;
  for (size_t i = 0; i < n; i++) {
    if (!pathrt_walk_fits(walk, group[i]))
      return;
    if (walk->index.has_cycles)
      snapshot_kind(snapshot, walk, group[i], 1);
    snapshot_kind(snapshot, walk, group[i], 0);
    if (walk->index.has_prefixes)
      pathrt_snapshot_all_tables(snapshot, group[i], walk->next_tables - 1);
  }
}

static bool snapshot_one_forest(struct pathrt_snapshot *snapshot, const struct pathrt_walk *walk,
                                struct pathprof_table *table, struct pathprof_forest_sum *sum) {
  struct pathprof_forest *forest = table ? pathrt_forest_in(table) : NULL;
  return !forest || pathrt_snapshot_forest(snapshot, forest, walk->index.num_paths, walk->index.forest_k, sum);
}

/* Merges a function's forests from all threads and all identical units, and serializes the result.  */
static bool snapshot_function_forest(struct pathrt_snapshot *snapshot, struct pathrt_walk *walk, pathrt_unit *group,
                                     size_t n, struct pathprof_forest_sum *sum, struct pathprof_unit_sums *sums) {
  snapshot->of_cycles = false;
  bool ok = pathprof_begin_forest_sum(sum);
  for (size_t i = 0; i < n && ok; i++) {
    if (!pathrt_walk_fits(walk, group[i]))
      return false;
    struct pathprof_table *table = &group[i]->tables[walk->tables];
    ok = snapshot_one_forest(snapshot, walk, table, sum);
    for (struct pathrt_thread *thread = pathrt_threads(); thread && ok; thread = thread->next)
      ok = snapshot_one_forest(snapshot, walk, pathrt_in_copy(thread, table), sum);
  }
  return ok && pathprof_put_function_forest(sums, walk->index.next - 1, sum, &snapshot->counts, &forest_put);
}

static bool collect_group(struct pathrt_collection *collection, struct pathprof_writer *writer,
                          struct pathprof_unit_sums *sums, pathrt_unit *group, size_t n) {
  struct pathrt_snapshot *snapshot = &collection->snapshot;
  struct pathprof_forest_sum forest = {{0}, {0}, 0};
  bool ok = true;
  pathprof_begin_unit_sums(sums);
  struct pathrt_walk *walk = pathrt_walk_open(group[0]);
  while (ok && pathrt_walk_next(walk, group[0])) {
    if (walk->index.forest_k) {
      ok = snapshot_function_forest(snapshot, walk, group, n, &forest, sums);
      collection->num_paths += snapshot->counts.size / sizeof(struct pathprof_count);
      continue;
    }
    snapshot_function(snapshot, walk, group, n);
    if (!snapshot->counts.size && !snapshot->cycles.size)
      continue;
    /* In a function with a hash table, instrumented code adds a path's cycles to the table after the clock reading that
     * ends the path and before the clock reading that starts the next path.  The time of the update is therefore not
     * part of any path.  If a thread has to wait for a processor, this mostly happens during these updates, so the
     * waiting time does not increase the cost of measuring.  */
    uint64_t cost = walk->index.storage == PATHPROF_STORAGE_TABLE ? collection->cost_alone : collection->cost_in_place;
    pathprof_put_function_sums(sums, walk->index.next - 1, &snapshot->counts, &snapshot->cycles, cost);
    collection->num_paths += snapshot->counts.size / sizeof(struct pathprof_count);
  }
  struct pathprof_unit_notes notes = pathrt_notes_of_group(group, n);
  pathprof_put_unit(&writer->section[PATHPROF_SECTION_UNITS], &notes);
  pathprof_put_unit_sums(writer, sums);
  pathprof_free_forest_sum(&forest);
  pathprof_buffer_free(&forest_put.nodes);
  return pathrt_walk_ok(walk) && ok;
}

/* Returns an upper bound for the size of these units in the units section.  */
static size_t size_of_notes(pathrt_unit *units, size_t n) {
  enum { BEFORE_NOTES = 8 + 10 }; /* key and length */
  size_t size = BEFORE_NOTES;
  for (size_t i = 0; i < n; i++)
    size += BEFORE_NOTES + units[i]->notes_size;
  return size;
}

static bool put_units(struct pathrt_collection *collection, struct pathprof_writer *writer) {
  size_t n, size, num_groups = 0;
  pathrt_unit *units = pathrt_all_units(&n);
  struct pathprof_unit_sums sums;
  bool ok = true;
  memset(&sums, 0, sizeof sums);
  for (size_t i = 0; i < n; i += size, num_groups++)
    size = pathrt_group_size(units + i, n - i);
  collection->num_units = num_groups;
  struct pathprof_buffer *notes = &writer->section[PATHPROF_SECTION_UNITS];
  pathprof_expect(notes, size_of_notes(units, n));
  pathprof_put_varint(notes, num_groups);
  for (size_t i = 0; i < n && ok; i += size) {
    size = pathrt_group_size(units + i, n - i);
    ok = collect_group(collection, writer, &sums, units + i, size);
  }
  pathprof_free_unit_sums(&sums);
  return ok;
}

static struct pathprof_text text_of(const void *data, size_t size) {
  struct pathprof_text text = {data, size};
  return text;
}

void pathrt_put_program(struct pathprof_buffer *out, const struct pathrt_run *run) {
  const struct pathrt_identity *identity = run->identity;
  uint64_t key = pathrt_units_key();
  struct pathprof_program program = {
      text_of(identity->program, pathprof_text_size(identity->program)), run->runs, run->forks, run->resets, 1, 0};
  struct pathprof_module module = {text_of(identity->module, pathprof_text_size(identity->module)),
                                   text_of(identity->build_id, identity->build_id_size), key};
  struct pathprof_buffer key_bytes = {0};
  if (!identity->build_id) {
    pathprof_put_u64(&key_bytes, key);
    module.build_id = text_of(key_bytes.data, key_bytes.size);
  }
  pathprof_put_program(out, &program);
  struct pathprof_program_more more = {run->threaded, run->switched};
  pathprof_put_module(out, &module);
  pathprof_put_program_more(out, &more);
  pathprof_buffer_free(&key_bytes);
}

static void put_test(const struct pathrt_collection *collection, struct pathprof_writer *writer,
                     const struct pathrt_test_part *part) {
  struct pathprof_test test = {text_of(part->name, pathprof_text_size(part->name)),
                               part->runs,
                               part->processor_time,
                               part->elapsed_time,
                               {0},
                               {0}};
  pathprof_put_only_test(writer, collection->num_units, &test);
}

static bool collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone,
                    enum pathrt_wanted wanted) {
  struct pathprof_writer writer;
  memset(&writer, 0, sizeof writer);
  memset(collection, 0, sizeof *collection);
  pathrt_begin_snapshot(&collection->snapshot, alone);
  collection->snapshot.wanted = wanted;
  if (pathrt_measures_cycles) {
    collection->cost_alone = pathrt_cost_of_cycles();
    collection->cost_in_place = pathrt_cost_in_place();
  }
  pathrt_put_program(&writer.section[PATHPROF_SECTION_PROGRAM], run);
  bool ok = put_units(collection, &writer);
  pathrt_end_snapshot(&collection->snapshot);
  if (!ok) {
    pathprof_writer_free(&writer);
    return false;
  }
  if (run->test.name && *run->test.name)
    put_test(collection, &writer, &run->test);
  pathprof_writer_finish(&writer, &collection->image);
  return !collection->image.failed && !collection->snapshot.counts.failed && !collection->snapshot.cycles.failed &&
         !collection->snapshot.journal.failed;
}

bool pathrt_collect(struct pathrt_collection *collection, const struct pathrt_run *run, bool alone) {
  return collect(collection, run, alone, PATHRT_COUNTED);
}

bool pathrt_collect_since_marks(struct pathrt_collection *collection, const struct pathrt_run *run) {
  return collect(collection, run, false, PATHRT_SINCE_MARKS);
}

bool pathrt_collect_provisional(struct pathrt_collection *collection, const struct pathrt_run *run) {
  return collect(collection, run, false, PATHRT_PROVISIONAL);
}

void pathrt_collection_free(struct pathrt_collection *collection) {
  pathrt_snapshot_free(&collection->snapshot);
  pathprof_buffer_free(&collection->image);
}
