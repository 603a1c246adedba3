/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Stacks of activations, in aligned chunks: a full chunk shows in the low bits of `top`.  */
#define _GNU_SOURCE
#include "libpathrt/storage/frames.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

#include "libpathrt/memory/memory.h"
#include "libpathrt/process/decimal.h"
#include "libpathrt/process/message.h"
#include "libpathrt/storage/table.h"

enum { CHUNK_SIZE = 1 << 16 };

/* The header of a chunk, in the place of its first frame.  */
struct chunk {
  struct chunk *older, *newer;
  struct pathrt_thread *owner;
  uint64_t ordinal;
};

_Static_assert(sizeof(struct chunk) <= sizeof(struct pathprof_frame), "a header takes one frame's place");
_Static_assert(CHUNK_SIZE % sizeof(struct pathprof_frame) == 0, "frames fill a chunk");

/* The frame of activations that found no memory for one.  */
static struct pathprof_frame nowhere;

/* ---- chunks ---- */

/* The chunk that a frame lies in.  */
static struct chunk *chunk_of(struct pathprof_frame *frame) {
  return (struct chunk *)((uintptr_t)frame & -(uintptr_t)CHUNK_SIZE);
}

static struct pathprof_frame *first_of(struct chunk *chunk) {
  return (struct pathprof_frame *)chunk + 1;
}

/* The chunk of the frame below `top`; `top` itself may be the end of it.  */
static struct chunk *chunk_below(struct pathprof_frame *top) {
  return chunk_of(top - 1);
}

static struct chunk *map_chunk(void) {
  unsigned char *data = pathrt_map(2 * CHUNK_SIZE);
  if (!data)
    return NULL;
  size_t before = -(uintptr_t)data % CHUNK_SIZE;
  if (before)
    munmap(data, before);
  munmap(data + before + CHUNK_SIZE, CHUNK_SIZE - before);
  return (struct chunk *)(void *)(data + before);
}

/* The first place of the chunk above `full` (null: of the thread's first chunk).  */
static __attribute__((noinline)) struct pathprof_frame *next_chunk(struct pathrt_thread *thread, struct chunk *full) {
  if (full && full->newer)
    return first_of(full->newer);
  int saved_errno = errno;
  struct chunk *chunk = map_chunk();
  errno = saved_errno;
  if (!chunk)
    return NULL;
  chunk->owner = thread;
  chunk->older = full;
  chunk->ordinal = full ? full->ordinal + 1 : 0;
  if (full)
    full->newer = chunk;
  return first_of(chunk);
}

/* The frame below a place, or null at the bottom.  */
static struct pathprof_frame *below(struct pathprof_frame *place) {
  struct pathprof_frame *frame = place - 1;
  struct chunk *chunk = chunk_of(frame);
  if (frame != (struct pathprof_frame *)chunk)
    return frame;
  return chunk->older ? (struct pathprof_frame *)((uintptr_t)chunk->older + CHUNK_SIZE) - 1 : NULL;
}

/* Whether the frame is one of the thread's open ones.  */
static bool is_open(struct pathrt_thread *thread, struct pathprof_frame *frame) {
  if (!thread || !thread->top || frame == &nowhere)
    return false;
  struct chunk *chunk = chunk_of(frame), *newest = chunk_below(thread->top);
  return chunk->owner == thread && (chunk->ordinal < newest->ordinal || (chunk == newest && frame < thread->top));
}

/* ---- counting ---- */

static bool is_in_call(const struct pathprof_frame *frame) {
  return frame->call != PATHPROF_FRAME_BEGUN && frame->call != PATHPROF_FRAME_COUNTED;
}

/* The number of the path that a frame in a call is in.  False where the frame makes no sense.  */
static bool find_id(const struct pathprof_frame *frame, uint64_t *id) {
  const struct pathprof_frame_info *info = frame->info;
  uint64_t call = frame->call & ~PATHPROF_FRAME_BEFORE_FORK;
  if (call > info->num_calls)
    return false;
  int64_t sum = (int64_t)(frame->path_register - frame->base) >> info->shift;
  sum += info->behind[call - 1];
  *id = info->num_paths + (uint64_t)sum * info->num_calls + call - 1;
  return sum >= 0 && (uint64_t)sum < info->num_paths;
}

static void close_frame(struct pathprof_frame *frame) {
  uint64_t id;
  if (!is_in_call(frame))
    return;
  if (!(frame->call & PATHPROF_FRAME_BEFORE_FORK) && find_id(frame, &id))
    __pathrt_count_atomic(frame->info->prefixes, id + 1);
  frame->call = PATHPROF_FRAME_BEGUN;
}

/* Counts and drops what lies above an open frame.  */
static void pop_above(struct pathrt_thread *thread, struct pathprof_frame *frame) {
  struct pathprof_frame *above;
  while ((above = below(thread->top)) != frame) {
    close_frame(above);
    thread->top = above;
  }
}

/* ---- called by instrumented code ---- */

/* The place is taken before it is filled: a signal handler's activations go above it.  What the place
 * held before is not in a call.  */
struct pathprof_frame *__pathrt_enter(const struct pathprof_frame_info *info, uint64_t base) {
  struct pathrt_thread *thread = pathrt_thread_self(true);
  if (!thread)
    return &nowhere;
  struct pathprof_frame *frame = thread->top;
  if ((uintptr_t)frame % CHUNK_SIZE == 0)
    frame = next_chunk(thread, frame ? chunk_below(frame) : NULL);
  if (!frame)
    return &nowhere;
  __atomic_store_n(&thread->top, frame + 1, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  frame->call = PATHPROF_FRAME_BEGUN;
  frame->info = info;
  frame->base = base;
  return frame;
}

/* Whether nothing lies above the frame: the usual case.  */
static inline bool is_newest(struct pathrt_thread *thread, struct pathprof_frame *frame) {
  return thread && thread->top == frame + 1;
}

void __pathrt_unwound(struct pathprof_frame *frame) {
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (!is_newest(thread, frame) && is_open(thread, frame))
    pop_above(thread, frame);
}

void __pathrt_jumped(struct pathprof_frame *frame) {
  __pathrt_unwound(frame);
  if (frame != &nowhere)
    close_frame(frame);
}

void __pathrt_leave(struct pathprof_frame *frame) {
  struct pathrt_thread *thread = pathrt_thread_self(false);
  if (!is_newest(thread, frame)) {
    if (!is_open(thread, frame))
      return;
    pop_above(thread, frame);
  }
  thread->top = frame;
}

/* ---- called by the runtime ---- */

static void close_frames(struct pathrt_thread *thread) {
  struct pathprof_frame *top = __atomic_load_n(&thread->top, __ATOMIC_RELAXED);
  for (struct pathprof_frame *frame = top ? below(top) : NULL; frame; frame = below(frame))
    close_frame(frame);
}

void pathrt_frames_close_all(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    close_frames(thread);
}

static void forget_frames(struct pathrt_thread *thread) {
  struct pathprof_frame *frame = thread->top ? below(thread->top) : NULL;
  for (; frame; frame = below(frame)) {
    frame->call = PATHPROF_FRAME_BEGUN;
    thread->top = frame;
  }
}

void pathrt_frames_end(struct pathrt_thread *thread) {
  close_frames(thread);
  forget_frames(thread);
}

static void mark_inherited(struct pathrt_thread *thread) {
  struct pathprof_frame *frame = thread->top ? below(thread->top) : NULL;
  for (; frame; frame = below(frame))
    if (is_in_call(frame))
      frame->call |= PATHPROF_FRAME_BEFORE_FORK;
}

void pathrt_frames_after_fork(void) {
  struct pathrt_thread *self = pathrt_thread_self(false);
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (thread == self)
      mark_inherited(thread);
    else
      forget_frames(thread);
}

static void print_frame(int fd, const char *ordinal, const struct pathprof_frame *frame) {
  char decimal[PATHRT_DECIMAL_SIZE];
  uint64_t id;
  if (!frame->info)
    return;
  if (is_in_call(frame) && find_id(frame, &id))
    pathrt_print(fd, "  ", ordinal, " ", frame->info->name, " in path ", pathrt_decimal(decimal, id), NULL);
  else
    pathrt_print(fd, "  ", ordinal, " ", frame->info->name,
                 frame->call == PATHPROF_FRAME_COUNTED ? " after a path" : " in a new path", NULL);
}

bool pathrt_frames_print(int fd) {
  bool any = false;
  char decimal[PATHRT_DECIMAL_SIZE], ordinal[PATHRT_DECIMAL_SIZE + 1];
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next) {
    struct pathprof_frame *top = __atomic_load_n(&thread->top, __ATOMIC_RELAXED);
    if (!top || !thread->in_use)
      continue;
    any = true;
    pathrt_print(fd, "thread ", pathrt_decimal(decimal, thread->id), NULL);
    if ((uintptr_t)top % CHUNK_SIZE)
      print_frame(fd, "last", top);
    uint64_t number = 0;
    ordinal[0] = '#';
    for (struct pathprof_frame *frame = below(top); frame; frame = below(frame)) {
      pathrt_decimal(ordinal + 1, number++);
      print_frame(fd, ordinal, frame);
    }
  }
  return any;
}

static void free_frames(struct pathrt_thread *thread) {
  struct chunk *chunk = thread->top ? chunk_below(thread->top) : NULL;
  while (chunk && chunk->newer)
    chunk = chunk->newer;
  thread->top = NULL;
  while (chunk) {
    struct chunk *older = chunk->older;
    munmap(chunk, CHUNK_SIZE);
    chunk = older;
  }
}

void pathrt_frames_free(void) {
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    free_frames(thread);
}
