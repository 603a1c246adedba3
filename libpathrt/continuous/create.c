/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creates the raw file of continuous mode, maps the counters from it, and renames it when the name of the profile
 * changes.  */
#define _GNU_SOURCE
#include "libpathrt/continuous/create.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "libpathrt/continuous/blocks.h"
#include "libpathrt/continuous/raw_file.h"
#include "libpathrt/file/contents.h"
#include "libpathrt/file/folder.h"
#include "libpathrt/file/lock.h"
#include "libpathrt/file/write.h"
#include "libpathrt/snapshot/describe.h"
#include "libpathrt/memory/memory.h"
#include "libpathrt/memory/pages.h"
#include "libpathrt/memory/section.h"
#include "libpathrt/process/message.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "libpathrt/storage/cycles.h"
#include "profile/format/abi.h"
#include "profile/format/raw.h"
#include "profile/format/system.h"

/* Largest page size that any kernel for this architecture uses.  A test builds the runtime with a different size.  */
#ifdef PATHRT_LARGEST_PAGE
enum { LARGEST_PAGE = PATHRT_LARGEST_PAGE };
#elif defined __x86_64__ || defined __i386__
enum { LARGEST_PAGE = 4096 };
#else
enum { LARGEST_PAGE = 65536 };
#endif

/* Start of a comment in assembler code.  It hides the flags that GCC appends to the name of a section.  */
#if defined __aarch64__
#define ASSEMBLER_COMMENT "//"
#elif defined __arm__
#define ASSEMBLER_COMMENT "@"
#else
#define ASSEMBLER_COMMENT "#"
#endif

/* Unused page in the counter section.  The section must consist of whole pages, because it is mapped from the file.
 * The alignment of this page aligns the start of the section.  The section ends with this page, because the linker
 * places the runtime after all instrumented code.  */
static unsigned char last_page[LARGEST_PAGE]
    __attribute__((section(PATHPROF_COUNTERS_SECTION PATHPROF_NOBITS ASSEMBLER_COMMENT), aligned(LARGEST_PAGE), used));

/* Prints an error message.  Always returns false, so callers can return the result.  */
static bool complain(const char *what) {
  pathrt_error(pathrt_shown(pathrt_raw_name), ": ", what, " (", pathrt_reason(errno),
               "); the counts are written at exit instead", NULL);
  return false;
}

/* Prints an error message about the directory.  Because the profile probably cannot be written either, records the
 * error in the registry so that it is not reported again at exit.  */
static void complain_of_folder(const struct pathrt_name *file, int error) {
  pathrt_registry.told_file = pathprof_key(file->text, file->size);
  pathrt_registry.told_error = error;
  pathrt_error(pathrt_shown(file), ": cannot create a raw file in the same directory (", pathrt_reason(error),
               "); the counts are written at exit instead", pathrt_way_out(error), NULL);
}

/* Builds the n-th candidate name: FILE.PID.raw, FILE.PID-2.raw and so on.  */
static void make_name(const struct pathrt_name *file, unsigned long n) {
  pathrt_name_extend(pathrt_raw_name, file, ".");
  pathrt_name_append_number(pathrt_raw_name, (unsigned long)pathprof_sys_getpid());
  if (n > 1) {
    pathrt_name_append(pathrt_raw_name, "-");
    pathrt_name_append_number(pathrt_raw_name, n);
  }
  pathrt_name_append(pathrt_raw_name, ".raw");
}

/* Creates and locks the file.  Retries if another process removed the new file before it was locked.  This can happen
 * while that process searches for raw files of dead processes.  Only the user can read the file, because it contains
 * addresses of this process.  */
static bool create(const struct pathrt_name *file) {
  enum { MAX_TRIES = 100000 };
  struct stat status;
  for (unsigned long n = 1; n < MAX_TRIES; n++) {
    make_name(file, n);
    pathrt_raw.fd =
        pathrt_raw_name->too_long ? -1 : pathrt_open(pathrt_raw_name->text, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (pathrt_raw.fd < 0 && (pathrt_raw_name->too_long || errno != EEXIST)) {
      complain_of_folder(file, pathrt_raw_name->too_long ? ENAMETOOLONG : errno);
      return false;
    }
    if (pathrt_raw.fd < 0)
      continue;
    if (pathrt_flock_briefly(pathrt_raw.fd) != 0 || pathprof_sys_fstat(pathrt_raw.fd, &status) != 0) {
      complain("cannot lock the file");
      pathprof_sys_unlink(pathrt_raw_name->text);
      pathprof_sys_close(pathrt_raw.fd);
      return false;
    }
    pathrt_raw.device = status.st_dev;
    pathrt_raw.inode = status.st_ino;
    pathrt_raw.has_name = pathrt_raw_has_its_name();
    if (pathrt_raw.has_name) {
      pathrt_raw.fd = pathrt_raw_lift(pathrt_raw.fd);
      return true;
    }
    pathprof_sys_close(pathrt_raw.fd);
  }
  return complain("cannot create the file");
}

static bool write_constant_part(const struct pathrt_module *module) {
  struct pathprof_buffer bytes = {0};
  bool ok = pathrt_describe(&bytes, module->identity);
  while (ok && bytes.size % LARGEST_PAGE && !bytes.failed)
    pathprof_put_u64(&bytes, 0);
  if (!ok || bytes.failed)
    errno = ENOMEM;
  ok = ok && !bytes.failed && pathrt_write_all(pathrt_raw.fd, bytes.data, bytes.size);
  pathrt_raw.size = bytes.size;
  pathprof_buffer_free(&bytes);
  return ok;
}

static bool map_header(void) {
  void *data = pathprof_sys_mmap(NULL, PATHPROF_RAW_HEADER_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, pathrt_raw.fd, 0);
  if (data == MAP_FAILED)
    return false;
  pathrt_raw_use(data);
  if (pathrt_measures_cycles)
    pathrt_raw.header->cost = pathrt_cost_of_cycles();
  return true;
}

/* Copies the existing counts to the file.  These counts come from constructors that have already run.  */
static bool copy_counters(void) {
  struct pathrt_pages *pages = pathrt_try_map(sizeof *pages);
  size_t page = pathprof_sys_page_size(), size = pathrt_section_size();
  bool ok = true;
  if (pages)
    pathrt_pages_begin(pages);
  for (size_t at = 0; at < size && ok; at += page) {
    const unsigned char *data = __start_pathprof_counters + at;
    if (!pages || pathrt_is_touched(pages, data))
      ok = pathprof_sys_pwrite(pathrt_raw.fd, data, page, (off_t)(pathrt_raw.size + at)) == (ssize_t)page;
  }
  if (pages) {
    pathrt_pages_end(pages);
    pathprof_sys_munmap(pages, sizeof *pages);
  }
  return ok;
}

static void drop(void) {
  int error = errno;
  if (pathrt_raw.header)
    pathprof_sys_munmap(pathrt_raw.header, PATHPROF_RAW_HEADER_SIZE);
  pathrt_raw_use(NULL);
  if (pathrt_raw.has_name)
    pathprof_sys_unlink(pathrt_raw_name->text);
  pathrt_raw.has_name = false;
  pathrt_raw_close_fd();
  errno = error;
}

/* Determines whether the run of the process is recorded in this module's raw file.  For each profile, the run is
 * recorded in the raw file of only one module, and only until the profile itself includes the run.  */
static void tell_run(struct pathrt_module *module, const struct pathrt_name *file) {
  module->run_owner_hash = pathprof_key(file->text, file->size);
  for (struct pathrt_module *other = pathrt_registry.modules; other; other = other->next)
    if (other != module && other->run_owner_hash == module->run_owner_hash) {
      module->run_owner_hash = 0;
      break;
    }
  bool is_new = module->run_owner_hash && !pathrt_is_counted(module->run_owner_hash);
  pathrt_raw.header->runs = is_new;
  pathrt_raw.header->forks = is_new && pathrt_registry.forked;
  pathrt_raw.header->resets = module->run_owner_hash ? pathrt_registry.resets : 0;
  pathrt_raw.header->sudden_ends = module->run_owner_hash != 0;
  pathrt_raw_name_test(module->run_owner_hash && !pathrt_includes_test(module->run_owner_hash));
}

static bool map_section(bool keep) {
  return (!keep || copy_counters()) && pathrt_raw_add_area(__start_pathprof_counters, pathrt_section_size());
}

/* Returns true if the counter section consists of whole pages and contains all counters.  Without the asm statement,
 * the compiler could assume that the end of `last_page` differs from the end of the section.  */
static bool is_aligned(void) {
  uintptr_t end = (uintptr_t)last_page + sizeof last_page;
  __asm__("" : "+r"(end));
  uintptr_t page = pathprof_sys_page_size();
  return (uintptr_t)__start_pathprof_counters % page == 0 && pathrt_section_size() % page == 0 &&
         (uintptr_t)__stop_pathprof_counters == end && pathrt_counters_in_section();
}

void pathrt_continuous_start(struct pathrt_module *module, bool keep) {
  struct pathrt_name *file = &pathrt_space.scratch.started;
  if (!is_aligned()) {
    pathrt_error("PATHPROF_MODE=continuous requires a program that was linked by pathprof-gcc; the counts are "
                 "written at exit instead",
                 NULL);
    return;
  }
  pathrt_raw.used = pathrt_raw.locked = 0;
  pathrt_raw.full = pathrt_raw.paused = pathrt_raw.is_adopted = false;
  if (!pathrt_raw_name)
    pathrt_raw_name = pathrt_map(sizeof *pathrt_raw_name);
  if (!pathrt_raw_name || !pathrt_name_file(file, module))
    return;
  if (!pathrt_make_folders(file)) {
    complain_of_folder(file, errno);
    return;
  }
  if (!create(file))
    return;
  if (!write_constant_part(module) || !map_header() || !map_section(keep)) {
    complain("cannot reserve the space");
    drop();
    return;
  }
  tell_run(module, file);
  pathprof_identify_owner(&pathrt_raw.header->owner);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  memcpy(pathrt_raw.header->magic, PATHPROF_RAW_MAGIC, sizeof pathrt_raw.header->magic);
}

/* ---- the file name ---- */

void pathrt_continuous_move(struct pathrt_module *module) {
  struct pathrt_name *file = &pathrt_space.scratch.moved, *old = &pathrt_space.scratch.old;
  struct stat status;
  if (!pathrt_raw.header || !pathrt_raw.has_name || !pathrt_raw_has_its_name() || !pathrt_name_file(file, module) ||
      !pathrt_make_folders(file))
    return;
  if (module->run_owner_hash == pathprof_key(file->text, file->size))
    return;
  *old = *pathrt_raw_name;
  unsigned long n = 1;
  do
    make_name(file, n++);
  while (!pathrt_raw_name->too_long && pathprof_sys_lstat(pathrt_raw_name->text, &status) == 0 && n < 1000);
  if (pathrt_raw_name->too_long || pathprof_sys_rename(old->text, pathrt_raw_name->text) != 0)
    *pathrt_raw_name = *old;
  else
    tell_run(module, file);
}
