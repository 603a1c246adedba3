/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads the ELF notes of a module.  */
#ifndef PATHRT_NOTE_H
#define PATHRT_NOTE_H

#include <link.h>
#include <stddef.h>

/* Searches the notes of a loaded module for the first note with this owner name and type.  Returns the note's data and
 * sets `*size`, or returns null if the module has no such note.  */
const unsigned char *pathrt_find_note(const struct dl_phdr_info *module, const char *owner, unsigned type,
                                      size_t *size);

#endif
