/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Lock-free lists of the blocks in which tables store slots and forests store nodes.
 *
 * A list starts with the newest block, and each block starts with a pointer to the next older block.  If the newest
 * block is in a raw file that cannot grow, new blocks are in private memory and form an overflow list.  The newest
 * block in the file contains a pointer to the newest block of the overflow list, so every block in the file can be
 * reached from the file alone (profile/format/raw.h).
 *
 * Invariants: A block is added only in front of the newest block, and `older` does not change afterwards.  Blocks are
 * removed only when no other thread uses the list.  If the file can grow again, the next block is added in front of the
 * list, and the overflow list remains reachable from the block that was the newest in the file.
 *
 * `overflow_at` is the offset of a block's pointer to the overflow list.  */
#ifndef PATHRT_BLOCK_LIST_H
#define PATHRT_BLOCK_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "libpathrt/memory/memory.h"

static inline void **pathrt_overflow_of(void *block, size_t overflow_at) {
  return (void **)((char *)block + overflow_at);
}

/* Returns the block to which new entries are added, or null if the list is empty.  */
static inline void *pathrt_newest_block(void **list, size_t overflow_at) {
  void *block = __atomic_load_n(list, __ATOMIC_ACQUIRE);
  void *overflow = block ? __atomic_load_n(pathrt_overflow_of(block, overflow_at), __ATOMIC_ACQUIRE) : NULL;
  return overflow ? overflow : block;
}

/* Adds a block in front of `old`, which an earlier call to pathrt_newest_block has returned.  Returns false if `old` is
 * no longer the newest block.  */
static inline bool pathrt_link_block(void **list, size_t overflow_at, void *block, void *old) {
  void *head = __atomic_load_n(list, __ATOMIC_ACQUIRE);
  if (pathrt_newest_block(list, overflow_at) != old)
    return false;
  bool is_overflow = head && pathrt_is_file_backed(head) && !pathrt_is_file_backed(block);
  void **link = is_overflow ? pathrt_overflow_of(head, overflow_at) : list;
  void *first = is_overflow && head == old ? NULL : is_overflow ? old : head;
  *(void **)block = first;
  return __atomic_compare_exchange_n(link, &first, block, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

#endif
