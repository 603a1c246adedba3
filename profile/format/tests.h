/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads and writes the tests section, which contains separate counts for each test.
 *
 * The other sections include these counts, so only readers that distinguish tests need the tests section.
 * doc/format.md specifies the layout.  The runtime and the tools share this code, so it is written in C and depends
 * only on libc.  */
#ifndef PATHPROF_PROFILE_FORMAT_TESTS_H
#define PATHPROF_PROFILE_FORMAT_TESTS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/format/bytes.h"
#include "profile/format/image.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PATHPROF_MAX_TEST_NAME = 1023 }; /* maximum length of a test's name in bytes */

/* A test in a profile.  Its counts and forests are lists of units, which pathprof_next_test_unit iterates over.  */
struct pathprof_test {
  struct pathprof_text name; /* name of the test, 1 to PATHPROF_MAX_TEST_NAME bytes */
  uint64_t runs;             /* number of runs of the test */
  uint64_t processor_time;   /* total CPU time of all processes in microseconds, or 0 if unknown */
  uint64_t elapsed_time;     /* total elapsed time of all processes in microseconds, or 0 if unknown */
  struct pathprof_cursor counts, forests;
};

/* Returns the number of tests in a section, or 0 if the section does not exist.  */
uint64_t pathprof_open_tests(struct pathprof_cursor *section);
/* Reads the next test and decrements `*left`.  All fields of `*test` must be zero before the first test.  Later calls
 * use the previous name to verify that names are in increasing order.  Returns false after the last test or if the data
 * is malformed (section->error).  */
bool pathprof_next_test(struct pathprof_cursor *section, uint64_t *left, struct pathprof_test *test);
void pathprof_put_test(struct pathprof_buffer *section, const struct pathprof_test *test);

/* Iterates over the units in one list of a test.  */
struct pathprof_test_units {
  struct pathprof_cursor *list;
  uint64_t left;
  uint64_t index; /* index of the current unit in the units section */
};
struct pathprof_test_units pathprof_open_test_units(struct pathprof_cursor *list);
/* Advances to the next unit.  The caller reads the unit's functions, which have the same layout as in the counts or
 * forests section.  Returns false after the last unit or if the data is malformed.  */
bool pathprof_next_test_unit(struct pathprof_test_units *units, uint64_t num_units);

/* A list of units that is being built.  Before the first use, all fields must be zero except `previous`, which must be
 * UINT64_MAX.  */
struct pathprof_test_list {
  struct pathprof_buffer units;
  uint64_t num_units;
  uint64_t previous;
};
void pathprof_begin_test_list(struct pathprof_test_list *list);
/* Appends a unit with the given serialized functions.  */
void pathprof_put_test_unit(struct pathprof_test_list *list, uint64_t index, const void *functions, size_t size);
/* Writes the complete list: its number of units, then the units.  */
void pathprof_end_test_list(const struct pathprof_test_list *list, struct pathprof_buffer *out);

/* Writes a tests section with a single test that contains all counts and forests of the writer.  Ignores the lists of
 * `test`.  */
void pathprof_put_only_test(struct pathprof_writer *writer, uint64_t num_units, const struct pathprof_test *test);

/* Verifies all lengths and the sort order in a tests section, but not the bounds of function indices and path IDs.
 * Errors are recorded in the cursor.  */
void pathprof_check_tests(struct pathprof_cursor *section, uint64_t num_units);

/* Skips the data of a unit in the counts section.  */
void pathprof_skip_counts(struct pathprof_cursor *cursor);
/* Skips the data of a unit in the forests section.  */
void pathprof_skip_forests(struct pathprof_cursor *cursor);

#ifdef __cplusplus
}
#endif
#endif
