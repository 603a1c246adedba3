/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Describes the first difference between two builds of a program.  The description is used in messages.  */
#include "libpathrt/file/difference.h"

#include <stdbool.h>
#include <string.h>

#include "libpathrt/process/name.h"
#include "profile/format/text.h"

/* Description of the difference.  */
struct difference {
  struct pathprof_index here, there; /* functions of corresponding units in this build and in the older build */
  bool found;
  size_t size;
  char text[PATHRT_DIFFERENCE_SIZE];
};

/* Appends the bytes, truncated to `most`.  */
static void add_bytes(struct difference *difference, const void *bytes, size_t size, size_t most) {
  size_t room = sizeof difference->text - 1 - difference->size, n = size < most ? size : most;
  n = n < room ? n : room;
  if (n)
    memcpy(difference->text + difference->size, bytes, n);
  difference->size += n;
  difference->text[difference->size] = '\0';
}

static void add(struct difference *difference, const char *text) {
  size_t size = pathprof_text_size(text);
  add_bytes(difference, text, size, size);
}

static void describe(struct difference *difference, const struct pathprof_index *unit, const char *how) {
  enum { MAX_NAME = 200, MAX_SOURCE = 128 };
  char decimal[PATHRT_DECIMAL_SIZE];
  add(difference, unit->name_size ? "function '" : "the set of interprocedural paths");
  add_bytes(difference, unit->name, unit->name_size, MAX_NAME);
  add(difference, unit->name_size ? "'" : "");
  add(difference, unit->source.size ? " in " : "");
  add_bytes(difference, unit->source.data, unit->source.size, MAX_SOURCE);
  add(difference, how ? " " : " has a different number of paths: ");
  difference->found = true;
  if (how) {
    add(difference, how);
    return;
  }
  add(difference, pathrt_decimal(decimal, difference->here.num_paths));
  add(difference, " in this build, ");
  add(difference, pathrt_decimal(decimal, difference->there.num_paths));
  add(difference, " in the older build");
}

/* Returns the first GCC version that is recorded in a unit of the profile, or an empty string.  */
static struct pathprof_text compiler_of(const struct pathprof_image *image) {
  struct pathprof_cursor cursor = image->section[PATHPROF_SECTION_UNITS];
  struct pathprof_text compiler = {0};
  struct pathprof_unit_notes unit;
  for (uint64_t left = pathprof_get_varint(&cursor); left && !compiler.size; left--) {
    pathprof_get_unit(&cursor, &unit);
    if (!pathprof_cursor_ok(&cursor))
      break;
    compiler = pathprof_unit_compiler(unit.notes);
  }
  return compiler;
}

/* If a property differs between the builds, appends `before`, the older value, `between` and this build's value to the
 * description.  Each value is truncated to `max_size` bytes.  An empty value means that the property is unknown, so it
 * is not treated as a difference.  */
static void compare_property(struct difference *difference, const char *before, struct pathprof_text theirs,
                             const char *between, struct pathprof_text ours, size_t max_size) {
  if (difference->found || !ours.size || !theirs.size || pathprof_same_text(ours, theirs))
    return;
  difference->found = true;
  add(difference, before);
  add_bytes(difference, theirs.data, theirs.size, max_size);
  add(difference, between);
  add_bytes(difference, ours.data, ours.size, max_size);
}

/* Compiler versions are compared first.  A different compiler changes most functions, so the compiler versions explain
 * the difference better than the first function that differs.  */
static void compare_compilers(struct difference *difference, const struct pathprof_image *here,
                              const struct pathprof_image *there) {
  enum { MAX_SIZE = 64 }; /* maximum size of a version in the message */
  compare_property(difference, "compiled by GCC ", compiler_of(there), ", this build by GCC ", compiler_of(here),
                   MAX_SIZE);
}

/* Compares the functions of two units.  The functions are sorted by name.  */
static void compare_functions(struct difference *difference) {
  struct pathprof_index *here = &difference->here, *there = &difference->there;
  bool has_here = pathprof_index_next(here), has_there = pathprof_index_next(there);
  while (!difference->found && (has_here || has_there)) {
    int order = !has_here ? 1 : !has_there ? -1 : pathprof_text_compare(here->name, there->name);
    if (order < 0)
      describe(difference, here, "does not exist in the older build");
    else if (order > 0)
      describe(difference, there, "exists only in the older build");
    else if (here->num_paths != there->num_paths)
      describe(difference, here, NULL);
    else if (here->checksum != there->checksum)
      describe(difference, here, "has a different control-flow graph");
    has_here = pathprof_index_next(here);
    has_there = pathprof_index_next(there);
  }
}

/* Opens the index of a unit in `in` that was compiled from `source`, preferably in the directory `folder` and otherwise
 * in any directory.  Returns the notes of the unit.  If no unit was compiled from `source`, clears the index and
 * returns an empty string.  */
static struct pathprof_text open_unit_of(struct pathprof_index *index, struct pathprof_text source,
                                         struct pathprof_text folder, const struct pathprof_image *in) {
  struct pathprof_text none = {0};
  for (int needs_folder = 1; needs_folder >= 0; needs_folder--) {
    struct pathprof_cursor cursor = in->section[PATHPROF_SECTION_UNITS];
    struct pathprof_unit_notes unit;
    uint64_t n = pathprof_get_varint(&cursor);
    for (uint64_t i = 0; i < n && pathprof_cursor_ok(&cursor); i++) {
      pathprof_get_unit(&cursor, &unit);
      pathprof_index_open(index, unit.notes, 0);
      if (pathprof_cursor_ok(&cursor) && pathprof_same_text(index->source, source) &&
          (!needs_folder || pathprof_same_text(pathprof_unit_folder(unit.notes), folder)))
        return unit.notes;
    }
  }
  memset(index, 0, sizeof *index);
  return none;
}

/* Finds the first function whose statements differ, if the units are equal otherwise.  The index can begin with an
 * entry without a name, for interprocedural paths, which has no statements.  */
static void compare_bodies(struct difference *difference, struct pathprof_text here, struct pathprof_text there) {
  struct pathprof_text bodies[2] = {pathprof_unit_bodies(here), pathprof_unit_bodies(there)};
  if (difference->found || !bodies[0].size || bodies[0].size != bodies[1].size)
    return;
  pathprof_index_open(&difference->here, here, 0);
  for (size_t at = 0; at < bodies[0].size && !difference->found && pathprof_index_next(&difference->here);) {
    if (!difference->here.name_size)
      continue;
    if (memcmp(bodies[0].data + at, bodies[1].data + at, sizeof(uint32_t)) != 0)
      describe(difference, &difference->here, "has different statements");
    at += sizeof(uint32_t);
  }
}

static void compare_folders(struct difference *difference, struct pathprof_text here, struct pathprof_text there) {
  enum { MAX_SIZE = 200 }; /* maximum length of a directory name in the message */
  compare_property(difference, "compiled in ", there, ", this build in ", here, MAX_SIZE);
}

/* Returns true if the profiles contain modules with the same names.  */
static bool have_same_modules(const struct pathprof_image *here, const struct pathprof_image *there) {
  struct pathprof_cursor cursors[2] = {here->section[PATHPROF_SECTION_PROGRAM],
                                       there->section[PATHPROF_SECTION_PROGRAM]};
  struct pathprof_program program[2];
  struct pathprof_module module[2];
  for (int i = 0; i < 2; i++)
    pathprof_get_program(&cursors[i], &program[i]);
  if (program[0].num_modules != program[1].num_modules)
    return false;
  while (pathprof_next_module(&cursors[0], &program[0].num_modules, &module[0]) &&
         pathprof_next_module(&cursors[1], &program[1].num_modules, &module[1]))
    if (!pathprof_same_text(module[0].name, module[1].name))
      return false;
  return true;
}

/* Compares each unit in `units` with the unit in `others` that was compiled from the same source file.  `of_this_build`
 * is true if `units` belongs to this build and `others` to the older build.  `skips_missing` is true if a unit without
 * a counterpart is not a difference, because it can belong to a module that only one profile contains.  */
static void compare_units(struct difference *difference, const struct pathprof_image *units,
                          const struct pathprof_image *others, bool of_this_build, bool skips_missing) {
  struct pathprof_cursor cursor = units->section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  uint64_t n = pathprof_get_varint(&cursor);
  for (uint64_t i = 0; i < n && !difference->found; i++) {
    pathprof_get_unit(&cursor, &unit);
    if (!pathprof_cursor_ok(&cursor))
      return;
    struct pathprof_index *one = of_this_build ? &difference->here : &difference->there;
    struct pathprof_index *other = of_this_build ? &difference->there : &difference->here;
    pathprof_index_open(one, unit.notes, 0);
    struct pathprof_text notes = open_unit_of(other, one->source, pathprof_unit_folder(unit.notes), others);
    if (!other->cursor.data && skips_missing)
      continue;
    struct pathprof_text here = of_this_build ? unit.notes : notes, there = of_this_build ? notes : unit.notes;
    compare_functions(difference);
    compare_bodies(difference, here, there);
    compare_folders(difference, pathprof_unit_folder(here), pathprof_unit_folder(there));
  }
}

/* The description is built in a mapped buffer, because an index is too large for a small stack.  */
void pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there,
                       char text[PATHRT_DIFFERENCE_SIZE]) {
  struct pathprof_buffer state = {0};
  struct difference *difference = (void *)pathprof_reserve(&state, sizeof *difference);
  pathprof_text_copy(text, "source files, lines or options differ", PATHRT_DIFFERENCE_SIZE);
  if (!difference)
    return;
  difference->found = false;
  difference->size = 0;
  compare_compilers(difference, here, there);
  bool skips_missing = !have_same_modules(here, there);
  if (!difference->found)
    compare_units(difference, here, there, true, skips_missing);
  if (!difference->found)
    compare_units(difference, there, here, false, skips_missing);
  if (difference->found)
    pathprof_text_copy(text, difference->text, PATHRT_DIFFERENCE_SIZE);
  pathprof_buffer_free(&state);
}
