/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Selects the storage for the path counts of a function.  The plugin and the runtime both use this policy.  The default
 * limits are those of Roy and Srikant (CGO 2009, section 6).  */
#ifndef PATHPROF_PROFILE_FORMAT_STORAGE_H
#define PATHPROF_PROFILE_FORMAT_STORAGE_H

#include <stdint.h>

#define PATHPROF_DEFAULT_ARRAY_MAX 6000
#define PATHPROF_DEFAULT_PATHS_MAX 60000
/* Default maximum with target=freestanding, where memory is scarce and functions cannot have tables.  */
#define PATHPROF_FREESTANDING_PATHS_MAX 100
/* Limits on the counter array for the interprocedural paths of a unit.  The first limit is the default maximum size,
 * which is large because pages without counts cost nothing.  The second limit is the maximum size of a static array:
 * the static data of all units must fit in 2 GB, so the runtime maps larger arrays.  */
#define PATHPROF_DEFAULT_PROGRAM_ARRAY_MAX (1 << 24)
#define PATHPROF_STATIC_PROGRAM_ARRAY_MAX (1 << 18)
/* Maximum number of nodes of a forest.  */
#define PATHPROF_DEFAULT_FOREST_MAX 32768

enum { PATHPROF_FOREST_MAX_K = 64, PATHPROF_FOREST_MAX_DEPTH = 2 * PATHPROF_FOREST_MAX_K - 2 };

/* Returns the maximum depth of a node in a k-slab forest.  */
static inline uint64_t pathprof_forest_depth(uint64_t k) {
  return k < 2 ? 1 : 2 * k - 2;
}

/* The kinds of storage.  The notes store the values of the enumerators.  */
enum pathprof_storage {
  PATHPROF_STORAGE_NONE = 0,  /* the function is not profiled, or is counted only as part of interprocedural paths */
  PATHPROF_STORAGE_ARRAY = 1, /* zero-initialized array with inline increments */
  PATHPROF_STORAGE_TABLE = 2, /* table of executed paths in the runtime */
};

/* Flag: in addition to its storage, the function has a table for truncated paths, residual paths or values.  */
#define PATHPROF_HAS_PREFIXES 4

static inline enum pathprof_storage pathprof_choose_storage(uint64_t num_paths, uint64_t array_max) {
  return num_paths <= array_max ? PATHPROF_STORAGE_ARRAY : PATHPROF_STORAGE_TABLE;
}

#endif
