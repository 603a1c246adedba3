/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Searches the ELF notes of a module.  */
#define _GNU_SOURCE
#include "libpathrt/process/note.h"

#include <elf.h>
#include <string.h>

#include "profile/format/text.h"

/* Searches the notes of one segment.  */
static const unsigned char *find_in(const ElfW(Phdr) * segment, const unsigned char *notes, const char *owner,
                                    unsigned type, size_t *size) {
  size_t left = segment->p_memsz, align = segment->p_align == 8 ? 8 : 4, owner_size = pathprof_text_size(owner) + 1;
  while (left >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    memcpy(&note, notes, sizeof note);
    size_t name_end = sizeof note + note.n_namesz;
    size_t start = (name_end + align - 1) & ~(align - 1);
    size_t end = (start + note.n_descsz + align - 1) & ~(align - 1);
    if (start + note.n_descsz > left)
      return NULL;
    if (note.n_type == type && note.n_namesz == owner_size && memcmp(notes + sizeof note, owner, owner_size) == 0) {
      *size = note.n_descsz;
      return notes + start;
    }
    if (end > left)
      return NULL;
    notes += end;
    left -= end;
  }
  return NULL;
}

const unsigned char *pathrt_find_note(const struct dl_phdr_info *module, const char *owner, unsigned type,
                                      size_t *size) {
  const unsigned char *found = NULL;
  for (int i = 0; i < module->dlpi_phnum && !found; i++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[i];
    if (segment->p_type == PT_NOTE)
      found = find_in(segment, (const unsigned char *)(module->dlpi_addr + segment->p_vaddr), owner, type, size);
  }
  return found;
}
