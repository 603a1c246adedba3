/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A profile file in memory: opening it (with every length and checksum verified), walking its parts,
 * merging two of them, writing one.  doc/format.md describes the bytes.
 *
 * Libc-only C, compiled into the runtime and into the tools: merging exists once.  */
#ifndef PATHPROF_PROFILE_IMAGE_H
#define PATHPROF_PROFILE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "profile/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PATHPROF_MAGIC "\x89PATHPF\n"
#define PATHPROF_MAGIC_SIZE 8
#define PATHPROF_FORMAT_MAJOR 1
#define PATHPROF_FORMAT_MINOR 5

enum pathprof_section {
  PATHPROF_SECTION_PROGRAM = 1,
  PATHPROF_SECTION_UNITS = 2,
  PATHPROF_SECTION_COUNTS = 3,
  PATHPROF_SECTION_CYCLES = 4,  /* laid out as the counts; not there if no function measures them */
  PATHPROF_SECTION_FORESTS = 5, /* not there if no function has sequences of paths */
  PATHPROF_NUM_SECTIONS = 6,
};

/* An opened image.  The cursors stand at the start of their sections; copy them to walk.  */
struct pathprof_image {
  struct pathprof_cursor section[PATHPROF_NUM_SECTIONS];
};

/* Verifies header, section table and checksums of a whole file.  False with *error filled where the
 * data is not a profile that this version can read.  */
bool pathprof_image_open(struct pathprof_image *image, const unsigned char *data, size_t size,
                         struct pathprof_error *error);

/* ---- the program section ---- */

struct pathprof_text {
  const unsigned char *data;
  size_t size;
};

struct pathprof_program {
  struct pathprof_text name;
  uint64_t runs;        /* processes that ended and wrote */
  uint64_t forks;       /* of them, processes that began as a fork: frames were open at the start */
  uint64_t resets;      /* how often counts were forgotten, maybe while frames were open */
  uint64_t num_modules; /* modules follow: pathprof_get_module */
  uint64_t sudden_ends; /* processes that could not write: their counts are from raw files */
};

/* A program or shared object whose counts are in the profile.  */
struct pathprof_module {
  struct pathprof_text name;
  struct pathprof_text build_id; /* bytes of the GNU build id, else of units_key */
  uint64_t units_key;            /* over the keys of its units: equal means the same instrumented code */
};

void pathprof_get_program(struct pathprof_cursor *cursor, struct pathprof_program *program);
void pathprof_get_module(struct pathprof_cursor *cursor, struct pathprof_module *module);
void pathprof_put_program(struct pathprof_buffer *buffer, const struct pathprof_program *program);
void pathprof_put_module(struct pathprof_buffer *buffer, const struct pathprof_module *module);

/* ---- the units section: a count, then units in increasing order (pathprof_compare_units) ---- */

struct pathprof_unit_notes {
  uint64_t key;
  struct pathprof_text notes;
};

void pathprof_get_unit(struct pathprof_cursor *cursor, struct pathprof_unit_notes *unit);
void pathprof_put_unit(struct pathprof_buffer *buffer, const struct pathprof_unit_notes *unit);
int pathprof_compare_units(const struct pathprof_unit_notes *a, const struct pathprof_unit_notes *b);

/* ---- a unit's notes: header, index, and the compressed rest ---- */

/* Walks the index of a unit's notes.  */
struct pathprof_index {
  struct pathprof_cursor cursor;
  struct pathprof_text source; /* the unit's main source file */
  uint64_t num_functions;
  uint64_t next;
  char name[4096]; /* of the current function, cut at 4095 bytes; NUL-terminated */
  size_t name_size;
  uint64_t full_name_size; /* before cutting */
  uint32_t checksum;       /* of the current function's graph */
  uint8_t storage;         /* enum pathprof_storage */
  bool has_prefixes;       /* a table follows the storage */
  bool has_cycles;         /* so does storage for cycles */
  uint64_t num_paths;
  struct pathprof_cursor cycles;  /* what is left of the list of functions with cycles */
  uint64_t next_with_cycles;      /* the first in it, UINT64_MAX: none */
  uint64_t forest_k;              /* the table is a forest with sequences of so many paths; 0: it is none */
  struct pathprof_cursor forests; /* what is left of the list of functions with forests */
  uint64_t next_with_forest;
  uint64_t next_forest_k;
};

/* `base` is the notes' offset in the file, for errors.  */
void pathprof_index_open(struct pathprof_index *index, struct pathprof_text notes, uint64_t base);
/* Steps to the next function; false after the last one or on an error (index->cursor.error).  */
bool pathprof_index_next(struct pathprof_index *index);

/* ---- the sections of counts and cycles: for each unit, functions with executed paths ---- */

/* One function's counts while walking.  */
struct pathprof_function_counts {
  uint64_t index;     /* of the function in its unit */
  uint64_t num_paths; /* executed paths that follow */
};

/* `previous` is the last function's index, or UINT64_MAX before the first.  */
void pathprof_get_function(struct pathprof_cursor *cursor, uint64_t previous,
                           struct pathprof_function_counts *function);
void pathprof_put_function(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t num_paths);

/* Numbers that increase are stored as distances from the one before; `previous` is UINT64_MAX before the first.  */
static inline uint64_t pathprof_get_increasing(struct pathprof_cursor *cursor, uint64_t previous) {
  uint64_t distance = pathprof_get_varint(cursor);
  uint64_t least = previous + 1;
  if (least == UINT64_MAX || distance > UINT64_MAX - 1 - least)
    pathprof_cursor_fail(cursor, "numbers that should increase overflow");
  return least + distance;
}

/* One executed path: its id, which increases, and its count.  */
static inline uint64_t pathprof_get_path(struct pathprof_cursor *cursor, uint64_t previous, uint64_t *count) {
  uint64_t id = pathprof_get_increasing(cursor, previous);
  *count = pathprof_get_varint(cursor);
  return id;
}
static inline void pathprof_put_path(struct pathprof_buffer *buffer, uint64_t previous, uint64_t id, uint64_t count) {
  pathprof_put_varint(buffer, id - (previous + 1));
  pathprof_put_varint(buffer, count);
}

/* ---- whole files ---- */

/* The sections while an image is being made.  Those of cycles and of forests are written if there are any, else
 * dropped.  */
struct pathprof_writer {
  struct pathprof_buffer section[PATHPROF_NUM_SECTIONS];
  bool has_cycles;
  bool has_forests;
};

/* Lays out a file from the sections and frees them.  */
void pathprof_writer_finish(struct pathprof_writer *writer, struct pathprof_buffer *file);
void pathprof_writer_free(struct pathprof_writer *writer);

/* Merges two images: counts, cycles and forests times their weights are added (saturating), notes and modules united,
 * runs, forks, resets and sudden ends added.  Associative and commutative.  False with *error filled where the data
 * contradicts itself; error->offset then belongs to the second image if *in_second.  */
bool pathprof_merge(const struct pathprof_image *a, uint64_t weight_a, const struct pathprof_image *b,
                    uint64_t weight_b, struct pathprof_buffer *file, struct pathprof_error *error, bool *in_second);

#ifdef __cplusplus
}
#endif
#endif
