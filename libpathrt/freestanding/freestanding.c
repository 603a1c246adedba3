/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Clears and writes the counters of a freestanding program.  The code needs neither libc nor initialised memory, and is
 * written for small size.  */
#include "libpathrt/freestanding/pathrt_freestanding.h"

#include "profile/format/freestanding.h"

typedef struct pathprof_freestanding_unit pathrt_unit;
/* Records and arrays of counters consist of whole words.  */
typedef uint32_t __attribute__((may_alias)) pathrt_word;

/* Start and end of PATHPROF_FREESTANDING_UNITS_SECTION, defined by the linker.  The section exists even if no unit is
 * instrumented, because this file contains an empty part of it.  */
__asm__(".pushsection " PATHPROF_FREESTANDING_UNITS_SECTION ",\"a\"\n\t.popsection");
extern const pathrt_unit __start_pathprof_freestanding[] __attribute__((visibility("hidden")));
extern const pathrt_unit __stop_pathprof_freestanding[] __attribute__((visibility("hidden")));

void pathrt_clear(void) {
  for (const pathrt_unit *unit = __start_pathprof_freestanding; unit < __stop_pathprof_freestanding; unit++)
    for (uintptr_t i = unit->counters_size; i--;) {
      ((unsigned char *)unit->counters)[i] = 0;
      __asm__ volatile(""); /* Otherwise, GCC would replace the loop with a call to memset.  */
    }
}

/* Writes the magic, all records, the counters of each unit, and a hash of the records and counters.  Counters are read
 * as words, so an interrupt cannot tear a counter of 32 bits.  `put` and the hash use a copy of the word, because `put`
 * or an interrupt can increment a counter.  */
void pathrt_write(void (*put)(const void *data, size_t size)) {
  const pathrt_unit *unit = __start_pathprof_freestanding;
  const pathrt_word *data = (const pathrt_word *)unit, *end = (const pathrt_word *)__stop_pathprof_freestanding;
  uint32_t hash = PATHPROF_STREAM_HASH_START, word;
  put(PATHPROF_STREAM_MAGIC, PATHPROF_STREAM_MAGIC_SIZE);
  for (;; unit++) {
    while (data != end) {
      word = *data++;
      for (size_t i = 0; i < sizeof word; i++)
        hash = (hash ^ ((unsigned char *)&word)[i]) * PATHPROF_STREAM_HASH_FACTOR;
      put(&word, sizeof word);
    }
    if (unit == __stop_pathprof_freestanding)
      break;
    data = unit->counters;
    end = (const pathrt_word *)((uintptr_t)data + unit->counters_size);
  }
  word = hash;
  put(&word, sizeof word);
}
