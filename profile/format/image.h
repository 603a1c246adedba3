/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads and writes profile files in memory.  pathprof_image_open verifies every length and checksum; the other
 * functions read or write one item at a time.  doc/format.md specifies the format.
 *
 * The runtime and the tools share this code, so it is written in C and depends only on libc.  */
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
  PATHPROF_SECTION_CYCLES = 4,  /* cycles, in the layout of section 3; absent if no function measures cycles */
  PATHPROF_SECTION_FORESTS = 5, /* absent if no function has a forest */
  /* Cost of measuring the cycles.  The section has the layout of section 3, with a single entry per function, which has
   * the ID 0.  */
  PATHPROF_SECTION_MEASURING = 6,
  PATHPROF_SECTION_TESTS = 7, /* data per test (profile/format/tests.h); absent if there are no tests */
  PATHPROF_NUM_SECTIONS = 8,
};

/* An opened profile image.  Each cursor is at the start of its section; copy a cursor to iterate over the section.  */
struct pathprof_image {
  struct pathprof_cursor section[PATHPROF_NUM_SECTIONS];
};

/* Returns true if a file of `file_size` bytes can be a profile.  `start` points to the first `size` bytes of the file.
 * The magic must match, and the size in the header must be at least `file_size`.  */
bool pathprof_may_be_image(const unsigned char *start, size_t size, uint64_t file_size);

/* Verifies the header, the section table and the checksums of a whole file.  Returns false and sets `*error` if this
 * version cannot read the data.  */
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

/* Compares two strings byte by byte.  The result is like that of memcmp, and a proper prefix of a string is less than
 * the string.  */
int pathprof_compare_texts(struct pathprof_text a, struct pathprof_text b);

struct pathprof_program {
  struct pathprof_text name;
  uint64_t runs;        /* number of processes, including those that sudden_ends counts */
  uint64_t forks;       /* number of runs by forked processes, which start with open activations */
  uint64_t resets;      /* number of times that counts were discarded, possibly while activations were open */
  uint64_t num_modules; /* number of modules that follow (pathprof_next_module) */
  uint64_t sudden_ends; /* number of processes that ended without writing all their counts, some of which come from raw
                           files */
};

/* Fields that follow the modules in the program section (added in format 1.6).  */
struct pathprof_program_more {
  uint64_t threaded; /* number of times that counts were written by a process that is or was multithreaded */
  uint64_t switched; /* total time during which profiling was switched on (switch=1), in microseconds; added in 1.7 */
};

/* An executable or shared library whose counts are in the profile.  */
struct pathprof_module {
  struct pathprof_text name;
  struct pathprof_text build_id; /* bytes of the GNU build ID, or of units_key if there is no build ID */
  uint64_t units_key;            /* hash of the keys of the module's units; identical for identical instrumented code */
};

void pathprof_get_program(struct pathprof_cursor *cursor, struct pathprof_program *program);
void pathprof_get_module(struct pathprof_cursor *cursor, struct pathprof_module *module);
/* Reads the next module of a program and decrements `*left`, which is initially num_modules.  Returns false after the
 * last module or if the data is malformed (cursor->error).  */
bool pathprof_next_module(struct pathprof_cursor *cursor, uint64_t *left, struct pathprof_module *module);
/* Reads the fields that follow the last module.  Fields that are missing in an older file are set to zero.  */
void pathprof_get_program_more(struct pathprof_cursor *cursor, struct pathprof_program_more *more);
void pathprof_put_program(struct pathprof_buffer *buffer, const struct pathprof_program *program);
void pathprof_put_module(struct pathprof_buffer *buffer, const struct pathprof_module *module);
void pathprof_put_program_more(struct pathprof_buffer *buffer, const struct pathprof_program_more *more);

/* ---- units section: the number of units, then the units in increasing order (pathprof_compare_units) ---- */

struct pathprof_unit_notes {
  uint64_t key; /* key of the unit (pathprof_unit_key) */
  struct pathprof_text notes;
};

void pathprof_get_unit(struct pathprof_cursor *cursor, struct pathprof_unit_notes *unit);
void pathprof_put_unit(struct pathprof_buffer *buffer, const struct pathprof_unit_notes *unit);
/* Compares units by key, then by the part of the notes before the compilation directory.  Units with the same key that
 * differ only in the directory compare equal.  Such units exist because the keys in objects compiled with earlier
 * versions do not depend on the directory.  */
int pathprof_compare_units(const struct pathprof_unit_notes *a, const struct pathprof_unit_notes *b);
/* If two units compare equal, chooses the unit whose notes are kept in a merge.  The result does not depend on the
 * order of the arguments.  */
const struct pathprof_unit_notes *pathprof_choose_unit(const struct pathprof_unit_notes *a,
                                                       const struct pathprof_unit_notes *b);
/* Returns the key of a unit, which is a hash of its notes up to and including the compilation directory.  */
uint64_t pathprof_unit_key(struct pathprof_text notes);
/* Returns the version of GCC that compiled the unit, such as 12.2.0, or an empty string if the notes do not contain the
 * version.  */
struct pathprof_text pathprof_unit_compiler(struct pathprof_text notes);
/* Returns the compilation directory of the unit, or an empty string if the notes do not contain it.  */
struct pathprof_text pathprof_unit_folder(struct pathprof_text notes);
/* Returns the checksums of the unit's functions, 4 bytes for each, or an empty text if they are unknown.  */
struct pathprof_text pathprof_unit_bodies(struct pathprof_text notes);

/* ---- notes of a unit: header, index, and the compressed payload ---- */

/* Iterates over the index of a unit's notes.  */
struct pathprof_index {
  struct pathprof_cursor cursor;
  struct pathprof_text source; /* the unit's main source file */
  uint64_t num_functions;
  uint64_t next;
  bool skips_names; /* true if the caller does not need the names of the functions */
  size_t name_size;
  uint64_t full_name_size; /* length of the untruncated name */
  uint32_t checksum;       /* CRC-32C of the current function's graph */
  uint8_t storage;         /* storage of the function, an enum pathprof_storage */
  bool has_prefixes;       /* true if the function has a second table, which follows its storage */
  bool has_cycles;         /* true if the function also has storage for cycles */
  uint64_t num_paths;
  struct pathprof_cursor cycles;  /* unread part of the list of functions with cycles */
  uint64_t next_with_cycles;      /* index of the next function in the list, or UINT64_MAX after the last function */
  uint64_t forest_k;              /* maximum number of paths per sequence if the table is a forest, otherwise 0 */
  struct pathprof_cursor forests; /* unread part of the list of functions with forests */
  uint64_t next_with_forest;
  uint64_t next_forest_k;
  char name[4096]; /* name of the current function, truncated to 4095 bytes and NUL-terminated */
};

/* The strings that follow the payload of a unit's notes.  Strings at the end can be missing and are then treated as
 * empty.  */
enum pathprof_addition {
  PATHPROF_ADDITION_CYCLES = 0,    /* list of functions with cycles */
  PATHPROF_ADDITION_FORESTS = 1,   /* list of functions with forests */
  PATHPROF_ADDITION_CHECKSUMS = 2, /* checksums of the source files */
  PATHPROF_ADDITION_FOLDER = 3,    /* compilation directory, the base of relative file names */
  PATHPROF_ADDITION_COMPILER = 4,  /* version of GCC that compiled the unit; not part of its key */
  PATHPROF_ADDITION_OPTIONS = 5,   /* target and options of the compiler; not part of the unit's key */
  PATHPROF_ADDITION_BODIES = 6,    /* checksums of the functions' statements */
  PATHPROF_NUM_ADDITIONS = 7,
};

/* Returns a cursor over the next addition, or an empty cursor if there are no more additions.  */
struct pathprof_cursor pathprof_next_addition(struct pathprof_cursor *at);

/* Opens the index of a unit's notes.  `base` is the offset of the notes in the file, for use in error messages.  */
void pathprof_index_open(struct pathprof_index *index, struct pathprof_text notes, uint64_t base);
/* Advances to the next function.  Returns false after the last function or on an error (index->cursor.error).  */
bool pathprof_index_next(struct pathprof_index *index);

/* ---- sections of counts and cycles: for each unit, the functions with executed paths ---- */

/* Header of the counts of one function.  */
struct pathprof_function_counts {
  uint64_t index;     /* index of the function in its unit */
  uint64_t num_paths; /* number of executed paths that follow */
};

/* Reads the header of a function.  `previous` is the index of the previous function, or UINT64_MAX for the first
 * one.  */
void pathprof_get_function(struct pathprof_cursor *cursor, uint64_t previous,
                           struct pathprof_function_counts *function);
void pathprof_put_function(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t num_paths);

/* Reads the next number from an increasing sequence that is stored as a list of differences.  `previous` is UINT64_MAX
 * for the first number.  */
static inline uint64_t pathprof_get_increasing(struct pathprof_cursor *cursor, uint64_t previous) {
  uint64_t distance = pathprof_get_varint(cursor);
  uint64_t least = previous + 1;
  if (least == UINT64_MAX || distance > UINT64_MAX - 1 - least)
    pathprof_cursor_fail(cursor, "a number in an increasing list is too large");
  return least + distance;
}

/* Reads the ID and the count of the next executed path.  The paths of a function are sorted by increasing ID.  */
static inline uint64_t pathprof_get_path(struct pathprof_cursor *cursor, uint64_t previous, uint64_t *count) {
  uint64_t id = pathprof_get_increasing(cursor, previous);
  *count = pathprof_get_varint(cursor);
  return id;
}
static inline void pathprof_put_path(struct pathprof_buffer *buffer, uint64_t previous, uint64_t id, uint64_t count) {
  pathprof_put_varint(buffer, id - (previous + 1));
  pathprof_put_varint(buffer, count);
}

/* ---- complete files ---- */

/* The sections of an image that is being written.  Sections 4 to 7 are written only if the corresponding flag is
 * set.  */
struct pathprof_writer {
  struct pathprof_buffer section[PATHPROF_NUM_SECTIONS];
  bool has_cycles;
  bool has_forests;
  bool has_measuring;
  bool has_tests;
};

/* Appends the complete image to `file` and frees the sections.  */
void pathprof_writer_finish(struct pathprof_writer *writer, struct pathprof_buffer *file);
void pathprof_writer_free(struct pathprof_writer *writer);

#ifdef __cplusplus
}
#endif
#endif
