/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Replacements for the files that only some programs need: table.c, forest.c, frames.c, residual.c and cycles.c.
 *
 * Instrumented code calls functions of these files only if it uses a table, a forest and so on, and the linker then
 * includes the files.  The rest of the runtime calls the functions below.  The definitions in this file are weak, so a
 * file that is included replaces its functions; otherwise, they do nothing.  In the archive, this file precedes the
 * files that it replaces, so that the linker finds these definitions first.  The definitions cannot be undefined weak
 * symbols, because gold resolves those to the address of the module.  */
#include "libpathrt/storage/cycles.h"
#include "libpathrt/storage/forest.h"
#include "libpathrt/storage/frames.h"
#include "libpathrt/storage/residual.h"
#include "libpathrt/storage/table.h"

#define REPLACEABLE __attribute__((weak))

bool pathrt_measures_cycles;

/* ---- tables ---- */

REPLACEABLE void pathrt_table_release(struct pathprof_table *table) {
  (void)table;
}

REPLACEABLE void pathrt_table_use_array(struct pathprof_table *table, uint64_t num_paths) {
  (void)table;
  (void)num_paths;
}

REPLACEABLE uint64_t *pathrt_table_counter(struct pathprof_table *table, uint64_t id) {
  (void)table;
  (void)id;
  return NULL;
}

REPLACEABLE void pathrt_save_cache(struct pathprof_buffer *saved, struct pathprof_table *table) {
  (void)saved;
  (void)table;
}

REPLACEABLE void pathrt_restore_caches(const struct pathprof_buffer *saved) {
  (void)saved;
}

/* ---- forests ---- */

REPLACEABLE void pathrt_forest_read_environment(void) {}

REPLACEABLE struct pathprof_forest *pathrt_forest_in(struct pathprof_table *table) {
  (void)table;
  return NULL;
}

REPLACEABLE uint64_t pathrt_nodes_in(const struct pathprof_chunk *chunk) {
  (void)chunk;
  return 0;
}

REPLACEABLE void pathrt_visit_chunks(struct pathprof_forest *forest,
                                     void (*visit)(struct pathprof_chunk *chunk, void *data), void *data) {
  (void)forest;
  (void)visit;
  (void)data;
}

REPLACEABLE void pathrt_seal_forest(struct pathprof_forest *forest) {
  (void)forest;
}

REPLACEABLE void pathrt_abandon_forest(struct pathprof_forest *forest) {
  (void)forest;
}

REPLACEABLE void pathrt_release_forest(struct pathprof_forest *forest) {
  (void)forest;
}

/* ---- activations ---- */

REPLACEABLE void pathrt_frames_close_all(void) {}

REPLACEABLE void pathrt_each_cut_path(void (*visit)(struct pathprof_table *prefixes, uint64_t id)) {
  (void)visit;
}

REPLACEABLE void pathrt_frames_end(struct pathrt_thread *thread) {
  (void)thread;
}

REPLACEABLE void pathrt_frames_after_fork(void) {}

REPLACEABLE bool pathrt_frames_print(int fd) {
  (void)fd;
  return false;
}

REPLACEABLE void pathrt_frames_free(void) {}

/* ---- residual paths ---- */

REPLACEABLE void pathrt_residual_release(void) {}

/* ---- cycles ---- */

REPLACEABLE void pathrt_cycles_start(void) {}

REPLACEABLE uint64_t pathrt_cost_of_cycles(void) {
  return 0;
}

REPLACEABLE uint64_t pathrt_cost_in_place(void) {
  return 0;
}
