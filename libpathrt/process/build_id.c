/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Determines the name of the program, and the name and build ID of the module.  */
#define _GNU_SOURCE
#include "libpathrt/process/build_id.h"

#include <elf.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "libpathrt/process/name.h"
#include "libpathrt/process/note.h"
#include "profile/format/system.h"
#include "profile/format/text.h"

/* Determines the base name of the program.  If the file was removed, for example by a rebuild, the kernel appends "
 * (deleted)" to the target of /proc/self/exe.  */
static void find_program(char *program, size_t size) {
  static const char deleted[] = " (deleted)";
  char path[PATH_MAX];
  ssize_t n = pathprof_sys_readlink("/proc/self/exe", path, sizeof path - 1);
  enum { PROGRAM_NAME = 31 /* AT_EXECFN */ };
  const char *started_as = (const char *)pathprof_sys_auxiliary(PROGRAM_NAME);
  const char *name = started_as ? pathrt_base_name(started_as) : "";
  if (n > 0) {
    path[n] = '\0';
    size_t length = (size_t)n, mark = sizeof deleted - 1;
    if (length > mark && pathprof_text_equals(path + length - mark, deleted))
      path[length - mark] = '\0';
    name = pathrt_base_name(path);
  }
  pathprof_text_copy(program, name, size);
}

static int visit_module(struct dl_phdr_info *info, size_t size, void *data) {
  (void)size;
  struct pathrt_identity *identity = data;
  uintptr_t here = (uintptr_t)&visit_module;
  bool is_this = false;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
    is_this |= segment->p_type == PT_LOAD && here - (info->dlpi_addr + segment->p_vaddr) < segment->p_memsz;
  }
  if (!is_this) {
    identity->is_program = false;
    return 0;
  }
  if (info->dlpi_name && *pathrt_base_name(info->dlpi_name))
    identity->module = pathrt_base_name(info->dlpi_name);
  identity->build_id = pathrt_find_note(info, "GNU", NT_GNU_BUILD_ID, &identity->build_id_size);
  return 1;
}

void pathrt_identify(struct pathrt_identity *identity) {
  find_program(identity->program, sizeof identity->program);
  identity->module = identity->program;
  identity->build_id = NULL;
  identity->build_id_size = 0;
  identity->is_program = true; /* the program is visited first */
  dl_iterate_phdr(visit_module, identity);
}
