/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The one policy that says where a function's path counts are kept.  The plugin asks it for what can be
 * inlined, the runtime for the rest.  The defaults are those of Roy and Srikant (CGO 2009, section 6). */
#ifndef PATHPROF_PROFILE_FORMAT_STORAGE_H
#define PATHPROF_PROFILE_FORMAT_STORAGE_H

#include <stdint.h>

#define PATHPROF_DEFAULT_ARRAY_MAX 6000
#define PATHPROF_DEFAULT_PATHS_MAX 60000
/* Of the array for all functions of a unit whose paths go through calls: pages of it that no counter is in cost
 * nothing.  Static data must fit in 2 GB, of all units together: larger arrays than the second are mapped by the
 * runtime.  */
#define PATHPROF_DEFAULT_PROGRAM_ARRAY_MAX (1 << 24)
#define PATHPROF_STATIC_PROGRAM_ARRAY_MAX (1 << 18)
/* Of a forest of path sequences, in nodes.  */
#define PATHPROF_DEFAULT_FOREST_MAX 32768

enum { PATHPROF_FOREST_MAX_K = 64, PATHPROF_FOREST_MAX_DEPTH = 2 * PATHPROF_FOREST_MAX_K - 2 };

/* How many paths lead to the deepest nodes.  */
static inline uint64_t pathprof_forest_depth(uint64_t k) {
  return k < 2 ? 1 : 2 * k - 2;
}

/* Values are stored in the notes.  */
enum pathprof_storage {
  PATHPROF_STORAGE_NONE = 0,  /* left out: nothing is counted */
  PATHPROF_STORAGE_ARRAY = 1, /* a zero-initialised array, incremented inline */
  PATHPROF_STORAGE_TABLE = 2, /* the runtime stores executed paths */
};

/* Beside the storage: a table for paths that were cut short at a call (core/numbering/prefix.h).  */
#define PATHPROF_HAS_PREFIXES 4

static inline enum pathprof_storage pathprof_choose_storage(uint64_t num_paths, uint64_t array_max) {
  return num_paths <= array_max ? PATHPROF_STORAGE_ARRAY : PATHPROF_STORAGE_TABLE;
}

#endif
