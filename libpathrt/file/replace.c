/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Replaces files atomically, and removes leftover temporary files.  */
#define _GNU_SOURCE
#include "libpathrt/file/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "libpathrt/file/contents.h"
#include "libpathrt/file/folder.h"
#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Creates the temporary file.  If a file with this name exists, removes it: because this process holds the lock, the
 * existing file was left by a dead process that had the same process ID.  */
static int create(const char *name) {
  int fd = pathrt_open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
  if (fd < 0 && errno == EEXIST && pathprof_sys_unlink(name) == 0)
    fd = pathrt_open(name, O_WRONLY | O_CREAT | O_EXCL, 0666);
  return fd;
}

/* Sets the permissions and the group of the new file, and also its owner if the process is permitted to set it.  */
static void keep_rights(int fd, const struct pathrt_rights *rights) {
  struct stat status;
  if (pathprof_sys_fstat(fd, &status) == 0 && (status.st_uid != rights->user || status.st_gid != rights->group) &&
      pathprof_sys_fchown(fd, rights->user, rights->group) != 0)
    pathprof_sys_fchown(fd, (uid_t)-1, rights->group);
  pathprof_sys_fchmod(fd, rights->mode);
}

bool pathrt_write_temporary(struct pathrt_name *name, const struct pathrt_name *file,
                            const struct pathprof_buffer *bytes, const struct pathrt_rights *rights) {
  pathrt_name_extend(name, file, ".");
  pathrt_name_append_number(name, (unsigned long)pathprof_sys_getpid());
  pathrt_name_append(name, ".tmp");
  if (name->too_long)
    return pathrt_cannot(file, "cannot write", ENAMETOOLONG);
  int fd = create(name->text);
  if (fd < 0)
    return pathrt_cannot(file, "cannot write", errno);
  if (rights && rights->mode)
    keep_rights(fd, rights);
  bool ok = pathrt_write_all(fd, bytes->data, bytes->size);
  int error = errno;
  if (pathprof_sys_close(fd) != 0 && ok && errno != EINTR) {
    error = errno;
    ok = false;
  }
  if (ok)
    return true;
  pathprof_sys_unlink(name->text);
  return pathrt_cannot(file, "cannot write", error);
}

bool pathrt_commit(const struct pathrt_name *temporary, const struct pathrt_name *file, pathrt_pending pending) {
  struct stat status;
  if (pending && pathprof_sys_lstat(temporary->text, &status) == 0)
    pending(pathrt_base_name(temporary->text), status.st_ino);
  if (pathprof_sys_rename(temporary->text, file->text) == 0)
    return true;
  int error = errno;
  if (pending)
    pending("", 0);
  pathprof_sys_unlink(temporary->text);
  return pathrt_cannot(file, "cannot rename the new profile", error);
}

bool pathrt_replace(const struct pathrt_name *file, const struct pathprof_buffer *bytes,
                    const struct pathrt_rights *rights, pathrt_pending pending) {
  struct pathrt_name *temporary = &pathrt_space.scratch.temporary;
  return pathrt_write_temporary(temporary, file, bytes, rights) && pathrt_commit(temporary, file, pending);
}

/* ---- leftover temporary files ---- */

/* Returns the process ID in a name of the form "FILE.PID.tmp" or "FILE.BUILDID.PID.tmp".  Returns 0 for other
 * names.  */
static pid_t writer_of(const char *name, const char *base, size_t base_size) {
  static const char suffix[] = ".tmp";
  size_t size = pathprof_text_size(name), suffix_size = sizeof suffix - 1;
  if (size <= base_size + suffix_size || memcmp(name, base, base_size) != 0 || name[base_size] != '.' ||
      !pathprof_text_equals(name + size - suffix_size, suffix))
    return 0;
  const char *end = name + size - suffix_size, *digit = end;
  unsigned long pid = 0, unit = 1;
  for (; digit > name + base_size + 1 && digit[-1] >= '0' && digit[-1] <= '9'; unit *= 10)
    pid += (unsigned long)(*--digit - '0') * unit;
  return digit < end && digit[-1] == '.' && end - digit < 10 ? (pid_t)pid : 0;
}

/* Removes the file if it is the temporary file of a dead process.  */
static void remove_if_left(int folder, const char *name, const struct pathrt_name *file) {
  const char *base = pathrt_base_name(file->text);
  pid_t pid = writer_of(name, base, pathprof_text_size(base));
  if (pid && (pid == pathprof_sys_getpid() || !pathprof_sys_has_process(pid)))
    pathprof_sys_unlinkat(folder, name);
}

void pathrt_remove_temporaries(const struct pathrt_name *file) {
  pathrt_visit_folder(file, remove_if_left);
}
