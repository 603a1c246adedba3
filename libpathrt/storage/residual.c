/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Counts residual paths and reports each residual path to the callback only once.  A counter of 0 does not prove that
 * the path is new: the path may have another counter in an older block of the table or in another thread's copy, or its
 * count may have been discarded.  Reported paths are therefore recorded in lists, from which they are never
 * removed.  */
#define _GNU_SOURCE
#include "libpathrt/storage/residual.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/storage/table.h"
#include "libpathrt/storage/thread.h"

enum { NUM_LISTS = 1024 };

struct told {
  struct told *next;
  const struct pathprof_residual_info *info;
  uint64_t id;
};

static struct told *lists[NUM_LISTS];

/* Records that a path has been reported.  Returns false if the path was already recorded.  If memory is exhausted, the
 * path may be reported again.  */
static bool note_told(const struct pathprof_residual_info *info, uint64_t id) {
  struct told **list = &lists[((uintptr_t)info / sizeof *info + id) % NUM_LISTS];
  struct told *first = __atomic_load_n(list, __ATOMIC_ACQUIRE), *searched = NULL, *fresh = NULL;
  for (;;) {
    for (struct told *at = first; at != searched; at = at->next)
      if (at->info == info && at->id == id)
        return false;
    searched = first;
    if (!fresh && !(fresh = pathrt_carve(sizeof *fresh)))
      return true;
    *fresh = (struct told){first, info, id};
    if (__atomic_compare_exchange_n(list, &first, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return true;
  }
}

static bool is_interesting(const struct pathprof_residual_info *info, uint64_t id) {
  uint64_t low = 0, high = info->num_interesting;
  while (low < high) {
    uint64_t middle = low + (high - low) / 2;
    if (info->interesting[middle] == id)
      return true;
    if (info->interesting[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

static __attribute__((noinline, cold)) void tell(const struct pathprof_residual_info *info, uint64_t id) {
  int saved_errno = errno;
  void (*callback)(const char *, unsigned long long, void *) =
      __atomic_load_n(&pathrt_registry.residual_callback, __ATOMIC_ACQUIRE);
  if (callback && info->name && !is_interesting(info, id) && note_told(info, id))
    callback(info->name, id, pathrt_registry.residual_data);
  errno = saved_errno;
}

static bool is_wanted(void) {
  return __atomic_load_n(&pathrt_registry.residual_callback, __ATOMIC_RELAXED) != NULL;
}

static inline void count(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                         uint64_t amount, struct pathprof_slot *cache, bool atomic) {
  uint64_t id = sum & info->mask;
  bool may_be_first = pathrt_table_add(table, info->num_slots + id, amount, cache, atomic);
  bool takes_back = amount > INT64_MAX; /* a negative amount, which undoes an earlier count */
  if (may_be_first && !takes_back && amount && is_wanted())
    tell(info, id);
}

void __pathrt_residual(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                       uint64_t amount, struct pathprof_slot *cache) {
  count(table, sum, info, amount, cache, false);
}

void __pathrt_residual_atomic(struct pathprof_table *table, uint64_t sum, const struct pathprof_residual_info *info,
                              uint64_t amount, struct pathprof_slot *cache) {
  count(table, sum, info, amount, cache, true);
}

void __pathrt_first(const struct pathprof_residual_info *info, uint64_t *counter) {
  if (!is_wanted())
    return;
  uint64_t at = ((uintptr_t)counter - (uintptr_t)info->counters) / sizeof *counter;
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (at >= info->num_counters && thread)
    at = ((uintptr_t)counter - thread->tls_counter_offset - (uintptr_t)info->counters) / sizeof *counter;
  if (at < info->num_counters)
    tell(info, at);
}

/* Does not unmap memory: the memory of the lists is released together with that of the tables.  */
void pathrt_residual_release(void) {
  memset(lists, 0, sizeof lists);
}
