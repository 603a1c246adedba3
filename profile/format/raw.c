/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Writes the constant part of raw files, recognizes their names, and determines whether their owners are alive and
 * whether their counts are already in the profile.  */
#define _GNU_SOURCE
#include "profile/format/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "profile/format/system.h"
#include "profile/format/text.h"

typedef struct pathprof_raw_header header_t;

_Static_assert(sizeof(header_t) <= PATHPROF_RAW_HEADER_SIZE, "the header must fit in its reserved space");
_Static_assert(offsetof(header_t, runs) == 56 && offsetof(header_t, areas) == 368 && offsetof(header_t, cost) == 1904 &&
                   offsetof(header_t, threaded) == 1912 && offsetof(header_t, test) == 1936 &&
                   offsetof(header_t, owner) == 2960,
               "doc/format.md");

/* ---- the constant part ---- */

uint32_t pathprof_raw_checksum(const header_t *header, const void *placements) {
  size_t start = offsetof(header_t, byte_order);
  uint32_t crc = pathprof_crc32c(0, (const unsigned char *)header + start, offsetof(header_t, runs) - start);
  return pathprof_crc32c(crc, placements, header->num_placements * sizeof(struct pathprof_raw_placement));
}

static void pad(struct pathprof_buffer *buffer, size_t alignment) {
  while (buffer->size % alignment && !buffer->failed)
    pathprof_put_u8(buffer, 0);
}

void pathprof_raw_begin(struct pathprof_buffer *file, const struct pathprof_buffer *image,
                        const struct pathprof_raw_placement *placements, uint64_t num_placements) {
  union {
    header_t header;
    unsigned char bytes[PATHPROF_RAW_HEADER_SIZE];
  } start;
  memset(&start, 0, sizeof start);
  header_t *header = &start.header;
  header->major = PATHPROF_RAW_MAJOR;
  header->minor = PATHPROF_RAW_MINOR;
  header->byte_order = PATHPROF_RAW_BYTE_ORDER;
  header->image_offset = sizeof start;
  header->image_size = image->size;
  header->placements_offset = (sizeof start + image->size + 7) & ~(uint64_t)7;
  header->num_placements = num_placements;
  header->crc = pathprof_raw_checksum(header, placements);
  pathprof_put_bytes(file, &start, sizeof start);
  pathprof_put_bytes(file, image->data, image->size);
  pad(file, 8);
  pathprof_put_bytes(file, placements, num_placements * sizeof *placements);
  file->failed |= image->failed;
}

bool pathprof_is_raw(const unsigned char *data, size_t size) {
  enum { MAGIC_SIZE = sizeof PATHPROF_RAW_MAGIC - 1 };
  return size >= MAGIC_SIZE && memcmp(data, PATHPROF_RAW_MAGIC, MAGIC_SIZE) == 0;
}

/* ---- the file ---- */

static const char *skip_digits(const char *text) {
  while (*text >= '0' && *text <= '9')
    text++;
  return text;
}

bool pathprof_is_raw_name(const char *name, const char *base) {
  size_t size = pathprof_text_size(base);
  if (!pathprof_text_starts(name, base) || name[size] != '.')
    return false;
  const char *pid = name + size + 1, *end = skip_digits(pid);
  if (end == pid)
    return false;
  if (*end == '-') {
    const char *number = end + 1;
    end = skip_digits(number);
    if (end == number)
      return false;
  }
  return pathprof_text_equals(end, ".raw");
}

/* ---- the owner ---- */

/* Returns true if leases on this file are reliable.  A file system of one of the listed types is mounted by only one
 * kernel at a time.  The kernel grants a lease only if no process in any namespace has the file open or mapped for
 * writing.  */
static bool has_reliable_leases(int fd) {
  switch (pathprof_sys_file_system(fd)) {
  case 0xef53:     /* ext2, ext3 and ext4 */
  case 0x58465342: /* XFS */
  case 0x9123683e: /* btrfs */
  case 0x01021994: /* tmpfs */
  case 0xf2f52010: /* F2FS */
    return true;
  default:
    return false;
  }
}

enum lease { LEASE_GRANTED, LEASE_DENIED, NO_LEASE };

/* Tries to take a read lease, and then releases it.  If another process opens the file for writing during the lease,
 * the kernel sends SIGURG, which is ignored by default, to the calling process.  */
static enum lease try_lease(int fd) {
  pathprof_sys_fcntl(fd, F_SETSIG, SIGURG);
  if (pathprof_sys_fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
    return errno == EAGAIN ? LEASE_DENIED : NO_LEASE;
  pathprof_sys_fcntl(fd, F_SETLEASE, F_UNLCK);
  return LEASE_GRANTED;
}

/* The owner holds the lock until the header is complete, so if another process acquires the lock and the header is
 * incomplete, the owner is dead.  */
bool pathprof_raw_owner(int fd, struct pathprof_owner *owner) {
  static const size_t at = offsetof(struct pathprof_raw_header, owner);
  unsigned char start[offsetof(struct pathprof_raw_header, crc)];
  uint16_t major;
  if (pathprof_sys_pread(fd, start, sizeof start, 0) != (ssize_t)sizeof start || !pathprof_is_raw(start, sizeof start))
    return false;
  memcpy(&major, start + offsetof(struct pathprof_raw_header, major), sizeof major);
  return major == PATHPROF_RAW_MAJOR &&
         pathprof_sys_pread(fd, owner, sizeof *owner, (off_t)at) == (ssize_t)sizeof *owner;
}

enum pathprof_life pathprof_raw_life(int fd) {
  struct pathprof_owner owner;
  int result;
  do
    result = pathprof_sys_flock(fd, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno == EWOULDBLOCK)
    return PATHPROF_ALIVE;
  enum lease lease = try_lease(fd);
  if (lease == LEASE_DENIED)
    return PATHPROF_ALIVE;
  if (!pathprof_raw_owner(fd, &owner))
    return PATHPROF_DEAD;
  enum pathprof_life life = pathprof_life_of(&owner);
  return life == PATHPROF_UNKNOWN && lease == LEASE_GRANTED && has_reliable_leases(fd) ? PATHPROF_DEAD : life;
}

/* ---- settled counts ---- */

bool pathprof_raw_is_settled(const unsigned char *data, size_t size, int folder) {
  header_t header;
  struct stat status;
  if (size < sizeof header)
    return false;
  memcpy(&header, data, sizeof header);
  header.pending_name[sizeof header.pending_name - 1] = '\0';
  if (!header.pending)
    return false;
  if (pathprof_text_find(header.pending_name, '/'))
    return true;
  if (pathprof_sys_fstatat(folder, header.pending_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  return status.st_ino != header.pending;
}
