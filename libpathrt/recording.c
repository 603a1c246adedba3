/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Recordings for `pathdump record -p`.  When a recording begins, the runtime saves the value of each counter as its
 * mark.  When the recording ends, the runtime reads the increments since the marks (libpathrt/snapshot/written.h).  The
 * counters keep their values, so a recording does not change dumps or the profile at exit.
 *
 * All functions can run in a signal handler.  If the tool exits early, a kernel timer sends the request that ends the
 * recording.  */
#define _GNU_SOURCE
#include "libpathrt/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>

#include "libpathrt/file/add.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/name.h"
#include "libpathrt/process/process.h"
#include "libpathrt/process/switched.h"
#include "profile/format/system.h"

#define registry pathrt_registry

/* ---- memory files ---- */

/* Creates an anonymous file in memory and returns its descriptor.  The descriptor has a high number, because programs
 * may expect low numbers to be free.  */
static int make_file(const char *name) {
  enum { HIGH = 500 };
  int fd = (int)pathprof_sys_call(SYS_memfd_create, (long)name, MFD_CLOEXEC, 0, 0, 0, 0);
  int higher = fd >= 0 ? pathprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, HIGH) : -1;
  if (higher < 0)
    return fd;
  pathprof_sys_close(fd);
  return higher;
}

/* Returns false if the program has closed the descriptor of the recording's memory file, even if the descriptor number
 * now belongs to another file.  */
static bool owns_fd(void) {
  struct stat status;
  return pathprof_sys_fstat(registry.recording_fd, &status) == 0 && status.st_dev == registry.recording_device &&
         status.st_ino == registry.recording_inode;
}

static void close_fd(void) {
  int saved_errno = errno;
  if (owns_fd())
    pathprof_sys_close(registry.recording_fd);
  registry.recording_fd = -1;
  errno = saved_errno;
}

static size_t page_size(void) {
  return pathprof_sys_page_size();
}

void pathrt_recording_announce(int signal) {
  struct pathrt_name *name = &pathrt_space.scratch.announced;
  if (registry.announcement)
    return;
  pathrt_name_clear(name);
  pathrt_name_append(name, PATHPROF_ANNOUNCED_NAME);
  pathrt_name_append_number(name, (unsigned long)signal);
  int fd = make_file(name->text);
  if (fd < 0)
    return;
  void *page = pathprof_sys_mmap(NULL, page_size(), PROT_NONE, MAP_SHARED, fd, 0);
  pathprof_sys_close(fd);
  registry.announcement = page == MAP_FAILED ? NULL : page;
}

void pathrt_recording_withdraw(void) {
  if (registry.announcement)
    pathprof_sys_munmap(registry.announcement, page_size());
  registry.announcement = NULL;
}

/* ---- the timer that ends a recording ---- */

#ifdef SYS_timer_settime64
#define SET_TIMER SYS_timer_settime64
#else
#define SET_TIMER SYS_timer_settime
#endif

static bool set_timer(uint32_t seconds) {
  struct {
    int64_t interval[2], value[2];
  } time = {{0, 0}, {seconds, 0}};
  return pathprof_sys_call(SET_TIMER, registry.recording_timer, 0, (long)&time, 0, 0, 0) == 0;
}

static bool start_timer(uint32_t seconds) {
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = registry.request_signal;
  event.sigev_value.sival_int = (int)pathprof_request_value(PATHPROF_REQUEST_EXPIRE, 0, 0);
  if (pathprof_sys_call(SYS_timer_create, CLOCK_MONOTONIC, (long)&event, (long)&registry.recording_timer, 0, 0, 0) != 0)
    return false;
  return set_timer(seconds);
}

static void end_timer(void) {
  if (registry.recording_timer >= 0)
    pathprof_sys_call(SYS_timer_delete, registry.recording_timer, 0, 0, 0, 0, 0);
  registry.recording_timer = -1;
}

/* ---- begin ---- */

/* Creates the recording's memory file and maps the structure that the runtime shares with the tool.  */
static bool make_recording(void) {
  struct stat status;
  int fd = make_file(PATHPROF_RECORDING_NAME);
  if (fd < 0)
    return false;
  void *page = MAP_FAILED;
  if (pathprof_sys_fstat(fd, &status) == 0 && pathprof_sys_ftruncate(fd, PATHPROF_RECORDING_DATA) == 0)
    page = pathprof_sys_mmap(NULL, sizeof *registry.recording, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page == MAP_FAILED) {
    pathprof_sys_close(fd);
    return false;
  }
  registry.recording = page;
  registry.recording_fd = fd;
  registry.recording_device = status.st_dev;
  registry.recording_inode = status.st_ino;
  registry.recording_pid = pathprof_sys_getpid();
  registry.recording_timer = -1;
  registry.recording->magic = PATHPROF_RECORDING_MAGIC;
  return true;
}

static void mark_modules(bool begin, bool *ok) {
  for (struct pathrt_module *each = registry.modules; each; each = each->next)
    *ok &= each->mark(begin);
}

static void begin(uint32_t lease) {
  bool ok = true;
  if (registry.recording || !make_recording())
    return;
  mark_modules(true, &ok);
  if (!ok)
    errno = ENOMEM;
  if (!ok || !start_timer(lease)) {
    registry.recording->error = errno;
    pathrt_recording_end(PATHPROF_RECORDING_FAILED);
    return;
  }
  registry.recorded_at = pathrt_microseconds();
  pathrt_note_recorded(true);
  pathrt_switch_modules();
  __atomic_store_n(&registry.recording->state, PATHPROF_RECORDING_ON, __ATOMIC_RELEASE);
}

/* ---- end ---- */

/* Adds a module's recorded counts to registry.recorded_sum.  On failure, prints a message and returns false.  */
static bool add_module(struct pathrt_module *module, struct pathrt_run *run) {
  struct pathprof_error error = {"not enough memory", 0};
  struct pathprof_buffer sum = {0};
  run->identity = module->identity;
  const struct pathprof_buffer *image = module->recorded(run);
  bool ok = image;
  if (ok && !registry.recorded_sum.size) {
    pathprof_put_bytes(&sum, image->data, image->size);
    ok = !sum.failed;
  } else if (ok)
    ok = pathrt_join(&registry.recorded_sum, image, &sum, &error);
  if (!ok) {
    pathrt_error("cannot collect the recorded counts: ", error.reason, NULL);
    return false;
  }
  pathprof_buffer_free(&registry.recorded_sum);
  registry.recorded_sum = sum;
  return true;
}

/* Returns the run information for the next module.  The run, the resets and the threading flag are included only for
 * the first module, so that they are not counted more than once.  */
static struct pathrt_run make_run(void) {
  bool is_first = !registry.recorded_sum.size;
  struct pathrt_run run = {NULL, is_first, 0, is_first, is_first && pathrt_was_threaded(), 0, {NULL, 0, 0, 0, 0}};
  return run;
}

static bool add_modules(void) {
  uint64_t switched = registry.recording->switched;
  for (struct pathrt_module *each = registry.modules; each; each = each->next) {
    struct pathrt_run run = make_run();
    run.switched = switched;
    switched = 0;
    if (!add_module(each, &run))
      return false;
  }
  return true;
}

static bool write_all(const unsigned char *data, size_t size) {
  off_t at = PATHPROF_RECORDING_DATA;
  while (size) {
    ssize_t n = pathprof_sys_pwrite(registry.recording_fd, data, size, at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

/* Writes the recorded profile to the memory file that the tool reads.  */
static enum pathprof_recording_state deliver(void) {
  if (!add_modules())
    return PATHPROF_RECORDING_FAILED;
  if (!owns_fd())
    registry.recording->error = EBADF;
  else if (!write_all(registry.recorded_sum.data, registry.recorded_sum.size))
    registry.recording->error = errno;
  registry.recording->size = registry.recorded_sum.size;
  return registry.recording->error ? PATHPROF_RECORDING_FAILED : PATHPROF_RECORDING_DONE;
}

/* Discards the recording without notifying the tool.  */
static void forget(void) {
  bool ok = true;
  mark_modules(false, &ok);
  pathprof_buffer_free(&registry.recorded_sum);
  pathprof_sys_munmap(registry.recording, sizeof *registry.recording);
  registry.recording = NULL;
  close_fd();
}

void pathrt_recording_end(enum pathprof_recording_state state) {
  if (!registry.recording)
    return;
  if (registry.recording_pid != pathprof_sys_getpid()) {
    pathrt_recording_after_fork();
    return;
  }
  end_timer();
  if (registry.is_recorded)
    registry.recording->switched = pathrt_microseconds() - registry.recorded_at;
  pathrt_note_recorded(false);
  pathrt_switch_modules();
  if (state == PATHPROF_RECORDING_DONE)
    state = deliver();
  __atomic_store_n(&registry.recording->state, state, __ATOMIC_RELEASE);
  forget();
}

void pathrt_recording_end_module(struct pathrt_module *module) {
  if (!registry.recording || registry.recording_pid != pathprof_sys_getpid())
    return;
  struct pathrt_run run = make_run();
  add_module(module, &run);
  module->mark(false);
}

void pathrt_recording_after_fork(void) {
  if (!registry.recording || registry.recording_pid == pathprof_sys_getpid())
    return;
  pathrt_note_recorded(false);
  pathrt_switch_modules();
  forget();
}

void pathrt_recording_request(uint32_t value) {
  enum pathprof_request request = pathprof_request_in(value);
  struct timespec now = {0, 0};
  pathprof_sys_clock_gettime(CLOCK_REALTIME, &now);
  if (request == PATHPROF_REQUEST_EXPIRE)
    pathrt_recording_end(PATHPROF_RECORDING_EXPIRED);
  else if (!pathprof_request_is_timely(value, (uint64_t)now.tv_sec))
    return;
  else if (request == PATHPROF_REQUEST_BEGIN)
    begin(pathprof_request_lease(value));
  else if (request == PATHPROF_REQUEST_END)
    pathrt_recording_end(PATHPROF_RECORDING_DONE);
  else if (registry.recording)
    set_timer(pathprof_request_lease(value));
}
