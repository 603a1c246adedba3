/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#define _GNU_SOURCE
#include "libpathrt/continuous.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "libpathrt/collect.h"
#include "libpathrt/cycles.h"
#include "libpathrt/file.h"
#include "libpathrt/lock.h"
#include "libpathrt/message.h"
#include "libpathrt/pages.h"
#include "libpathrt/section.h"
#include "libpathrt/table.h"
#include "libpathrt/thread.h"
#include "libpathrt/write.h"
#include "profile/abi.h"
#include "profile/raw.h"

/* No page that the kernel maps is larger.  */
#if defined __x86_64__ || defined __i386__
enum { LARGEST_PAGE = 4096 };
#else
enum { LARGEST_PAGE = 65536 };
#endif

/* Nothing but counters may be on a page that is mapped from the file.  This one, which nobody uses,
 * aligns the start of the section; and as the runtime is linked after all instrumented code, also
 * its end.  */
static unsigned char last_page[LARGEST_PAGE]
    __attribute__((section(PATHPROF_COUNTERS_SECTION ",\"aw\",@nobits#"), aligned(LARGEST_PAGE), used));

/* The file; header: null where there is none.  */
static struct {
  struct pathprof_raw_header *header; /* mapped */
  int fd;
  dev_t device;
  ino_t inode;
  struct pathrt_name name;
  bool has_name;
  bool paused;
  bool full;       /* it cannot grow any more */
  uint64_t size;   /* all of it is reserved */
  uint64_t used;   /* of the newest area, where that is for blocks */
  uint32_t locked; /* somebody makes it grow */
} raw = {.fd = -1};

static uint64_t in_pages(uint64_t size) {
  uint64_t page = (uint64_t)getpagesize();
  return (size + page - 1) / page * page;
}

bool pathrt_is_continuous(void) {
  return raw.header != NULL;
}

/* Always false, for callers that return it.  */
static bool complain(const char *what) {
  pathrt_error(pathrt_shown(&raw.name), ": ", what, " (", pathrt_reason(errno), "); counting until exit instead", NULL);
  return false;
}

/* Most likely the profile cannot be written either; at exit that is not said again.  */
static void complain_of_folder(const struct pathrt_name *file, int error) {
  pathrt_registry.told_file = pathprof_key(file->text, file->size);
  pathrt_registry.told_error = error;
  pathrt_error(pathrt_shown(file), ": cannot make a raw file beside it (", pathrt_reason(error),
               "); counting until exit instead", NULL);
}

/* ---- the descriptor ---- */

/* High, where few programs look for one: shells dup2 over the low ones.  */
static int lift(int fd) {
  enum { HIGH = 500 };
  int higher = fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
  if (higher < 0)
    return fd;
  close(fd);
  return higher;
}

static bool is_ours(int fd) {
  struct stat status;
  return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == raw.device && status.st_ino == raw.inode;
}

/* The program may have closed the descriptor that it does not know of, and have another file there.
 */
static int own_fd(void) {
  if (is_ours(raw.fd))
    return raw.fd;
  raw.fd = raw.has_name ? pathrt_open(raw.name.text, O_RDWR, 0) : -1;
  if (raw.fd >= 0 && !is_ours(raw.fd)) {
    close(raw.fd);
    raw.fd = -1;
  }
  if (raw.fd < 0) {
    errno = EBADF;
    return -1;
  }
  raw.fd = lift(raw.fd);
  flock(raw.fd, LOCK_EX | LOCK_NB);
  return raw.fd;
}

static void close_fd(void) {
  if (is_ours(raw.fd))
    close(raw.fd);
  raw.fd = -1;
}

/* ---- space ---- */

/* Where the file system cannot reserve, zeros do it.  */
static bool fill(int fd, uint64_t offset, uint64_t size) {
  static const unsigned char zeros[1 << 14];
  while (size) {
    size_t piece = size < sizeof zeros ? (size_t)size : sizeof zeros;
    ssize_t n = pwrite(fd, zeros, piece, (off_t)offset);
    if (n < 0 && errno != EINTR)
      return false;
    offset += n > 0 ? (uint64_t)n : 0;
    size -= n > 0 ? (uint64_t)n : 0;
  }
  return true;
}

/* Appends zeroed space to the file.  False with errno set.  */
static bool append(int fd, uint64_t size) {
  int result;
  do
    result = fallocate(fd, 0, (off_t)raw.size, (off_t)size);
  while (result != 0 && errno == EINTR);
  if (result != 0 && (errno != EOPNOTSUPP || !fill(fd, raw.size, size)))
    return false;
  raw.size += size;
  return true;
}

/* Maps the end of the file, at an address or (null) anywhere.  A reader learns of it last.  */
static unsigned char *add_area(void *address, uint64_t size) {
  struct pathprof_raw_header *header = raw.header;
  int fd = own_fd();
  uint64_t offset = raw.size, n = header->num_areas;
  if (n == PATHPROF_RAW_MAX_AREAS)
    errno = ENOSPC;
  if (fd < 0 || n == PATHPROF_RAW_MAX_AREAS || !append(fd, size))
    return NULL;
  void *data = mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | (address ? MAP_FIXED : 0), fd, (off_t)offset);
  if (data == MAP_FAILED)
    return NULL;
  header->areas[n] = (struct pathprof_raw_area){(uintptr_t)data, size, offset};
  __atomic_store_n(&header->num_areas, n + 1, __ATOMIC_RELEASE);
  return data;
}

/* ---- blocks ---- */

/* Signals are held back, also because running into a limit of the file's size raises one.  */
struct growth {
  struct pathrt_signals signals;
  int cancel_state;
  int saved_errno;
};

static void start_growing(struct growth *growth) {
  static const struct timespec a_while = {0, 50000};
  growth->saved_errno = errno;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &growth->cancel_state);
  pathrt_block_signals(&growth->signals);
  while (__atomic_exchange_n(&raw.locked, 1, __ATOMIC_ACQUIRE))
    nanosleep(&a_while, NULL);
}

static void stop_growing(const struct growth *growth) {
  __atomic_store_n(&raw.locked, 0, __ATOMIC_RELEASE);
  pathrt_restore_signals(&growth->signals);
  pthread_setcancelstate(growth->cancel_state, NULL);
  errno = growth->saved_errno;
}

/* Areas grow with their sum, so that few are enough.  On a disk that is nearly full just what is
 * needed is better than nothing.  */
static bool add_blocks_area(uint64_t size) {
  enum { SMALLEST = 1 << 16, SHARE = 4 };
  const struct pathprof_raw_area *section = &raw.header->areas[0];
  uint64_t wanted = in_pages((raw.size - section->offset - section->size) / SHARE);
  if (wanted < SMALLEST)
    wanted = SMALLEST;
  if (wanted < size)
    wanted = size;
  raw.used = 0;
  if (add_area(NULL, wanted) || (wanted > in_pages(size) && add_area(NULL, in_pages(size))))
    return true;
  raw.full = true;
  char reason[128];
  strncpy(reason, pathrt_reason(errno), sizeof reason - 1);
  reason[sizeof reason - 1] = '\0';
  pathrt_error(pathrt_shown(&raw.name), ": cannot grow (", reason, "); what it has no room for is written at exit only",
               NULL);
  return false;
}

static void *take_block(uint64_t size) {
  enum { LINE = 64 };
  uint64_t page = (uint64_t)getpagesize();
  uint64_t align = size >= page ? page : size >= LINE ? LINE : sizeof(uint64_t);
  const struct pathprof_raw_header *header = raw.header;
  for (int tries = 0; tries < 2 && !raw.full; tries++) {
    const struct pathprof_raw_area *area = &header->areas[header->num_areas - 1];
    uint64_t at = (raw.used + align - 1) / align * align;
    if (header->num_areas > 1 && at <= area->size && size <= area->size - at) {
      raw.used = at + size;
      return (void *)(uintptr_t)(area->address + at);
    }
    add_blocks_area(size);
  }
  return NULL;
}

void *pathrt_continuous_map(size_t size) {
  struct growth growth;
  if (!raw.header || raw.full)
    return NULL;
  start_growing(&growth);
  void *data = take_block(size);
  stop_growing(&growth);
  return data;
}

bool pathrt_is_in_file(const void *data) {
  for (uint64_t i = 0; raw.header && i < raw.header->num_areas; i++)
    if ((uintptr_t)data - raw.header->areas[i].address < raw.header->areas[i].size)
      return true;
  return false;
}

/* The list of copies is for readers only, and is there whether counting is paused or not: it is
 * written, not stored to memory.  */
static void note_copy(void *data) {
  struct pathprof_raw_copy *copy = take_block(sizeof *copy);
  int fd = own_fd();
  if (!copy || fd < 0)
    return;
  const struct pathprof_raw_area *area = &raw.header->areas[raw.header->num_areas - 1];
  struct pathprof_raw_copy contents = {raw.header->copies, (uintptr_t)data};
  uint64_t offset = area->offset + ((uintptr_t)copy - area->address);
  if (pwrite(fd, &contents, sizeof contents, (off_t)offset) == sizeof contents)
    __atomic_store_n(&raw.header->copies, (uintptr_t)copy, __ATOMIC_RELEASE);
}

void *pathrt_continuous_map_copy(size_t size) {
  struct growth growth;
  if (!raw.header || raw.full)
    return NULL;
  start_growing(&growth);
  void *data = take_block(size);
  if (data)
    note_copy(data);
  stop_growing(&growth);
  return data;
}

/* ---- making the file ---- */

static bool has_our_name(void) {
  struct stat status;
  return lstat(raw.name.text, &status) == 0 && status.st_dev == raw.device && status.st_ino == raw.inode;
}

/* FILE.PID.raw, else FILE.PID-2.raw and so on.  */
static void make_name(const struct pathrt_name *file, unsigned long n) {
  pathrt_name_extend(&raw.name, file, ".");
  pathrt_name_append_number(&raw.name, (unsigned long)getpid());
  if (n > 1) {
    pathrt_name_append(&raw.name, "-");
    pathrt_name_append_number(&raw.name, n);
  }
  pathrt_name_append(&raw.name, ".raw");
}

/* Who looks for files of dead processes may have found ours before it was locked.  Addresses of
 * this process are nobody else's business.  */
static bool create(const struct pathrt_name *file) {
  enum { MAX_TRIES = 100000 };
  struct stat status;
  for (unsigned long n = 1; n < MAX_TRIES; n++) {
    make_name(file, n);
    raw.fd = raw.name.too_long ? -1 : pathrt_open(raw.name.text, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (raw.fd < 0 && (raw.name.too_long || errno != EEXIST)) {
      complain_of_folder(file, raw.name.too_long ? ENAMETOOLONG : errno);
      return false;
    }
    if (raw.fd < 0)
      continue;
    if (flock(raw.fd, LOCK_EX) != 0 || fstat(raw.fd, &status) != 0) {
      complain("cannot lock the file");
      unlink(raw.name.text);
      close(raw.fd);
      return false;
    }
    raw.device = status.st_dev;
    raw.inode = status.st_ino;
    raw.has_name = has_our_name();
    if (raw.has_name) {
      raw.fd = lift(raw.fd);
      return true;
    }
    close(raw.fd);
  }
  return complain("cannot make the file");
}

static bool write_constant_part(const struct pathrt_module *module) {
  struct pathprof_buffer bytes = {0};
  bool ok = pathrt_describe(&bytes, module->identity);
  while (ok && bytes.size % LARGEST_PAGE && !bytes.failed)
    pathprof_put_u64(&bytes, 0);
  if (!ok || bytes.failed)
    errno = ENOMEM;
  ok = ok && !bytes.failed && pathrt_write_all(raw.fd, bytes.data, bytes.size);
  raw.size = bytes.size;
  pathprof_buffer_free(&bytes);
  return ok;
}

static bool map_header(void) {
  void *data = mmap(NULL, PATHPROF_RAW_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, raw.fd, 0);
  if (data == MAP_FAILED)
    return false;
  raw.header = data;
  if (pathrt_measures_cycles())
    raw.header->cost = pathrt_cost_of_cycles();
  return true;
}

/* What constructors that ran earlier have counted.  */
static bool copy_counters(void) {
  static struct pathrt_pages pages;
  size_t page = (size_t)getpagesize(), size = pathrt_section_size();
  bool ok = true;
  pathrt_pages_begin(&pages);
  for (size_t at = 0; at < size && ok; at += page) {
    const unsigned char *data = __start_pathprof_counters + at;
    if (pathrt_is_touched(&pages, data))
      ok = pwrite(raw.fd, data, page, (off_t)(raw.size + at)) == (ssize_t)page;
  }
  pathrt_pages_end(&pages);
  return ok;
}

static void drop(void) {
  int error = errno;
  if (raw.header)
    munmap(raw.header, PATHPROF_RAW_HEADER_SIZE);
  raw.header = NULL;
  if (raw.has_name)
    unlink(raw.name.text);
  raw.has_name = false;
  close_fd();
  errno = error;
}

/* One module tells of the run, as long as the profile does not know of it.  */
static void tell_run(struct pathrt_module *module, const struct pathrt_name *file) {
  module->leads = pathprof_key(file->text, file->size);
  for (struct pathrt_module *other = pathrt_registry.modules; other; other = other->next)
    if (other != module && other->leads == module->leads) {
      module->leads = 0;
      break;
    }
  bool is_new = module->leads && !pathrt_is_counted(module->leads);
  raw.header->runs = is_new;
  raw.header->forks = is_new && pathrt_registry.forked;
  raw.header->resets = module->leads ? pathrt_registry.resets : 0;
  raw.header->sudden_ends = module->leads != 0;
}

static bool map_section(void) {
  uint64_t offset = raw.size;
  return copy_counters() && add_area(__start_pathprof_counters, pathrt_section_size()) &&
         raw.size == offset + pathrt_section_size();
}

/* The compiler would take the two ends for different objects, and their comparison for false.  */
static bool is_aligned(void) {
  uintptr_t end = (uintptr_t)last_page + sizeof last_page;
  __asm__("" : "+r"(end));
  return (uintptr_t)__start_pathprof_counters % (uintptr_t)getpagesize() == 0 &&
         (uintptr_t)__stop_pathprof_counters == end && pathrt_counters_in_section();
}

void pathrt_continuous_start(struct pathrt_module *module) {
  static struct pathrt_name file;
  if (!is_aligned()) {
    pathrt_error("PATHPROF_MODE=continuous needs a program linked by pathprof-gcc; counting until exit "
                 "instead",
                 NULL);
    return;
  }
  raw.used = raw.locked = 0;
  raw.full = raw.paused = false;
  if (!pathrt_name_file(&file, module))
    return;
  if (!pathrt_make_folders(&file)) {
    complain_of_folder(&file, errno);
    return;
  }
  if (!create(&file))
    return;
  if (!write_constant_part(module) || !map_header() || !map_section()) {
    complain("cannot reserve the space");
    drop();
    return;
  }
  tell_run(module, &file);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(raw.header->magic, PATHPROF_RAW_MAGIC, sizeof raw.header->magic);
}

/* ---- the child of a fork ---- */

/* Old places are not used again: a handler may have interrupted the runtime while it looked at one.
 */
static void bury(void) {
  struct pathprof_raw_header *header = raw.header;
  uint64_t n = header->num_areas;
  for (uint64_t i = 0; i < n; i++)
    mmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  munmap(header, PATHPROF_RAW_HEADER_SIZE);
  raw.header = NULL;
  raw.has_name = false;
  close_fd();
}

/* The thread that forked goes on counting in its copy, whose address it may have in a register.  */
static void map_copy_anew(unsigned char *copy, bool was_in_file) {
  size_t size = pathrt_section_size();
  if (raw.header && add_area(copy, size)) {
    raw.used = size; /* this area has no room for blocks */
    note_copy(copy);
  } else if (!was_in_file)
    mmap(copy, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

void pathrt_continuous_after_fork(struct pathrt_module *module) {
  struct pathrt_signals signals;
  bool was_paused = raw.paused;
  pathrt_block_signals(&signals);
  uint64_t to_own = pathrt_threads_keep_own();
  unsigned char *copy = to_own ? __start_pathprof_counters + to_own : NULL;
  bool was_in_file = copy && pathrt_is_in_file(copy);
  struct pathprof_buffer fronts = {0};
  pathrt_save_fronts(&fronts, to_own);
  pathrt_abandon_forests();
  bury();
  module->leads = 0;
  pathrt_continuous_start(module);
  if (copy)
    map_copy_anew(copy, was_in_file);
  pathrt_restore_fronts(&fronts);
  pathprof_buffer_free(&fronts);
  if (pathrt_registry.has_array_max)
    pathrt_raise_array_max(pathrt_registry.array_max);
  if (copy)
    pathrt_prepare_copy(to_own);
  if (was_paused && raw.header)
    pathrt_continuous_pause();
  pathrt_restore_signals(&signals);
}

/* ---- pausing ---- */

static bool map_areas(int how) {
  struct pathprof_raw_header *header = raw.header;
  int fd = own_fd();
  bool ok = fd >= 0;
  for (uint64_t i = 0; i < header->num_areas && ok; i++)
    ok = mmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size, PROT_READ | PROT_WRITE,
              how | MAP_FIXED, fd, (off_t)header->areas[i].offset) != MAP_FAILED;
  return ok;
}

/* Private mappings of the file: they begin with what was counted and are forgotten.  */
bool pathrt_continuous_pause(void) {
  if (raw.paused)
    return true;
  raw.paused = map_areas(MAP_PRIVATE | MAP_NORESERVE);
  if (!raw.paused)
    map_areas(MAP_SHARED);
  return raw.paused;
}

/* Threads that started meanwhile have fresh copies.  */
void pathrt_continuous_resume(void) {
  if (!raw.paused)
    return;
  raw.paused = !map_areas(MAP_SHARED);
  pathrt_seal_forests();
  for (struct pathrt_thread *thread = pathrt_threads(); thread; thread = thread->next)
    if (thread->to_own)
      pathrt_prepare_copy(thread->to_own);
}

/* ---- writing ---- */

bool pathrt_continuous_owns_counts(void) {
  if (!raw.header->pending)
    return true;
  raw.header->pending = 0;
  return false;
}

void pathrt_continuous_pending(const char *name, uint64_t inode) {
  if (!raw.header || strlen(name) >= sizeof raw.header->pending_name)
    return;
  strcpy(raw.header->pending_name, name);
  __atomic_store_n(&raw.header->pending, inode, __ATOMIC_RELEASE);
}

void pathrt_continuous_settled(void) {
  __atomic_store_n(&raw.header->pending, 0, __ATOMIC_RELEASE);
}

void pathrt_continuous_told(void) {
  if (raw.header)
    raw.header->runs = raw.header->forks = raw.header->resets = 0;
}

void pathrt_continuous_note_reset(const struct pathrt_module *module) {
  if (raw.header && module->leads)
    raw.header->resets++;
}

/* ---- its name ---- */

void pathrt_continuous_move(struct pathrt_module *module) {
  static struct pathrt_name file, old;
  struct stat status;
  if (!raw.header || !raw.has_name || !has_our_name() || !pathrt_name_file(&file, module) ||
      !pathrt_make_folders(&file))
    return;
  if (module->leads == pathprof_key(file.text, file.size))
    return;
  old = raw.name;
  unsigned long n = 1;
  do
    make_name(&file, n++);
  while (!raw.name.too_long && lstat(raw.name.text, &status) == 0 && n < 1000);
  if (raw.name.too_long || rename(old.text, raw.name.text) != 0)
    raw.name = old;
  else
    tell_run(module, &file);
}

void pathrt_continuous_end(void) {
  if (!raw.header || !raw.has_name)
    return;
  if (has_our_name())
    unlink(raw.name.text);
  raw.has_name = false;
}

void pathrt_continuous_release(void) {
  struct pathprof_raw_header *header = raw.header;
  if (!header)
    return;
  for (uint64_t i = 1; i < header->num_areas; i++)
    munmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size);
  munmap(header, PATHPROF_RAW_HEADER_SIZE);
  raw.header = NULL;
  close_fd();
}
