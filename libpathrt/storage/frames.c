/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Stores the stacks of activations in aligned chunks.  */
#define _GNU_SOURCE
#include "libpathrt/storage/frames.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/table.h"
#include "profile/format/system.h"

_Static_assert(sizeof(struct pathrt_frames) <= sizeof(struct pathprof_frame),
               "the header must fit in the first frame's slot");
_Static_assert(PATHPROF_FRAME_CHUNK % sizeof(struct pathprof_frame) == 0, "a chunk holds a whole number of frames");

/* ---- chunks ---- */

struct pathprof_frame pathrt_no_frames[1 + PATHRT_ENDS_OF_FRAMES] = {
    [1 ... PATHRT_ENDS_OF_FRAMES] = {.call = PATHPROF_FRAME_END},
};

static struct pathrt_frames *map_chunk(void) {
  unsigned char *data = pathrt_map((size_t)2 * PATHPROF_FRAME_CHUNK);
  if (!data)
    return NULL;
  size_t before = -(uintptr_t)data % PATHPROF_FRAME_CHUNK;
  if (before)
    pathprof_sys_munmap(data, before);
  pathprof_sys_munmap(data + before + PATHPROF_FRAME_CHUNK, PATHPROF_FRAME_CHUNK - before);
  return (struct pathrt_frames *)(void *)(data + before);
}

static struct pathrt_frames *chunk_above(const struct pathrt_frames *chunk) {
  return __atomic_load_n(&chunk->newer, __ATOMIC_ACQUIRE);
}

static struct pathrt_frames *first_chunk(const struct pathrt_thread *thread) {
  return __atomic_load_n(&thread->frames, __ATOMIC_ACQUIRE);
}

struct pathrt_frames *pathrt_next_frames(struct pathrt_thread *thread, struct pathrt_frames *below) {
  struct pathrt_frames **next = below ? &below->newer : &thread->frames;
  if (*next)
    return *next;
  int saved_errno = errno;
  struct pathrt_frames *chunk = map_chunk();
  errno = saved_errno;
  if (!chunk)
    return NULL;
  chunk->owner = thread;
  chunk->older = below;
  chunk->ordinal = below ? below->ordinal + 1 : 0;
  for (int i = 0; i < PATHRT_ENDS_OF_FRAMES; i++)
    pathrt_end_of_frames(chunk)[i].call = PATHPROF_FRAME_END;
  __atomic_store_n(next, chunk, __ATOMIC_RELEASE);
  return chunk;
}

/* Calls `visit` for each slot in the chunks of the thread's stack, including unused slots, starting at the bottom.  */
static void for_each_frame(struct pathrt_thread *thread,
                           void (*visit)(const struct pathrt_thread *, struct pathprof_frame *)) {
  for (struct pathrt_frames *chunk = first_chunk(thread); chunk; chunk = chunk_above(chunk))
    for (struct pathprof_frame *frame = pathrt_first_frame(chunk); frame < pathrt_end_of_frames(chunk); frame++)
      visit(thread, frame);
}

/* ---- counting ---- */

static bool is_in_call(const struct pathprof_frame *frame) {
  return frame->call != PATHPROF_FRAME_NO_CALL && frame->call != PATHPROF_FRAME_COUNTED;
}

/* Computes the ID of the path that ends at the call recorded in `frame`.  Assumes that the path register is relative to
 * `base`.  Returns false if the result is not a valid path ID.  */
static bool find_id_from(const struct pathprof_frame *frame, uint64_t base, uint64_t *id) {
  const struct pathprof_frame_info *info = frame->info;
  uint64_t call = frame->call & ~PATHPROF_FRAME_BEFORE_FORK;
  if (!info || call > info->num_calls)
    return false;
  int64_t entry = info->sums[call - 1], sum = entry >> 1;
  if (entry & PATHPROF_SUM_IN_REGISTER)
    sum += (int64_t)(frame->path_register - base) >> info->shift;
  *id = info->num_paths + (uint64_t)sum * info->num_calls + call - 1;
  return sum >= 0 && (uint64_t)sum < info->num_paths;
}

/* Computes the ID of the path that ends at the call recorded in `frame`.  With update=thread, the path register points
 * into the thread's copy of the counters or, if memory for a copy was exhausted, into the shared counters.  */
static bool find_id(const struct pathrt_thread *thread, const struct pathprof_frame *frame, uint64_t *id) {
  uint64_t base = frame->info ? (uint64_t)(uintptr_t)frame->info->base : 0;
  return (base && thread->tls_counter_offset && find_id_from(frame, base + thread->tls_counter_offset, id)) ||
         find_id_from(frame, base, id);
}

/* Returns true if the activation is in a call and its path started in this process.  In this case, sets `*id` to the ID
 * of the path truncated at the call.  */
static bool find_cut(const struct pathrt_thread *thread, const struct pathprof_frame *frame, uint64_t *id) {
  return is_in_call(frame) && !(frame->call & PATHPROF_FRAME_BEFORE_FORK) && find_id(thread, frame, id);
}

void pathrt_frame_close(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  uint64_t id;
  if (find_cut(thread, frame, &id))
    pathrt_table_add(frame->info->prefixes, id, 1, NULL, true);
  if (is_in_call(frame))
    frame->call = PATHPROF_FRAME_NO_CALL;
}

void pathrt_frames_close_all(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    for_each_frame(thread, pathrt_frame_close);
}

void pathrt_each_cut_path(void (*visit)(struct pathprof_table *prefixes, uint64_t id)) {
  uint64_t id;
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    for (struct pathrt_frames *chunk = first_chunk(thread); chunk; chunk = chunk_above(chunk))
      for (struct pathprof_frame *frame = pathrt_first_frame(chunk); frame < pathrt_end_of_frames(chunk); frame++)
        if (find_cut(thread, frame, &id))
          visit(frame->info->prefixes, id);
}

static void forget_frame(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  (void)thread;
  frame->call = PATHPROF_FRAME_NO_CALL;
}

void pathrt_frames_end(struct pathrt_thread *thread) {
  for_each_frame(thread, pathrt_frame_close);
  for_each_frame(thread, forget_frame);
  if (thread->top)
    *thread->top = pathrt_no_frames + 1;
  thread->top = NULL;
  thread->full = NULL;
}

static void mark_inherited(const struct pathrt_thread *thread, struct pathprof_frame *frame) {
  (void)thread;
  if (is_in_call(frame))
    frame->call |= PATHPROF_FRAME_BEFORE_FORK;
}

void pathrt_frames_after_fork(void) {
  struct pathrt_thread *self = pathrt_thread_self(false);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
    for_each_frame(thread, thread == self ? mark_inherited : forget_frame);
    if (thread != self)
      thread->top = NULL;
  }
}

/* ---- printing ---- */

static void print_open(int fd, const struct pathrt_thread *thread, uint64_t number,
                       const struct pathprof_frame *frame) {
  char ordinal[PATHRT_DECIMAL_SIZE], decimal[PATHRT_DECIMAL_SIZE];
  uint64_t id;
  if (!frame->info)
    return;
  pathrt_decimal(ordinal, number);
  if (is_in_call(frame) && find_id(thread, frame, &id))
    pathrt_print(fd, "  #", ordinal, " ", frame->info->name, " in path ", pathrt_decimal(decimal, id), NULL);
  else
    pathrt_print(fd, "  #", ordinal, " ", frame->info->name,
                 frame->call == PATHPROF_FRAME_COUNTED ? " after a path" : " in a new path", NULL);
}

/* Returns the chunk that contains the top of the thread's stack, and stores the address after the open frames in
 * `*top`.  */
static struct pathrt_frames *newest_chunk(const struct pathrt_thread *thread, struct pathprof_frame **top) {
  *top = thread->top ? *thread->top : NULL;
  for (struct pathrt_frames *chunk = first_chunk(thread); chunk; chunk = chunk_above(chunk))
    if ((uintptr_t)*top / PATHPROF_FRAME_CHUNK == (uintptr_t)chunk / PATHPROF_FRAME_CHUNK) {
      *top = *top < pathrt_end_of_frames(chunk) ? *top : pathrt_end_of_frames(chunk);
      return chunk;
    }
  if (thread->full)
    *top = pathrt_end_of_frames(thread->full);
  return thread->full;
}

/* The slot above the innermost frame still contains the frame of the activation that returned most recently.  */
static void print_thread(int fd, const struct pathrt_thread *thread) {
  struct pathprof_frame *top;
  struct pathrt_frames *chunk = newest_chunk(thread, &top);
  if (!chunk)
    return;
  const struct pathprof_frame *left = top;
  if (top == pathrt_end_of_frames(chunk))
    left = chunk_above(chunk) ? pathrt_first_frame(chunk_above(chunk)) : NULL;
  if (left && left->info)
    pathrt_print(fd, "  last ", left->info->name, NULL);
  uint64_t number = 0;
  for (; chunk; chunk = chunk->older, top = chunk ? pathrt_end_of_frames(chunk) : NULL)
    for (struct pathprof_frame *frame = top; frame-- > pathrt_first_frame(chunk);)
      print_open(fd, thread, number++, frame);
}

bool pathrt_frames_print(int fd) {
  bool any = false;
  char decimal[PATHRT_DECIMAL_SIZE];
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
    if (!first_chunk(thread) || !thread->in_use)
      continue;
    any = true;
    pathrt_print(fd, "thread ", pathrt_decimal(decimal, thread->id), NULL);
    print_thread(fd, thread);
  }
  return any;
}

void pathrt_frames_free(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
    for (struct pathrt_frames *chunk = thread->frames, *newer; chunk; chunk = newer) {
      newer = chunk->newer;
      pathprof_sys_munmap(chunk, PATHPROF_FRAME_CHUNK);
    }
    thread->frames = NULL;
  }
}
