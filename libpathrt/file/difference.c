/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "libpathrt/file/difference.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "libpathrt/process/decimal.h"

/* What differs between two builds, in words.  */
struct difference {
  struct pathprof_index here, there; /* this build's unit and the older one's */
  bool found;
  char text[512];
};

static void describe(struct difference *difference, const struct pathprof_index *unit, const char *how) {
  char paths_here[PATHRT_DECIMAL_SIZE], paths_there[PATHRT_DECIMAL_SIZE];
  int source_size = unit->source.size < 128 ? (int)unit->source.size : 128;
  const char *what = unit->name_size ? "function '" : "the program of paths through calls",
             *quote = unit->name_size ? "'" : "";
  int at = snprintf(difference->text, sizeof difference->text, "%s%.200s%s%s%.*s ", what, unit->name, quote,
                    source_size ? " in " : "", source_size, (const char *)unit->source.data);
  difference->found = true;
  if (how)
    snprintf(difference->text + at, sizeof difference->text - (size_t)at, "%s", how);
  else
    snprintf(difference->text + at, sizeof difference->text - (size_t)at, "has %s paths here, %s there",
             pathrt_decimal(paths_here, difference->here.num_paths),
             pathrt_decimal(paths_there, difference->there.num_paths));
}

/* The first version of GCC that units of the profile name; empty where none does.  */
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

/* Another compiler makes other graphs of most functions: that says more than the first of these.  */
static void compare_compilers(struct difference *difference, const struct pathprof_image *here,
                              const struct pathprof_image *there) {
  enum { MAX_SIZE = 64 }; /* of a version that is shown */
  struct pathprof_text ours = compiler_of(here), theirs = compiler_of(there);
  if (!ours.size || !theirs.size || pathprof_same_text(ours, theirs))
    return;
  difference->found = true;
  snprintf(difference->text, sizeof difference->text, "by GCC %.*s, this one by GCC %.*s",
           (int)(theirs.size < MAX_SIZE ? theirs.size : MAX_SIZE), (const char *)theirs.data,
           (int)(ours.size < MAX_SIZE ? ours.size : MAX_SIZE), (const char *)ours.data);
}

/* Compares the functions of the two units, which are sorted by name.  */
static void compare_functions(struct difference *difference) {
  struct pathprof_index *here = &difference->here, *there = &difference->there;
  bool has_here = pathprof_index_next(here), has_there = pathprof_index_next(there);
  while (!difference->found && (has_here || has_there)) {
    int order = !has_here ? 1 : !has_there ? -1 : strcmp(here->name, there->name);
    if (order < 0)
      describe(difference, here, "is not in the older build");
    else if (order > 0)
      describe(difference, there, "is only in the older build");
    else if (here->num_paths != there->num_paths)
      describe(difference, here, NULL);
    else if (here->checksum != there->checksum)
      describe(difference, here, "has another control flow");
    has_here = pathprof_index_next(here);
    has_there = pathprof_index_next(there);
  }
}

/* Opens the unit of that source file in `in`; an empty index where there is none.  */
static void open_unit_of(struct pathprof_index *index, struct pathprof_text source, const struct pathprof_image *in) {
  struct pathprof_cursor cursor = in->section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  uint64_t n = pathprof_get_varint(&cursor);
  for (uint64_t i = 0; i < n && pathprof_cursor_ok(&cursor); i++) {
    pathprof_get_unit(&cursor, &unit);
    pathprof_index_open(index, unit.notes, 0);
    if (pathprof_cursor_ok(&cursor) && pathprof_same_text(index->source, source))
      return;
  }
  memset(index, 0, sizeof *index);
}

/* Compares each unit of `units` with the one of the same source in `others`.  `of_this_build` says
 * which side `units` are.  */
static void compare_units(struct difference *difference, const struct pathprof_image *units,
                          const struct pathprof_image *others, bool of_this_build) {
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
    open_unit_of(other, one->source, others);
    compare_functions(difference);
  }
}

const char *pathrt_difference(const struct pathprof_image *here, const struct pathprof_image *there) {
  static struct difference difference;
  difference.found = false;
  compare_compilers(&difference, here, there);
  if (!difference.found)
    compare_units(&difference, here, there, true);
  if (!difference.found)
    compare_units(&difference, there, here, false);
  return difference.found ? difference.text : "the functions are the same, their source lines or options are not";
}
