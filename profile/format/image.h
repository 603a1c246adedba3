/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* A profile file in memory: opening it (with every length and checksum verified), walking its parts,
 * writing one.  doc/format.md describes the bytes.
 *
 * Libc-only C, compiled into the runtime and into the tools.  */
#ifndef PATHPROF_PROFILE_FORMAT_IMAGE_H
#define PATHPROF_PROFILE_FORMAT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "profile/format/bytes.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PATHPROF_MAGIC "\x89PATHPF\n"
#define PATHPROF_MAGIC_SIZE 8
#define PATHPROF_FORMAT_MAJOR 1
#define PATHPROF_FORMAT_MINOR 7

enum pathprof_section {
  PATHPROF_SECTION_PROGRAM = 1,
  PATHPROF_SECTION_UNITS = 2,
  PATHPROF_SECTION_COUNTS = 3,
  PATHPROF_SECTION_CYCLES = 4,  /* laid out as the counts; not there if no function measures them */
  PATHPROF_SECTION_FORESTS = 5, /* not there if no function has sequences of paths */
  /* What it cost to measure the cycles; laid out as the counts, with one number, 0, of each function.  */
  PATHPROF_SECTION_MEASURING = 6,
  PATHPROF_SECTION_TESTS = 7, /* runs told apart by test (profile/format/tests.h); not there if there are none */
  PATHPROF_NUM_SECTIONS = 8,
};

/* An opened image.  The cursors stand at the start of their sections; copy them to walk.  */
struct pathprof_image {
  struct pathprof_cursor section[PATHPROF_NUM_SECTIONS];
};

/* Whether a file of that size, of which these are the first bytes, is worth reading: it begins like a profile that is
 * not shorter.  */
bool pathprof_may_be_image(const unsigned char *start, size_t size, uint64_t file_size);

/* Verifies header, section table and checksums of a whole file.  False with *error filled where the
 * data is not a profile that this version can read.  */
bool pathprof_image_open(struct pathprof_image *image, const unsigned char *data, size_t size,
                         struct pathprof_error *error);

/* ---- the program section ---- */

struct pathprof_text {
  const unsigned char *data;
  size_t size;
};

static inline bool pathprof_same_text(struct pathprof_text a, struct pathprof_text b) {
  return a.size == b.size && (!a.size || memcmp(a.data, b.data, a.size) == 0);
}

/* By bytes; a text comes before those that begin with it.  */
int pathprof_compare_texts(struct pathprof_text a, struct pathprof_text b);

struct pathprof_program {
  struct pathprof_text name;
  uint64_t runs;        /* processes that ended and wrote */
  uint64_t forks;       /* of them, processes that began as a fork: frames were open at the start */
  uint64_t resets;      /* how often counts were forgotten, maybe while frames were open */
  uint64_t num_modules; /* modules follow: pathprof_next_module */
  uint64_t sudden_ends; /* processes that could not write: their counts are from raw files */
};

/* What follows the modules, since format 1.6.  */
struct pathprof_program_more {
  uint64_t threaded; /* how often counts were written by processes that have, or had, more than one thread */
  uint64_t switched; /* since 1.7: for how many microseconds processes were switched on (switch=1) */
};

/* A program or shared object whose counts are in the profile.  */
struct pathprof_module {
  struct pathprof_text name;
  struct pathprof_text build_id; /* bytes of the GNU build id, else of units_key */
  uint64_t units_key;            /* over the keys of its units: equal means the same instrumented code */
};

void pathprof_get_program(struct pathprof_cursor *cursor, struct pathprof_program *program);
void pathprof_get_module(struct pathprof_cursor *cursor, struct pathprof_module *module);
/* Walks a program's modules: reads the next one, of `left` that are left (num_modules at first).  False behind the last
 * one, or where the data is at fault (the cursor says so).  */
bool pathprof_next_module(struct pathprof_cursor *cursor, uint64_t *left, struct pathprof_module *module);
/* Reads what follows, once all modules are read.  Older files have zeros.  */
void pathprof_get_program_more(struct pathprof_cursor *cursor, struct pathprof_program_more *more);
void pathprof_put_program(struct pathprof_buffer *buffer, const struct pathprof_program *program);
void pathprof_put_module(struct pathprof_buffer *buffer, const struct pathprof_module *module);
void pathprof_put_program_more(struct pathprof_buffer *buffer, const struct pathprof_program_more *more);

/* ---- the units section: a count, then units in increasing order (pathprof_compare_units) ---- */

struct pathprof_unit_notes {
  uint64_t key; /* pathprof_unit_key */
  struct pathprof_text notes;
};

void pathprof_get_unit(struct pathprof_cursor *cursor, struct pathprof_unit_notes *unit);
void pathprof_put_unit(struct pathprof_buffer *buffer, const struct pathprof_unit_notes *unit);
/* Orders units by key, then by the part of the notes before the folder of compilation.  Units that differ in the folder
 * only are equal if their keys are: objects that earlier versions compiled have keys without the folder.  */
int pathprof_compare_units(const struct pathprof_unit_notes *a, const struct pathprof_unit_notes *b);
/* Chooses the one of two equal units whose notes are kept; the order of the two does not matter.  */
const struct pathprof_unit_notes *pathprof_choose_unit(const struct pathprof_unit_notes *a,
                                                       const struct pathprof_unit_notes *b);
/* Returns the key of a unit: a hash of its notes up to and including the folder of compilation.  */
uint64_t pathprof_unit_key(struct pathprof_text notes);
/* The version of GCC that compiled the unit, as GCC says it (12.2.0); empty where the notes do not tell.  */
struct pathprof_text pathprof_unit_compiler(struct pathprof_text notes);
/* Returns the folder of compilation of the unit, or an empty text if the notes do not name it.  */
struct pathprof_text pathprof_unit_folder(struct pathprof_text notes);

/* ---- a unit's notes: header, index, and the compressed rest ---- */

/* Walks the index of a unit's notes.  */
struct pathprof_index {
  struct pathprof_cursor cursor;
  struct pathprof_text source; /* the unit's main source file */
  uint64_t num_functions;
  uint64_t next;
  bool skips_names; /* set it to go without the functions' names */
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
  char name[4096]; /* of the current function, cut at 4095 bytes; NUL-terminated */
};

/* What follows the payload: strings, of which the last ones may be missing, as good as empty ones.  */
enum pathprof_addition {
  PATHPROF_ADDITION_CYCLES = 0,    /* the list of functions with cycles */
  PATHPROF_ADDITION_FORESTS = 1,   /* the list of functions with forests */
  PATHPROF_ADDITION_CHECKSUMS = 2, /* of the source files */
  PATHPROF_ADDITION_FOLDER = 3,    /* of compilation, which relative names of files belong to */
  PATHPROF_ADDITION_COMPILER = 4,  /* version of GCC that compiled the unit; not part of its key */
  PATHPROF_NUM_ADDITIONS = 5,
};

/* Takes the next addition; empty where there is none.  */
struct pathprof_cursor pathprof_next_addition(struct pathprof_cursor *at);

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

/* The sections while an image is being made.  Those of cycles, of their cost, of forests and of tests are written if
 * there are any, else dropped.  */
struct pathprof_writer {
  struct pathprof_buffer section[PATHPROF_NUM_SECTIONS];
  bool has_cycles;
  bool has_forests;
  bool has_measuring;
  bool has_tests;
};

/* Lays out a file from the sections and frees them.  */
void pathprof_writer_finish(struct pathprof_writer *writer, struct pathprof_buffer *file);
void pathprof_writer_free(struct pathprof_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
