/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* The section of tests: what was counted while a test of that name ran.
 *
 * The counts of tests are in the other sections, too: who does not ask which test a path ran in need not know this one.
 * Libc-only C, compiled into the runtime and into the tools.  doc/format.md describes the bytes.  */
#ifndef PATHPROF_PROFILE_FORMAT_TESTS_H
#define PATHPROF_PROFILE_FORMAT_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PATHPROF_MAX_TEST_NAME = 1023 }; /* bytes */

/* A test.  Its paths and sequences are lists of units, to be walked by pathprof_next_test_unit.  */
struct pathprof_test {
  struct pathprof_text name; /* 1 to PATHPROF_MAX_TEST_NAME bytes */
  uint64_t runs;             /* how often it was begun */
  uint64_t processor_time;   /* microseconds of all its processes; 0: not known */
  uint64_t elapsed_time;     /* likewise, by the clock */
  struct pathprof_cursor counts, forests;
};

/* The number of tests in a section; 0 where there is no section.  */
uint64_t pathprof_open_tests(struct pathprof_cursor *section);
/* Reads the next test, of `left` that are left.  *test must be zero before the first: names have to increase.  False
 * behind the last one, or where the data is at fault (the cursor says so).  */
bool pathprof_next_test(struct pathprof_cursor *section, uint64_t *left, struct pathprof_test *test);
void pathprof_put_test(struct pathprof_buffer *section, const struct pathprof_test *test);

/* A walk over the units in one of a test's lists.  */
struct pathprof_test_units {
  struct pathprof_cursor *list;
  uint64_t left;
  uint64_t index; /* of the current unit in the section of units */
};
struct pathprof_test_units pathprof_open_test_units(struct pathprof_cursor *list);
/* Steps to the next unit: its functions, laid out as in the section of counts or of forests, are the caller's to read.
 * False behind the last one, or where the data is at fault.  */
bool pathprof_next_test_unit(struct pathprof_test_units *units, uint64_t num_units);

/* A list of units while it is made.  Zero before the first; `previous` UINT64_MAX.  */
struct pathprof_test_list {
  struct pathprof_buffer units;
  uint64_t num_units;
  uint64_t previous;
};
void pathprof_begin_test_list(struct pathprof_test_list *list);
/* Puts a unit whose functions these bytes are.  */
void pathprof_put_test_unit(struct pathprof_test_list *list, uint64_t index, const void *functions, size_t size);
/* Ends the list: its number of units goes before them.  */
void pathprof_end_test_list(const struct pathprof_test_list *list, struct pathprof_buffer *out);

/* Puts a section with one test, to which all that the writer has in its sections of counts and forests belongs.  The
 * test's own lists are not read.  */
void pathprof_put_only_test(struct pathprof_writer *writer, uint64_t num_units, const struct pathprof_test *test);

/* Walks all of a section: every length and order in it, but not whether the numbers of functions and paths are below
 * those of the notes.  The cursor says what is wrong.  */
void pathprof_check_tests(struct pathprof_cursor *section, uint64_t num_units);

/* Skips a unit's functions, in the section of counts or of forests.  */
void pathprof_skip_counts(struct pathprof_cursor *cursor);
void pathprof_skip_forests(struct pathprof_cursor *cursor);

#ifdef __cplusplus
}
#endif
#endif
