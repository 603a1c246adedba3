/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Creates and lists the directory that contains a file.  */
#define _GNU_SOURCE
#include "libpathrt/file/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>

#include "libpathrt/process/open.h"
#include "libpathrt/process/registry.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Checks the complete path first, because the directory usually exists.  Does not recreate the program's initial
 * working directory if it has been removed.  */
bool pathrt_make_folders(const struct pathrt_name *name) {
  struct pathrt_name *folder = &pathrt_space.scratch.made_folder;
  struct stat status;
  pathrt_name_extend(folder, name, "");
  char *last = pathprof_text_find_last(folder->text, '/');
  if (!last || last == folder->text)
    return true;
  *last = '\0';
  if (name->hidden && (size_t)(last - folder->text) < name->hidden)
    return true;
  if (pathprof_sys_stat(folder->text, &status) == 0)
    return true;
  for (char *slash = pathprof_text_find(folder->text + (name->hidden ? name->hidden : 1), '/'); slash;
       slash = pathprof_text_find(slash + 1, '/')) {
    *slash = '\0';
    if (pathprof_sys_mkdir(folder->text, 0777) != 0 && errno != EEXIST && pathprof_sys_stat(folder->text, &status) != 0)
      return false;
    *slash = '/';
  }
  return pathprof_sys_mkdir(folder->text, 0777) == 0 || errno == EEXIST;
}

struct entry { /* layout defined by the kernel */
  uint64_t inode;
  int64_t offset;
  unsigned short size;
  unsigned char type;
  char name[];
};

int pathrt_open_folder(const struct pathrt_name *file) {
  struct pathrt_name *folder = &pathrt_space.scratch.opened_folder;
  pathrt_name_extend(folder, file, "");
  char *slash = pathprof_text_find_last(folder->text, '/');
  if (slash)
    slash[slash == folder->text] = '\0';
  return pathrt_open(slash ? folder->text : ".", O_RDONLY | O_DIRECTORY, 0);
}

/* Reads the directory with system calls, because opendir calls malloc.  */
void pathrt_visit_folder(const struct pathrt_name *file,
                         void (*visit)(int folder, const char *name, const struct pathrt_name *file)) {
  enum { SIZE = 8192 };
  struct pathprof_buffer buffer = {0};
  int fd = pathrt_open_folder(file);
  if (fd < 0)
    return;
  char *entries = (char *)pathprof_reserve(&buffer, SIZE);
  for (long n; entries && (n = pathprof_sys_getdents(fd, entries, SIZE)) > 0;)
    for (long at = 0; at < n;) {
      const struct entry *entry = (const struct entry *)(const void *)(entries + at);
      visit(fd, entry->name, file);
      at += entry->size;
    }
  pathprof_buffer_free(&buffer);
  pathprof_sys_close(fd);
}
