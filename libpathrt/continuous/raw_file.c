/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Manages the raw file's descriptor, space and mappings.  */
#define _GNU_SOURCE
#include "libpathrt/continuous/raw_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

struct pathrt_raw pathrt_raw = {.fd = -1};
struct pathrt_name *pathrt_raw_name;

/* ---- the descriptor ---- */

uint64_t pathrt_raw_in_pages(uint64_t size) {
  uint64_t page = pathprof_sys_page_size();
  return (size + page - 1) / page * page;
}

int pathrt_raw_lift(int fd) {
  enum { HIGH = 500 };
  int higher = pathprof_sys_fcntl(fd, F_DUPFD_CLOEXEC, HIGH);
  if (higher < 0)
    return fd;
  pathprof_sys_close(fd);
  return higher;
}

static bool is_ours(int fd) {
  struct stat status;
  return fd >= 0 && pathprof_sys_fstat(fd, &status) == 0 && status.st_dev == pathrt_raw.device &&
         status.st_ino == pathrt_raw.inode;
}

/* Reopens the file if the program has closed the descriptor, for example by closing all descriptors.  The program may
 * have reused the descriptor number for another file.  */
int pathrt_raw_own_fd(void) {
  if (is_ours(pathrt_raw.fd))
    return pathrt_raw.fd;
  pathrt_raw.fd = pathrt_raw.has_name ? pathrt_open(pathrt_raw_name->text, O_RDWR, 0) : -1;
  if (pathrt_raw.fd >= 0 && !is_ours(pathrt_raw.fd)) {
    pathprof_sys_close(pathrt_raw.fd);
    pathrt_raw.fd = -1;
  }
  if (pathrt_raw.fd < 0) {
    errno = EBADF;
    return -1;
  }
  pathrt_raw.fd = pathrt_raw_lift(pathrt_raw.fd);
  pathprof_sys_flock(pathrt_raw.fd, LOCK_EX | LOCK_NB);
  return pathrt_raw.fd;
}

void pathrt_raw_close_fd(void) {
  if (is_ours(pathrt_raw.fd))
    pathprof_sys_close(pathrt_raw.fd);
  pathrt_raw.fd = -1;
}

/* ---- space ---- */

/* Reserves space by writing zeros.  Used on file systems without fallocate.  */
static bool fill(int fd, uint64_t offset, uint64_t size) {
  static const unsigned char zeros[1 << 9];
  while (size) {
    size_t piece = size < sizeof zeros ? (size_t)size : sizeof zeros;
    ssize_t n = pathprof_sys_pwrite(fd, zeros, piece, (off_t)offset);
    if (n < 0 && errno != EINTR)
      return false;
    offset += n > 0 ? (uint64_t)n : 0;
    size -= n > 0 ? (uint64_t)n : 0;
  }
  return true;
}

/* Ensures that the next extension of the file does not overwrite an image that another process has appended.  */
static void skip_adopted(void) {
  const struct pathprof_raw_header *header = pathrt_raw.header;
  if (header->adopted_size)
    pathrt_raw.size = pathrt_raw_in_pages(header->adopted_offset + header->adopted_size);
}

/* Extends the file by `size` zero bytes.  On failure, sets errno and returns false.  */
static bool append(int fd, uint64_t size) {
  int result;
  skip_adopted();
  do
    result = pathprof_sys_fallocate(fd, (off_t)pathrt_raw.size, (off_t)size);
  while (result != 0 && errno == EINTR);
  if (result != 0 && (errno != EOPNOTSUPP || !fill(fd, pathrt_raw.size, size)))
    return false;
  pathrt_raw.size += size;
  return true;
}

/* Truncates the file to `size` bytes to remove space that is not in use yet.  Preserves errno.  */
static void shrink(int fd, uint64_t size) {
  int error = errno;
  if (pathprof_sys_ftruncate(fd, (off_t)size) == 0)
    pathrt_raw.size = size;
  errno = error;
}

/* The number of areas in the header is increased last, so that readers of the file never see an incomplete area.  */
unsigned char *pathrt_raw_add_area(void *address, uint64_t wanted) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  int fd = pathrt_raw_own_fd();
  uint64_t offset = pathrt_raw.size, size = pathrt_raw_in_pages(wanted), n = header->num_areas;
  if (n == PATHPROF_RAW_MAX_AREAS)
    errno = ENOSPC;
  if (fd < 0 || n == PATHPROF_RAW_MAX_AREAS || !append(fd, size))
    return NULL;
  void *data = pathprof_sys_mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | (address ? MAP_FIXED : 0), fd,
                                 (off_t)offset);
  if (data == MAP_FAILED) {
    shrink(fd, offset);
    return NULL;
  }
  header->areas[n] = (struct pathprof_raw_area){(uintptr_t)data, size, offset};
  __atomic_store_n(&header->num_areas, n + 1, __ATOMIC_RELEASE);
  return data;
}

bool pathrt_raw_has_its_name(void) {
  struct stat status;
  return pathprof_sys_lstat(pathrt_raw_name->text, &status) == 0 && status.st_dev == pathrt_raw.device &&
         status.st_ino == pathrt_raw.inode;
}

bool pathrt_raw_map_areas(int how) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  int fd = pathrt_raw_own_fd();
  bool ok = fd >= 0;
  for (uint64_t i = 0; i < header->num_areas && ok; i++)
    ok = pathprof_sys_mmap((void *)(uintptr_t)header->areas[i].address, header->areas[i].size, PROT_READ | PROT_WRITE,
                           how | MAP_FIXED, fd, (off_t)header->areas[i].offset) != MAP_FAILED;
  return ok;
}

/* Sets the size of the test's name to 0 while the name is being changed.  If the process is killed in the meantime,
 * readers of the file assume that no test was active.  */
void pathrt_raw_name_test(bool tells) {
  struct pathprof_raw_header *header = pathrt_raw.header;
  __atomic_store_n(&header->test_size, 0, __ATOMIC_SEQ_CST);
  pathprof_text_copy(header->test, pathrt_space.test, sizeof header->test);
  header->test_runs = tells && *header->test && !pathrt_registry.test_goes_on;
  __atomic_store_n(&header->test_size, pathprof_text_size(header->test), __ATOMIC_SEQ_CST);
}
