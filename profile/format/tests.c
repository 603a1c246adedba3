/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reads and writes the section of tests.  */
#include "profile/format/tests.h"

#include <string.h>

#include "profile/format/forest.h"

/* ---- tests ---- */

uint64_t pathprof_open_tests(struct pathprof_cursor *section) {
  return section->data ? pathprof_get_varint(section) : 0;
}

static struct pathprof_cursor get_list(struct pathprof_cursor *section) {
  size_t size;
  const unsigned char *data = pathprof_get_string(section, &size);
  return pathprof_cursor_over(data, size, section->base + section->pos - size);
}

bool pathprof_next_test(struct pathprof_cursor *section, uint64_t *left, struct pathprof_test *test) {
  struct pathprof_text before = test->name;
  if (!*left || !pathprof_cursor_ok(section))
    return false;
  --*left;
  test->name.data = pathprof_get_string(section, &test->name.size);
  if (pathprof_cursor_ok(section) && (!test->name.size || test->name.size > PATHPROF_MAX_TEST_NAME))
    pathprof_cursor_fail(section, "a test name is empty or too long");
  if (pathprof_cursor_ok(section) && before.size && pathprof_compare_texts(before, test->name) >= 0)
    pathprof_cursor_fail(section, "test names are not in increasing order");
  test->runs = pathprof_get_varint(section);
  test->processor_time = pathprof_get_varint(section);
  test->elapsed_time = pathprof_get_varint(section);
  test->counts = get_list(section);
  test->forests = get_list(section);
  return pathprof_cursor_ok(section);
}

void pathprof_put_test(struct pathprof_buffer *section, const struct pathprof_test *test) {
  pathprof_put_string(section, test->name.data, test->name.size);
  pathprof_put_varint(section, test->runs);
  pathprof_put_varint(section, test->processor_time);
  pathprof_put_varint(section, test->elapsed_time);
  pathprof_put_string(section, test->counts.data, test->counts.end);
  pathprof_put_string(section, test->forests.data, test->forests.end);
}

/* ---- lists of units ---- */

struct pathprof_test_units pathprof_open_test_units(struct pathprof_cursor *list) {
  struct pathprof_test_units units = {list, pathprof_cursor_left(list) ? pathprof_get_varint(list) : 0, UINT64_MAX};
  return units;
}

bool pathprof_next_test_unit(struct pathprof_test_units *units, uint64_t num_units) {
  if (!pathprof_cursor_ok(units->list))
    return false;
  if (!units->left) {
    if (pathprof_cursor_left(units->list))
      pathprof_cursor_fail(units->list, "unexpected data after the last unit of a test");
    return false;
  }
  units->left--;
  units->index = pathprof_get_increasing(units->list, units->index);
  if (pathprof_cursor_ok(units->list) && units->index >= num_units)
    pathprof_cursor_fail(units->list, "a test has counts for an unknown unit");
  return pathprof_cursor_ok(units->list);
}

void pathprof_begin_test_list(struct pathprof_test_list *list) {
  list->units.size = 0;
  list->num_units = 0;
  list->previous = UINT64_MAX;
}

void pathprof_put_test_unit(struct pathprof_test_list *list, uint64_t index, const void *functions, size_t size) {
  pathprof_put_varint(&list->units, index - (list->previous + 1));
  pathprof_put_bytes(&list->units, functions, size);
  list->previous = index;
  list->num_units++;
}

/* Writes no bytes for an empty list.  */
void pathprof_end_test_list(const struct pathprof_test_list *list, struct pathprof_buffer *out) {
  if (list->num_units)
    pathprof_put_varint(out, list->num_units);
  pathprof_put_bytes(out, list->units.data, list->units.size);
  out->failed |= list->units.failed;
}

/* ---- one test ---- */

void pathprof_skip_counts(struct pathprof_cursor *cursor) {
  uint64_t n = pathprof_get_varint(cursor);
  struct pathprof_function_counts function = {UINT64_MAX, 0};
  for (uint64_t i = 0; i < n && pathprof_cursor_ok(cursor); i++) {
    uint64_t id = UINT64_MAX, count;
    pathprof_get_function(cursor, function.index, &function);
    for (uint64_t path = 0; path < function.num_paths && pathprof_cursor_ok(cursor); path++)
      id = pathprof_get_path(cursor, id, &count);
  }
}

void pathprof_skip_forests(struct pathprof_cursor *cursor) {
  uint64_t n = pathprof_get_varint(cursor);
  struct pathprof_forest_walk walk;
  walk.cursor = cursor;
  walk.index = UINT64_MAX;
  for (uint64_t i = 0; i < n && pathprof_cursor_ok(cursor); i++) {
    pathprof_get_forest(&walk);
    while (pathprof_get_node(&walk))
      ;
  }
}

static void check_list(struct pathprof_cursor *list, uint64_t num_units, void (*skip)(struct pathprof_cursor *),
                       struct pathprof_cursor *section) {
  struct pathprof_test_units units = pathprof_open_test_units(list);
  while (pathprof_next_test_unit(&units, num_units))
    skip(list);
  if (!pathprof_cursor_ok(list) && pathprof_cursor_ok(section))
    section->error = list->error;
}

void pathprof_check_tests(struct pathprof_cursor *section, uint64_t num_units) {
  struct pathprof_test test;
  memset(&test, 0, sizeof test);
  uint64_t left = pathprof_open_tests(section);
  while (pathprof_next_test(section, &left, &test)) {
    check_list(&test.counts, num_units, pathprof_skip_counts, section);
    check_list(&test.forests, num_units, pathprof_skip_forests, section);
  }
}

/* Writes a list of the units that have data in a section.  */
static void put_list(struct pathprof_buffer *out, const struct pathprof_buffer *section, uint64_t num_units,
                     void (*skip)(struct pathprof_cursor *)) {
  struct pathprof_cursor at = pathprof_cursor_over(section->data, section->size, 0);
  struct pathprof_test_list list = {{0}, 0, UINT64_MAX};
  for (uint64_t i = 0; i < num_units && pathprof_cursor_ok(&at); i++) {
    size_t begin = at.pos;
    skip(&at);
    if (at.pos > begin + 1) /* the unit has at least one function */
      pathprof_put_test_unit(&list, i, section->data + begin, at.pos - begin);
  }
  pathprof_end_test_list(&list, out);
  pathprof_buffer_free(&list.units);
}

void pathprof_put_only_test(struct pathprof_writer *writer, uint64_t num_units, const struct pathprof_test *test) {
  struct pathprof_buffer counts = {0}, forests = {0}, *out = &writer->section[PATHPROF_SECTION_TESTS];
  struct pathprof_test put = *test;
  put_list(&counts, &writer->section[PATHPROF_SECTION_COUNTS], num_units, pathprof_skip_counts);
  if (writer->has_forests)
    put_list(&forests, &writer->section[PATHPROF_SECTION_FORESTS], num_units, pathprof_skip_forests);
  put.counts = pathprof_cursor_over(counts.data, counts.size, 0);
  put.forests = pathprof_cursor_over(forests.data, forests.size, 0);
  pathprof_put_varint(out, 1);
  pathprof_put_test(out, &put);
  out->failed |= counts.failed | forests.failed;
  writer->has_tests = true;
  pathprof_buffer_free(&counts);
  pathprof_buffer_free(&forests);
}
