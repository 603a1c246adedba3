/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* What the compiler plugin emits and the runtime finds: one record a translation unit.
 *
 * A record lies in the linker-collected section "pathprof_units" and points at the unit's notes, at one
 * array with the counters of all functions whose storage is an array, and at one array of table heads
 * for those whose paths the runtime stores.  Which counters belong to which function follows from the
 * notes' index (doc/format.md): functions take counters, or table heads, in index order.
 *
 * One record a unit, not a function: records hold pointers, and a pointer in a position-independent
 * program costs a relocation of 24 bytes.  */
#ifndef PATHPROF_PROFILE_ABI_H
#define PATHPROF_PROFILE_ABI_H

#include <stdint.h>

#define PATHPROF_ABI_VERSION 2
#define PATHPROF_UNITS_SECTION "pathprof_units"
/* Counters and table heads of all units, next to each other and without contents in the file: what the
 * runtime maps elsewhere, it maps as one.  */
#define PATHPROF_COUNTERS_SECTION "pathprof_counters"

/* The symbols that instrumented code needs.  The first one exists to be named by the linker when the
 * runtime is missing.  */
#define PATHPROF_LINK_SYMBOL "__pathprof_please_link_with_lpathrt_abi2"
#define PATHPROF_COUNT_SYMBOL "__pathrt_count"
#define PATHPROF_COUNT_ATOMIC_SYMBOL "__pathrt_count_atomic"
#define PATHPROF_SPEND_SYMBOL "__pathrt_spend"
#define PATHPROF_SPEND_ATOMIC_SYMBOL "__pathrt_spend_atomic"
#define PATHPROF_CALLEES_SYMBOL "__pathrt_callees"
#define PATHPROF_READING_SYMBOL "__pathrt_reading"
#define PATHPROF_THREAD_SYMBOL "__pathrt_thread"
#define PATHPROF_ENTER_SYMBOL "__pathrt_enter"
#define PATHPROF_LEAVE_SYMBOL "__pathrt_leave"
#define PATHPROF_UNWOUND_SYMBOL "__pathrt_unwound"
#define PATHPROF_JUMPED_SYMBOL "__pathrt_jumped"
#define PATHPROF_FLUSH_SYMBOL "__pathrt_flush"

/* Where a path is counted that is kept in a table.  */
struct pathprof_slot {
  uint64_t key; /* id + 1, 0: free */
  uint64_t count;
};

/* The head of the storage that the runtime keeps for one function, zero-initialised by the compiler.
 *
 * Instrumented code knows the front: where the slot that a path may have there is the path's, it counts in it;
 * else it calls the runtime.  The runtime gives slots of the front to paths, each for good.  Everything else
 * belongs to libpathrt/table.c.  */
#define PATHPROF_FRONT_SIZE 64
struct pathprof_table {
  uint64_t front_used; /* whether a slot of the front is a path's */
  void *slots;         /* the newest block of hash slots */
  uint64_t *counters;  /* an array instead, where the environment raised the limit */
  uint64_t num_paths;  /* its length, 0: no array wanted */
  struct pathprof_slot front[PATHPROF_FRONT_SIZE]; /* path i may have slot i % PATHPROF_FRONT_SIZE */
};

/* Exact termination: what the runtime must know of a function to count a path of it that was cut short.
 * Constant, emitted by the compiler.  */
struct pathprof_frame_info {
  struct pathprof_table *prefixes;
  uint64_t num_paths;
  uint64_t num_calls; /* at which a path may be cut short */
  uint64_t shift;     /* of the path register, which holds a sum of vals << shift, above frame->base, or what is behind it */
  const char *name;   /* of the function */
  const int64_t *behind; /* by call: what the register's sum lacks to that of the vals */
};

/* An activation under exact termination.  Between __pathrt_enter and __pathrt_leave the function stores
 * its path register and the call's number before each call that may not return.  */
struct pathprof_frame {
  const struct pathprof_frame_info *info;
  uint64_t base;
  uint64_t path_register;
  uint64_t call; /* 1 + the call's place (core/prefix.h), or: */
};
#define PATHPROF_FRAME_BEGUN 0             /* no call since the path's start */
#define PATHPROF_FRAME_COUNTED UINT64_MAX  /* a path was counted since */
#define PATHPROF_FRAME_BEFORE_FORK (UINT64_C(1) << 63) /* added to a call that the parent made */

struct pathprof_unit {
  uint64_t abi_version;
  uint64_t key;              /* PATHPROF_KEY of the notes */
  const unsigned char *notes;
  uint64_t notes_size;
  uint64_t *counters;
  uint64_t num_counters;
  struct pathprof_table *tables;
  uint64_t num_tables;
  const void *runtime;       /* &PATHPROF_LINK_SYMBOL */
};

#endif
