/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Finds the registry of the process.  Each copy of this file announces the registry that it uses in an ELF note, which
 * other copies find regardless of how the modules were linked and loaded.  A dynamic symbol would not suffice: version
 * scripts and RTLD_LOCAL hide it.  */
#define _GNU_SOURCE
#include "libpathrt/process/registry.h"

#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "libpathrt/process/note.h"
#include "profile/format/system.h"

/* Name of the note.  The version must be changed whenever the structures in registry.h change, because the copies of
 * the runtime in a process can come from different builds.  */
#define NOTE_OWNER "__pathrt_registry_v8"

/* The registry that this copy of the runtime uses before its first module joins the registry of the process, and after
 * its last module has left.  */
static struct pathrt_process_registry unused;
struct pathrt_process_registry *pathrt_process_registry = &unused;

/* The registry of the process, or null while no module of this copy of the runtime has joined it.  */
static struct pathrt_process_registry *announced __asm__("pathrt_announced_registry") __attribute__((used));
static uint64_t num_joined; /* number of modules of this copy that have joined */

/* The note contains the distance from its data to `announced`.  */
__asm__(".pushsection .note.pathprof, \"a\", %note\n"
        "\t.balign 4\n"
        "\t.long 2f - 1f, 4f - 3f, 1\n"
        "1:\t.asciz \"" NOTE_OWNER "\"\n"
        "2:\t.balign 4\n"
        "3:\t.long pathrt_announced_registry - 3b\n"
        "4:\t.popsection");

static int find_announced(struct dl_phdr_info *info, size_t size, void *found) {
  const unsigned char *data = pathrt_find_note(info, NOTE_OWNER, 1, &size);
  struct pathrt_process_registry *registry;
  int32_t distance;
  if (!data || size != sizeof distance)
    return 0;
  memcpy(&distance, data, sizeof distance);
  memcpy(&registry, data + distance, sizeof registry);
  memcpy(found, &registry, sizeof registry);
  return registry != NULL;
}

/* The registry is not part of a module, because the module could be unloaded before other modules.  */
struct mapped {
  struct pathrt_process_registry registry;
  struct pathrt_registry_space space;
};

static struct pathrt_process_registry *map_registry(void) {
  struct mapped *memory =
      pathprof_sys_mmap(NULL, sizeof *memory, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    return NULL;
  memory->registry.space = &memory->space;
  return &memory->registry;
}

bool pathrt_join_registry(void) {
  if (!announced)
    dl_iterate_phdr(find_announced, &announced);
  if (!announced)
    announced = map_registry();
  if (!announced)
    return false;
  pathrt_process_registry = announced;
  announced->num_joined++;
  num_joined++;
  return true;
}

void pathrt_leave_registry(void) {
  struct pathrt_process_registry *registry = announced;
  if (!registry)
    return;
  if (!--num_joined) {
    announced = NULL;
    pathrt_process_registry = &unused;
  }
  if (!--registry->num_joined)
    pathprof_sys_munmap(registry, sizeof(struct mapped));
}
