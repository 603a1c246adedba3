/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Handles forks, pauses, system call restrictions and profile writes in continuous mode.  */
#define _GNU_SOURCE
#include "libpathrt/continuous/continuous.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "libpathrt/continuous/blocks.h"
#include "libpathrt/continuous/raw_file.h"
#include "libpathrt/snapshot/all_counts.h"
#include "libpathrt/snapshot/walk.h"
#include "libpathrt/memory/memory.h"
#include "libpathrt/memory/section.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/process/signals.h"
#include "libpathrt/storage/table.h"
#include "libpathrt/storage/thread.h"
#include "profile/format/image.h"
#include "profile/format/merge.h"
#include "profile/format/raw.h"
#include "profile/format/saturate.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

bool pathrt_is_continuous(void) {
  return pathrt_raw.header != NULL;
}

/* ---- the child of a fork ---- */

/* Replaces all areas of the parent's file with private memory at the same addresses.  The addresses must stay mapped,
 * because fork may have been called by a signal handler that interrupted the runtime while the runtime was reading an
 * area.  */
static void replace_with_private(void) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  uint64_t n = header->num_areas;
  for (uint64_t i = 0; i < n; i++)
    pathprof_sys_mmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  pathprof_sys_munmap(header, PATHPROF_RAW_HEADER_SIZE);
  pathrt_raw_use(NULL);
  pathrt_raw.has_name = false;
  pathrt_raw_close_fd();
}

/* Maps the forking thread's copy of the counters at the same address as before, because the thread may hold the address
 * in a register.  */
static void map_copy_anew(uint64_t tls_counter_offset, bool was_in_file) {
  unsigned char *copy = __start_pathprof_counters + tls_counter_offset;
  size_t size = pathrt_section_size();
  if (pathrt_raw.header && pathrt_raw_add_area(copy, size)) {
    pathrt_raw.used = size; /* no blocks are allocated from this area */
    pathrt_raw_note_copy(copy);
  } else if (!was_in_file)
    pathprof_sys_mmap(copy, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1,
                      0);
}

/* Prepares newly mapped counters for use.  All of these counters are zero.  */
static void begin_anew(struct pathprof_buffer *caches) {
  pathrt_restore_caches(caches);
  pathprof_buffer_free(caches);
  pathrt_raise_array_max();
  pathrt_prepare_copies();
}

void pathrt_continuous_after_fork(struct pathrt_module *module) {
  struct pathrt_signals signals;
  bool was_paused = pathrt_raw.paused;
  pathrt_block_signals(&signals);
  uint64_t tls_counter_offset = pathrt_threads_keep_own();
  bool was_in_file = tls_counter_offset && pathrt_is_file_backed(__start_pathprof_counters + tls_counter_offset);
  struct pathprof_buffer caches = {0};
  pathrt_save_caches(&caches, tls_counter_offset);
  pathrt_abandon_forests();
  replace_with_private();
  module->run_owner_hash = 0;
  pathrt_continuous_start(module, false);
  if (tls_counter_offset)
    map_copy_anew(tls_counter_offset, was_in_file);
  begin_anew(&caches);
  if (was_paused && pathrt_raw.header)
    pathrt_continuous_pause();
  pathrt_restore_signals(&signals);
}

/* ---- before the process restricts its system calls ---- */

/* Replaces the counters in private memory with counters in a new raw file.  All counts must already have been written
 * to the profile.  */
static void start_with_fresh_counters(struct pathrt_module *module) {
  struct pathprof_buffer caches = {0};
  pathrt_save_caches(&caches, 0);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (thread->tls_counter_offset)
      pathrt_save_caches(&caches, thread->tls_counter_offset);
  pathrt_continuous_start(module, false);
  if (!pathrt_raw.header) {
    pathprof_buffer_free(&caches);
    return;
  }
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (thread->tls_counter_offset)
      map_copy_anew(thread->tls_counter_offset, false);
  begin_anew(&caches);
}

/* Reserves space in the file for future tables and threads, because the runtime cannot request memory once system calls
 * are restricted.  If the disk does not have enough free space, reserves less.  */
static void reserve_room(void) {
  enum { ROOM = 1 << 24, THREADS = 8, LEAST = 1 << 16 };
  uint64_t room = pathrt_has_tables() ? ROOM : LEAST;
  if (pathrt_threads())
    room += THREADS * pathrt_section_size();
  while (room >= LEAST && !pathrt_raw_add_area(NULL, room))
    room /= 2;
  if (room >= LEAST)
    pathrt_raw.used = 0;
  pathrt_raw.full = true;
}

bool pathrt_continuous_restrict(struct pathrt_module *module, bool paused) {
  struct pathrt_signals signals;
  pathrt_block_signals(&signals);
  if (!pathrt_raw.header) {
    pathrt_abandon_forests();
    start_with_fresh_counters(module);
    if (pathrt_raw.header && paused)
      pathrt_continuous_pause();
  }
  if (pathrt_raw.header)
    reserve_room();
  pathrt_restore_signals(&signals);
  return pathrt_raw.header != NULL;
}

const char *pathrt_continuous_file(void) {
  return pathrt_shown(pathrt_raw_name);
}

/* ---- pausing ---- */

/* Maps the file privately.  The counters keep their values, but increments during the pause are not written to the
 * file.  */
bool pathrt_continuous_pause(void) {
  if (pathrt_raw.paused)
    return true;
  pathrt_raw.paused = pathrt_raw_map_areas(MAP_PRIVATE | MAP_NORESERVE);
  if (!pathrt_raw.paused)
    pathrt_raw_map_areas(MAP_SHARED);
  return pathrt_raw.paused;
}

/* Maps the file as shared memory again.  Counter copies of threads that were started during the pause then have the
 * contents of the file, so all copies must be prepared again.  */
void pathrt_continuous_resume(void) {
  if (!pathrt_raw.paused)
    return;
  pathrt_raw.paused = !pathrt_raw_map_areas(MAP_SHARED);
  pathrt_seal_forests();
  pathrt_prepare_copies();
}

/* ---- writing ---- */

/* Returns true if another process has added the counts in this file to a profile.  That process sets `pending` in the
 * header before it renames the new profile.  If it was killed between these two steps, the counts were not added.  This
 * process itself sets `pending` only while it writes the profile.  */
static bool was_adopted(void) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  struct pathrt_name *folder = &pathrt_space.scratch.raw_folder;
  if (!header->pending || !header->adopted_size)
    return false;
  pathrt_name_extend(folder, pathrt_raw_name, "");
  char *slash = pathprof_text_find_last(folder->text, '/');
  if (slash)
    slash[slash == folder->text] = '\0';
  int fd = pathrt_open(slash ? folder->text : ".", O_RDONLY | O_DIRECTORY, 0);
  bool result = pathprof_raw_is_settled((const unsigned char *)header, PATHPROF_RAW_HEADER_SIZE, fd);
  if (fd >= 0)
    pathprof_sys_close(fd);
  return result;
}

/* Subtracts from `image` the counts that another process has added to the profile.  Maps the file a second time by
 * duplicating and enlarging the mapping of its header, because the file may no longer have a name or an open
 * descriptor.  */
static bool subtract(struct pathprof_buffer *image) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  struct pathprof_image counts, adopted;
  struct pathprof_error error = {"not enough memory", 0};
  struct pathprof_buffer rest = {0};
  bool in_second;
  size_t size = header->adopted_offset + header->adopted_size;
  unsigned char *file = pathprof_sys_mremap(header, 0, size, MREMAP_MAYMOVE);
  bool ok = file != MAP_FAILED && pathprof_image_open(&counts, image->data, image->size, &error) &&
            pathprof_image_open(&adopted, file + header->adopted_offset, header->adopted_size, &error) &&
            pathprof_merge(&counts, 1, &adopted, PATHPROF_SUBTRACTED, &rest, &error, &in_second);
  if (file != MAP_FAILED)
    pathprof_sys_munmap(file, size);
  if (!ok) {
    pathprof_buffer_free(&rest);
    pathrt_error(pathrt_shown(pathrt_raw_name),
                 ": another process has added this file to the profile, and the "
                 "counts since then cannot be determined: ",
                 error.reason, NULL);
    return false;
  }
  pathprof_buffer_free(image);
  *image = rest;
  return true;
}

bool pathrt_continuous_subtract_adopted(struct pathprof_buffer *image) {
  if (!pathrt_raw.header)
    return true;
  pathrt_raw.is_adopted |= was_adopted();
  return !pathrt_raw.is_adopted || subtract(image);
}

void pathrt_continuous_pending(const char *name, uint64_t inode) {
  if (!pathrt_raw.header || pathprof_text_size(name) >= sizeof pathrt_raw.header->pending_name)
    return;
  pathprof_text_copy(pathrt_raw.header->pending_name, name, sizeof pathrt_raw.header->pending_name);
  __atomic_store_n(&pathrt_raw.header->pending, inode, __ATOMIC_RELEASE);
}

void pathrt_continuous_settled(bool written) {
  __atomic_store_n(&pathrt_raw.header->pending, 0, __ATOMIC_RELEASE);
  if (!written)
    return;
  pathrt_raw.is_adopted = false;
  pathrt_raw.header->adopted_size = 0;
}

void pathrt_continuous_run_recorded(void) {
  if (pathrt_raw.header)
    pathrt_raw.header->runs = pathrt_raw.header->forks = pathrt_raw.header->resets = pathrt_raw.header->test_runs = 0;
}

void pathrt_continuous_note_test(const struct pathrt_module *module) {
  if (pathrt_raw.header)
    pathrt_raw_name_test(module->run_owner_hash != 0);
}

void pathrt_continuous_note_reset(const struct pathrt_module *module) {
  if (pathrt_raw.header && module->run_owner_hash)
    pathrt_raw.header->resets++;
}

void pathrt_continuous_end(void) {
  if (!pathrt_raw.header || !pathrt_raw.has_name)
    return;
  if (pathrt_raw_has_its_name())
    pathprof_sys_unlink(pathrt_raw_name->text);
  pathrt_raw.has_name = false;
}

void pathrt_continuous_release(void) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  if (pathrt_raw_name)
    pathprof_sys_munmap(pathrt_raw_name, sizeof *pathrt_raw_name);
  pathrt_raw_name = NULL;
  if (!header)
    return;
  for (uint64_t i = 1; i < header->num_areas; i++)
    pathprof_sys_munmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size);
  pathprof_sys_munmap(header, PATHPROF_RAW_HEADER_SIZE);
  pathrt_raw_use(NULL);
  pathrt_raw_close_fd();
}
