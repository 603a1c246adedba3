/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Allocates blocks for counts in the raw file of continuous mode, and extends the file if necessary.  */
#define _GNU_SOURCE
#include "libpathrt/continuous/blocks.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "libpathrt/continuous/raw_file.h"
#include "libpathrt/memory/memory.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/signals.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* State of the thread that must be restored after the file has been extended.  Signals are blocked while the file is
 * being extended.  Otherwise, for example, exceeding the file size limit would send SIGXFSZ to the program.  */
struct growth {
  struct pathrt_signals signals;
  int saved_errno;
};

static void let_signals_through(const struct growth *growth) {
  pathrt_restore_signals(&growth->signals);
  errno = growth->saved_errno;
}

/* Acquires the lock that a thread must hold while it extends the file.  Waits at most PATHRT_MOST_HELD_BACK
 * milliseconds, and does not wait if the process has restricted its system calls.  Returns false if another thread
 * still holds the lock.  */
static bool start_growing(struct growth *growth) {
  enum { PAUSE = 50000 /* ns */, TRIES = PATHRT_MOST_HELD_BACK * (1000000 / PAUSE) };
  static const struct timespec a_while = {0, PAUSE};
  if (pathrt_registry.restricted)
    return !__atomic_exchange_n(&pathrt_raw.locked, 1, __ATOMIC_ACQUIRE);
  growth->saved_errno = errno;
  pathrt_block_signals(&growth->signals);
  for (int tries = 0; tries < TRIES; tries++) {
    if (!__atomic_exchange_n(&pathrt_raw.locked, 1, __ATOMIC_ACQUIRE))
      return true;
    pathprof_sys_nanosleep(&a_while);
  }
  let_signals_through(growth);
  return false;
}

static void stop_growing(const struct growth *growth) {
  __atomic_store_n(&pathrt_raw.locked, 0, __ATOMIC_RELEASE);
  if (!pathrt_registry.restricted)
    let_signals_through(growth);
}

/* Adds an area for blocks to the file.  The size of the area grows with the size of the file, so few areas are needed.
 * If there is not enough disk space, tries again with an area of only `size` bytes.  */
static bool add_blocks_area(uint64_t size) {
  enum { SMALLEST = 1 << 16, SHARE = 4 };
  const struct pathprof_raw_area *section = &pathrt_raw.header->areas[0];
  uint64_t wanted = (pathrt_raw.size - section->offset - section->size) / SHARE;
  if (wanted < SMALLEST)
    wanted = SMALLEST;
  if (wanted < size)
    wanted = size;
  if (pathrt_raw_add_area(NULL, wanted) ||
      (pathrt_raw_in_pages(wanted) > pathrt_raw_in_pages(size) && pathrt_raw_add_area(NULL, size))) {
    pathrt_raw.used = 0;
    return true;
  }
  pathrt_raw.full = true;
  char reason[128];
  pathprof_text_copy(reason, pathrt_reason(errno), sizeof reason);
  pathrt_error(pathrt_shown(pathrt_raw_name), ": cannot grow (", reason,
               "); counts that do not fit in the file are written only at exit", NULL);
  return false;
}

/* Allocates a block from the newest area.  Returns null if the area is not intended for blocks or does not have enough
 * free space.  */
static void *cut_block(uint64_t size) {
  enum { LINE = 64 };
  uint64_t page = pathprof_sys_page_size();
  uint64_t align = size >= page ? page : size >= LINE ? LINE : sizeof(uint64_t);
  const struct pathprof_raw_header *header = pathrt_raw.header;
  const struct pathprof_raw_area *area = &header->areas[header->num_areas - 1];
  uint64_t at = (pathrt_raw.used + align - 1) / align * align;
  if (header->num_areas == 1 || at > area->size || size > area->size - at)
    return NULL;
  pathrt_raw.used = at + size;
  return (void *)(uintptr_t)(area->address + at);
}

/* Records in the header of the file whether the process has created threads.  Called whenever a block is allocated,
 * because the runtime is not notified when a thread is created.  */
static void note_threads(void) {
  pathrt_raw.header->threaded |= pathrt_was_threaded();
}

/* Allocates a block, and adds an area if necessary.  If the file can no longer be extended, a small block may still fit
 * in the newest area.  */
static void *take_block(uint64_t size) {
  note_threads();
  void *block = cut_block(size);
  return !block && !pathrt_raw.full && add_blocks_area(size) ? cut_block(size) : block;
}

static void *map_block(size_t size) {
  struct growth growth;
  if (!pathrt_raw.header || !start_growing(&growth))
    return NULL;
  void *data = take_block(size);
  stop_growing(&growth);
  return data;
}

static bool holds(const void *data) {
  for (uint64_t i = 0; pathrt_raw.header && i < pathrt_raw.header->num_areas; i++)
    if ((uintptr_t)data - pathrt_raw.header->areas[i].address < pathrt_raw.header->areas[i].size)
      return true;
  return false;
}

/* Writes `contents` to the file at the position of `block`, which is in the newest area.  Unless system calls are
 * restricted, the contents are written to the file even if the area is mapped privately.  */
static bool write_block(void *block, const void *contents, size_t size) {
  const struct pathprof_raw_area *area = &pathrt_raw.header->areas[pathrt_raw.header->num_areas - 1];
  if (pathrt_registry.restricted) {
    memcpy(block, contents, size);
    return true;
  }
  int fd = pathrt_raw_own_fd();
  uint64_t offset = area->offset + ((uintptr_t)block - area->address);
  return fd >= 0 && pathprof_sys_pwrite(fd, contents, size, (off_t)offset) == (ssize_t)size;
}

/* Adds an entry to the list of the threads' copies of the counter section.  Only readers of the file use this list.
 * The list must be complete even during a pause, in which memory is mapped privately, so the entry is written to the
 * file instead of the mapped memory.  */
void pathrt_raw_note_copy(void *data) {
  struct pathprof_raw_copy *copy = take_block(sizeof *copy);
  struct pathprof_raw_copy contents = {pathrt_raw.header->copies, (uintptr_t)data};
  if (!copy || !write_block(copy, &contents, sizeof contents))
    return;
  __atomic_store_n(&pathrt_raw.header->copies, (uintptr_t)copy, __ATOMIC_RELEASE);
}

static void *map_copy(size_t size) {
  struct growth growth;
  if (!pathrt_raw.header || !start_growing(&growth))
    return NULL;
  void *data = take_block(size);
  if (data)
    pathrt_raw_note_copy(data);
  stop_growing(&growth);
  return data;
}

void pathrt_raw_use(struct pathprof_raw_header *header) {
  static const struct pathrt_store store = {map_block, map_copy, holds};
  pathrt_raw.header = header;
  pathrt_use_store(header ? &store : NULL);
}
