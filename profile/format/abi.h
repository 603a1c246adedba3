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
#ifndef PATHPROF_PROFILE_FORMAT_ABI_H
#define PATHPROF_PROFILE_FORMAT_ABI_H

#include <stdint.h>

#define PATHPROF_ABI_VERSION 9
#define PATHPROF_QUOTED(number) #number
#define PATHPROF_WITH_NUMBER(text, number) text PATHPROF_QUOTED(number)
#define PATHPROF_UNITS_SECTION "pathprof_units"
/* Counters, table heads and inline caches of all units, next to each other and without contents in the file: what the
 * runtime maps elsewhere, it maps as one.  */
#define PATHPROF_COUNTERS_SECTION "pathprof_counters"

/* The symbols that instrumented code needs.  The first one exists to be named by the linker when the
 * runtime is missing.  */
#define PATHPROF_LINK_SYMBOL PATHPROF_WITH_NUMBER("__pathprof_please_link_with_lpathrt_abi", PATHPROF_ABI_VERSION)
#define PATHPROF_RUNTIME_PREFIX "__pathrt_"
#define PATHPROF_COUNT_SYMBOL "__pathrt_count"
#define PATHPROF_COUNT_ATOMIC_SYMBOL "__pathrt_count_atomic"
#define PATHPROF_COUNT_PROGRAM_SYMBOL "__pathrt_count_program"
#define PATHPROF_COUNT_PROGRAM_ATOMIC_SYMBOL "__pathrt_count_program_atomic"
#define PATHPROF_COUNT_MAPPED_SYMBOL "__pathrt_count_mapped"
#define PATHPROF_COUNT_MAPPED_ATOMIC_SYMBOL "__pathrt_count_mapped_atomic"
#define PATHPROF_COUNT_WIDE_SYMBOL "__pathrt_count_wide"
#define PATHPROF_COUNT_WIDE_ATOMIC_SYMBOL "__pathrt_count_wide_atomic"
#define PATHPROF_SPEND_SYMBOL "__pathrt_spend"
#define PATHPROF_SPEND_ATOMIC_SYMBOL "__pathrt_spend_atomic"
#define PATHPROF_CALLEES_SYMBOL "__pathrt_callees"
#define PATHPROF_READING_SYMBOL "__pathrt_reading"
#define PATHPROF_THREAD_SYMBOL "__pathrt_thread"
#define PATHPROF_THREAD_KEEPING_SYMBOL "__pathrt_thread_keeping"
#define PATHPROF_TO_OWN_SYMBOL "__pathrt_to_own"
#define PATHPROF_ENTER_SYMBOL "__pathrt_enter"
#define PATHPROF_ENTER_AT_SYMBOL "__pathrt_enter_at"
#define PATHPROF_LEAVE_SYMBOL "__pathrt_leave"
#define PATHPROF_FRAME_TOP_SYMBOL "__pathrt_frame_top"
#define PATHPROF_UNWOUND_SYMBOL "__pathrt_unwound"
#define PATHPROF_JUMPED_SYMBOL "__pathrt_jumped"
#define PATHPROF_FLUSH_SYMBOL "__pathrt_flush"
#define PATHPROF_RESTRICT_SYMBOL "__pathrt_restrict"
#define PATHPROF_PRCTL_SYMBOL "__pathrt_prctl"
#define PATHPROF_SYSCALL_SYMBOL "__pathrt_syscall"
#define PATHPROF_EMIT_SYMBOL "__pathrt_emit"
#define PATHPROF_EMIT_ATOMIC_SYMBOL "__pathrt_emit_atomic"
#define PATHPROF_RESIDUAL_SYMBOL "__pathrt_residual"
#define PATHPROF_RESIDUAL_ATOMIC_SYMBOL "__pathrt_residual_atomic"
#define PATHPROF_FIRST_SYMBOL "__pathrt_first"
#define PATHPROF_SWITCHED_SYMBOL "__pathrt_switched"
#define PATHPROF_VALUE_SYMBOL "__pathrt_value"
#define PATHPROF_VALUE_ATOMIC_SYMBOL "__pathrt_value_atomic"
#define PATHPROF_CALLED_SYMBOL "__pathrt_called"
#define PATHPROF_INDIRECT_CALL_SYMBOL "__pathrt_indirect_call"

/* What the variable PATHPROF_TO_OWN_SYMBOL has in a thread without a copy of the counters: no distance between two
 * copies is odd.  */
#define PATHPROF_NO_COPY 1

/* Where a path is counted that is kept in a table.  */
struct pathprof_slot {
  uint64_t key; /* id + 1, 0: free */
  uint64_t count;
};

/* Instrumented code that counts in a table knows the table's inline cache, an array of slots: key k may have slot
 * k % size of it.  Where that slot is the path's, the code counts in it; else it calls the runtime with the table, the
 * key and the inline cache.  The runtime gives slots to paths, each for good, and notes in the table's head where the
 * inline cache is when it gives the first.  All functions of a program count in one table, whose inline cache is
 * larger.  Tables that no code looks into have none.  */
#define PATHPROF_INLINE_CACHE_SIZE 1024
#define PATHPROF_PROGRAM_CACHE_SIZE 4096

/* The head of the storage that the runtime keeps for one function, zero-initialised by the compiler.
 *
 * Instrumented code knows of it, at most, the array of a program whose paths are few enough for one: where `counters`
 * is null it calls the runtime, which maps the array.  Everything else belongs to libpathrt/storage/table.c.  */
#define PATHPROF_TABLE_WORDS 81 /* of a head, also of a forest's, which is the largest (struct pathprof_forest) */
struct pathprof_table {
  struct pathprof_slot *cache; /* the inline cache, null: none of its slots is a path's */
  void *slots;                 /* the newest block of hash slots */
  uint64_t *counters;          /* an array instead: a program's, or where the environment raised the limit */
  uint64_t num_paths;          /* its length, 0: no array wanted */
  uint64_t cache_size;         /* in slots, of the inline cache */
  uint64_t padding[PATHPROF_TABLE_WORDS - 5]; /* to the size of a forest's head */
};

/* Where sequences of paths are counted (mode kipf, core/models/forest.h): a node of a function's k-slab forest.
 *
 * An activation is at a node; each path that ends takes it to another one, whose count goes up.  A node has slots for
 * some of its successors.  Instrumented code compares slot key % PATHPROF_NODE_CACHED_SUCCESSORS with the path's key
 * and moves to the successor in it, or calls the runtime if the keys differ.  The runtime assigns each free slot to one
 * path for good.  Everything else belongs to libpathrt/storage/forest.c.  */
#define PATHPROF_NODE_CACHED_SUCCESSORS 2
struct pathprof_node {
  uint64_t count;
  uint64_t keys[PATHPROF_NODE_CACHED_SUCCESSORS];            /* by slot: id + 1 of the path that has it, 0: free */
  struct pathprof_node *to[PATHPROF_NODE_CACHED_SUCCESSORS]; /* and where it leads */
  uint64_t id;                                               /* of the path that leads here from the parent */
  struct pathprof_node *parent;                              /* written last; null: not a node (yet) */
  uint64_t where; /* how many paths lead here; or, at the greatest depth, a node: libpathrt/storage/forest.c */
};

/* Nodes come in chunks.  Parents are made before their children: they are in an older chunk, or before them.  */
struct pathprof_chunk {
  struct pathprof_chunk *older;
  uint64_t size; /* in nodes */
  uint64_t used; /* may be more than there are */
  struct pathprof_chunk
      *overflow_blocks; /* the newest chunk that is not in the file, as of a block of slots (profile/format/raw.h) */
  uint64_t unused[4];
  struct pathprof_node nodes[];
};

/* The table head of a function whose sequences of paths are counted, and of a program whose numbers have two digits: a
 * forest of sequences of two digits, the higher one first.  A reader that does not know of forests sees an empty
 * table.  */
#define PATHPROF_NUM_ROOTS 64
#define PATHPROF_IS_FOREST UINT64_MAX
struct pathprof_forest {
  uint64_t no_table[3];
  uint64_t is_forest; /* PATHPROF_IS_FOREST, where a table has the length of its array; 0 as long as it is empty */
  uint64_t unused;
  struct pathprof_chunk *chunks; /* newest first */
  void *index;                   /* finds nodes by parent and path; not in files */
  uint64_t num_nodes;
  uint64_t is_pruned;                              /* some sequences were begun anew for want of room */
  struct pathprof_node root;                       /* where activations begin */
  struct pathprof_node *roots[PATHPROF_NUM_ROOTS]; /* some nodes that paths i % PATHPROF_NUM_ROOTS lead to from there */
};

/* Exact termination: what the runtime must know of a function to count a path of it that was cut short.
 * Constant, emitted by the compiler.  */
struct pathprof_frame_info {
  struct pathprof_table *prefixes;
  uint64_t num_paths;
  uint64_t num_calls;  /* at which a path may be cut short */
  uint64_t shift;      /* the path register holds a sum of vals, or what is behind it, << shift, above `base` */
  const char *name;    /* of the function */
  const int64_t *sums; /* by call: PATHPROF_SUM_IN_REGISTER + what the register's sum lacks to that of the vals, times
                          2; or that of the vals itself, times 2, where it is known: then the register is not stored */
  uint64_t *base;      /* in the module's counters (update=thread: the thread's copy of them); null: 0 */
};
#define PATHPROF_SUM_IN_REGISTER 1

/* An activation under exact termination.  These lie in stacks that threads have beside the machine's, in aligned chunks
 * whose first place has a header and whose last ones are no places; the word __pathrt_frame_top of a thread says where
 * its next one goes.  The function takes that place at its start, stores its path register and the call's number there
 * before each call that may not return, and gives it back at its end, after which `call` is zero.  So a place where it
 * is another at the start is not free: the chunk ends there, or an activation that had it never gave it back.  There
 * __pathrt_enter_at is called; __pathrt_enter and __pathrt_leave are for code that is to be small.  */
struct pathprof_frame {
  uint64_t path_register; /* not beside the call: GCC would join them in a vector to store them at once */
  const struct pathprof_frame_info *info;
  uint64_t call; /* 1 + the call's place (core/numbering/prefix.h), or one of the following */
  uint64_t unused;
};
#define PATHPROF_FRAME_NO_CALL 0                       /* no call since the path's start; no activation has the place */
#define PATHPROF_FRAME_END (UINT64_MAX - 1)            /* no place: the stack goes on in another chunk */
#define PATHPROF_FRAME_COUNTED UINT64_MAX              /* a path was counted since */
#define PATHPROF_FRAME_BEFORE_FORK (UINT64_C(1) << 63) /* added to a call that the parent made */
#define PATHPROF_FRAME_CHUNK 65536                     /* bytes, and what a chunk's address is a multiple of */

/* Preferential profiling (core/numbering/preferential.h): what the runtime must know of a function to tell of its
 * residual paths.  Constant, emitted by the compiler.  */
struct pathprof_residual_info {
  const char *name;   /* of the function; null: nobody is told */
  uint64_t *counters; /* where an array counts all paths by their Ball-Larus numbers, else null */
  uint64_t num_counters;
  uint64_t mask;      /* takes the Ball-Larus number out of what the path register has at the path's end */
  uint64_t num_slots; /* in the table a path has its Ball-Larus number plus this */
  uint64_t num_interesting;
  const uint64_t *interesting; /* Ball-Larus numbers, increasing, of paths that may come here and are not residual */
};

/* An indirect call that is about to happen (values=1): what it calls, and where the call counts that.  */
struct pathprof_indirect_call {
  const void *callee; /* null: nobody knows */
  struct pathprof_table *table;
  uint64_t site; /* of the caller's values, plus PATHPROF_SITE_IS_ATOMIC where threads share the table */
};
#define PATHPROF_SITE_IS_ATOMIC (UINT64_C(1) << 32)

struct pathprof_unit {
  uint64_t abi_version;
  uint64_t key; /* PATHPROF_KEY of the notes */
  const unsigned char *notes;
  uint64_t notes_size;
  uint64_t *counters;
  uint64_t num_counters;
  struct pathprof_table *tables;
  uint64_t num_tables;
  const void *runtime; /* &PATHPROF_LINK_SYMBOL */
};

#endif
