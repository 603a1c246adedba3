/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Defines the records that the compiler plugin emits for each translation unit and that the runtime reads.
 *
 * The linker collects the records in the section "pathprof_units".  A record points to the notes of the unit, to an
 * array with the counters of all functions whose storage is an array, and to an array of table heads for the functions
 * whose counts the runtime stores.  The index in the notes (doc/format.md) determines the owner of each counter:
 * counters and table heads are allocated to functions in index order.
 *
 * There is one record per unit, not per function, because a pointer in a position-independent program costs a
 * relocation of 24 bytes.  */
#ifndef PATHPROF_PROFILE_FORMAT_ABI_H
#define PATHPROF_PROFILE_FORMAT_ABI_H

#include <stdint.h>

#define PATHPROF_ABI_VERSION 9
#define PATHPROF_QUOTED(number) #number
#define PATHPROF_WITH_NUMBER(text, number) text PATHPROF_QUOTED(number)
#define PATHPROF_UNITS_SECTION "pathprof_units"
/* Section that contains the counters, table heads and inline caches of all units.  The section is contiguous and
 * occupies no space in the file, so the runtime can remap it as a whole.  */
#define PATHPROF_COUNTERS_SECTION "pathprof_counters"
/* Flags that are appended to the section's name.  The GNU assembler accepts %nobits on all targets; on some targets, @
 * or # starts a comment.  */
#define PATHPROF_NOBITS ",\"aw\",%nobits"

/* Declares a pointer in a record that the plugin emits or instrumented code accesses.  It occupies 8 bytes on all
 * targets, so that all offsets are the same.  On 32-bit targets, padding follows the pointer.  */
#if UINTPTR_MAX == UINT64_MAX
#define PATHPROF_WIDE(declaration) declaration
#else
#define PATHPROF_WIDE(declaration)                                                                                     \
  declaration;                                                                                                         \
  uint32_t:                                                                                                            \
  32
#endif

/* Symbols that instrumented code references.  If the runtime is not linked, the linker's error message names the first
 * symbol.  */
#define PATHPROF_LINK_SYMBOL PATHPROF_WITH_NUMBER("__pathprof_please_link_with_lpathrt_abi", PATHPROF_ABI_VERSION)
/* Symbol that a unit references instead if it addresses counters relative to %gs (libpathrt/storage/segment.c).  */
#define PATHPROF_LINK_SEGMENT_SYMBOL                                                                                   \
  PATHPROF_WITH_NUMBER("__pathprof_please_link_program_with_lpathrt_abi", PATHPROF_ABI_VERSION)
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

/* Value of PATHPROF_TO_OWN_SYMBOL in a thread that has no copy of the counters.  All other values are distances between
 * the counters and a copy, which are never odd.  */
#define PATHPROF_NO_COPY 1

/* A slot of a hash table or inline cache, with the count of one path.  */
struct pathprof_slot {
  uint64_t key; /* path ID + 1, or 0 if the slot is free */
  uint64_t count;
};

/* Sizes, in slots, of the inline cache of a function and of an interprocedural unit.  Instrumented code that counts in
 * a table accesses the inline cache of the table directly.  Key k can own slot k % size.  If the path owns the slot,
 * the code increments the count in the slot; otherwise, it calls the runtime with the table, the key and the inline
 * cache.  The runtime assigns a slot to a path permanently, and stores the address of the inline cache in the table
 * head when it assigns the first slot.  All functions of an interprocedural unit share one table, which has a larger
 * inline cache.  A table that instrumented code never accesses has no inline cache.  */
#define PATHPROF_INLINE_CACHE_SIZE 1024
#define PATHPROF_PROGRAM_CACHE_SIZE 4096

/* The head of the storage that the runtime manages for one function.  The compiler initializes the head to zero.
 *
 * Instrumented code accesses only `counters`, the counter array of an interprocedural unit, and only if the number of
 * paths is small enough for an array.  If `counters` is null, the code calls the runtime, which maps the array.  The
 * other fields are managed by libpathrt/storage/table.c.  */
#define PATHPROF_TABLE_WORDS 81 /* size of every table head in 8-byte words; equals that of struct pathprof_forest */
struct pathprof_table {
  PATHPROF_WIDE(struct pathprof_slot *cache); /* inline cache, or null while none of its slots is assigned to a path */
  PATHPROF_WIDE(void *slots);                 /* newest block of hash slots */
  PATHPROF_WIDE(uint64_t *counters);          /* counter array, which replaces the hash slots if num_paths is not 0 */
  uint64_t num_paths;                         /* length of the counter array, or 0 if the table does not use one */
  uint64_t cache_size;                        /* number of slots of the inline cache */
  uint64_t padding[PATHPROF_TABLE_WORDS - 5]; /* pads the head to the size of a forest's head */
};

/* A node of a function's k-slab forest, which counts sequences of paths (mode=kipf, core/models/forest.h).
 *
 * An activation is always at one node.  When a path ends, the activation moves to another node and increments its
 * count.  A node has slots for some of its successors.  Instrumented code compares the path's key with the key in slot
 * key % PATHPROF_NODE_CACHED_SUCCESSORS.  If the keys are equal, the code moves to the successor in the slot;
 * otherwise, it calls the runtime.  The runtime assigns a free slot to a path permanently.  libpathrt/storage/forest.c
 * manages the other fields.  */
#define PATHPROF_NODE_CACHED_SUCCESSORS 2
struct pathprof_node;
struct pathprof_node_pointer {
  PATHPROF_WIDE(struct pathprof_node *node);
};
struct pathprof_node {
  uint64_t count;
  uint64_t keys[PATHPROF_NODE_CACHED_SUCCESSORS];                   /* per slot: path ID + 1, or 0 if free */
  struct pathprof_node_pointer to[PATHPROF_NODE_CACHED_SUCCESSORS]; /* successor node in each slot */
  uint64_t id;                                                      /* ID of the last path of the sequence */
  PATHPROF_WIDE(struct pathprof_node *parent); /* written last, so it is null until the node is complete */
  /* The node's depth, or the address of another node.  A node of maximum depth has no children: its successors are the
   * children of another node.  When that node has been found, its address is stored here instead of the depth.  */
  uint64_t where;
};

/* A chunk of nodes.  A parent is allocated before its children, so it is in an older chunk or earlier in the same
 * chunk.  */
struct pathprof_chunk {
  PATHPROF_WIDE(struct pathprof_chunk *older);
  uint64_t size; /* capacity in nodes */
  uint64_t used; /* number of allocated nodes; failed allocations can raise it above the capacity */
  PATHPROF_WIDE(struct pathprof_chunk *overflow_blocks); /* newest chunk outside the raw file, or null; see struct
                                             pathprof_block (profile/format/raw.h) */
  uint64_t unused[4];
  struct pathprof_node nodes[];
};

/* The table head of a forest.  A forest counts the path sequences of a function or the paths of an interprocedural unit
 * with wide path IDs (wide=1).  A wide path ID has two digits, which are stored as a sequence that starts with the
 * higher digit.  A reader without support for forests sees an empty table.  */
#define PATHPROF_NUM_ROOTS 64
#define PATHPROF_IS_FOREST UINT64_MAX
struct pathprof_forest {
  uint64_t no_table[3];
  uint64_t is_forest; /* PATHPROF_IS_FOREST, or 0 while the forest is empty; overlays num_paths of a table head */
  uint64_t unused;
  PATHPROF_WIDE(struct pathprof_chunk *chunks); /* newest chunk of nodes */
  PATHPROF_WIDE(void *index); /* hash table of the nodes, keyed by parent and path; not stored in files */
  uint64_t num_nodes;
  uint64_t is_pruned;        /* nonzero if some sequences were restarted because the forest was full */
  struct pathprof_node root; /* start node of all activations */
  struct pathprof_node_pointer
      roots[PATHPROF_NUM_ROOTS]; /* cache; slot i % PATHPROF_NUM_ROOTS can hold the root of path i */
};

/* Constants from which the runtime computes the IDs of truncated paths (termination=exact).  The compiler emits one
 * record per function.  */
struct pathprof_frame_info {
  PATHPROF_WIDE(struct pathprof_table *prefixes);
  uint64_t num_paths;
  uint64_t num_calls;                 /* number of calls at which a path can be truncated */
  uint64_t shift;                     /* the path register holds `base` + (partial sum of edge values << shift) */
  PATHPROF_WIDE(const char *name);    /* name of the function */
  PATHPROF_WIDE(const int64_t *sums); /* for each call, either 2 × the sum of edge values, if the sum is constant (the
                                       * path register is then not stored), or PATHPROF_SUM_IN_REGISTER + 2 × the amount
                                       * to add to the sum in the register */
  /* Value of `base`, as an address in the counter array (with update=thread, in the thread's copy).  Null represents
   * 0.  */
  PATHPROF_WIDE(uint64_t *base);
};
#define PATHPROF_SUM_IN_REGISTER 1

/* The frame of an activation with exact termination.
 *
 * The frames of a thread form a stack of their own, in aligned chunks.  The first slot of a chunk is its header, and
 * the last slots are markers (PATHPROF_FRAME_END).  The thread-local variable __pathrt_frame_top points to the next
 * free slot.  A function takes this slot at its start, stores its path register and the number of the call in the slot
 * before each call that may not return, and releases the slot at its end.  In a free slot, `call` is zero.  If `call`
 * is nonzero when a function takes the slot, the chunk is full or an activation never released the slot; the function
 * then calls __pathrt_enter_at.  Code that is optimized for size calls __pathrt_enter and __pathrt_leave instead.  */
struct pathprof_frame {
  uint64_t path_register; /* not adjacent to `call`; otherwise, GCC would combine the two stores into a vector store */
  PATHPROF_WIDE(const struct pathprof_frame_info *info);
  uint64_t call; /* 1 + index of the call (core/numbering/prefix.h), or one of the PATHPROF_FRAME constants */
  uint64_t unused;
};
#define PATHPROF_FRAME_NO_CALL 0            /* no call since the start of the path, or the slot is free */
#define PATHPROF_FRAME_END (UINT64_MAX - 1) /* marks the end of a chunk; the stack continues in another chunk */
#define PATHPROF_FRAME_COUNTED UINT64_MAX   /* the activation has counted a path and has made no call since */
#define PATHPROF_FRAME_BEFORE_FORK (UINT64_C(1) << 63) /* flag: the parent process made the call */
#define PATHPROF_FRAME_CHUNK 65536                     /* size and alignment of a chunk in bytes */

/* Constants from which the runtime identifies residual paths (preferential profiling, core/numbering/preferential.h).
 * The compiler emits one record per function.  */
struct pathprof_residual_info {
  PATHPROF_WIDE(const char *name);   /* name of the function, or null if residual paths are not reported */
  PATHPROF_WIDE(uint64_t *counters); /* array that counts all paths by their Ball-Larus IDs, or null */
  uint64_t num_counters;
  uint64_t mask;      /* mask that extracts the Ball-Larus ID from the path register at the end of a path */
  uint64_t num_slots; /* number of slots; the table counts path p under the ID num_slots + p */
  uint64_t num_interesting;
  PATHPROF_WIDE(const uint64_t *interesting); /* Ball-Larus IDs of the paths that are counted through this record
                                  although they are not residual, in increasing order */
};

/* A pending indirect call (values=1): the callee, and the value site that counts the targets of the call.  */
struct pathprof_indirect_call {
  PATHPROF_WIDE(const void *callee); /* null if the callee is unknown */
  PATHPROF_WIDE(struct pathprof_table *table);
  uint64_t site; /* index of the value site in the caller, plus PATHPROF_SITE_IS_ATOMIC if threads share the table */
};
#define PATHPROF_SITE_IS_ATOMIC (UINT64_C(1) << 32)

struct pathprof_unit {
  uint64_t abi_version;
  uint64_t key; /* pathprof_unit_key of the notes */
  PATHPROF_WIDE(const unsigned char *notes);
  uint64_t notes_size;
  PATHPROF_WIDE(uint64_t *counters);
  uint64_t num_counters;
  PATHPROF_WIDE(struct pathprof_table *tables);
  uint64_t num_tables;
  PATHPROF_WIDE(const void *runtime); /* address of PATHPROF_LINK_SYMBOL or PATHPROF_LINK_SEGMENT_SYMBOL */
};

#endif
