/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges two profile images.  Their programs, units and tests are sorted, and so are the counts of each unit.  */
#include "profile/format/merge.h"

#include <string.h>

#include "profile/format/merge_sums.h"
#include "profile/format/saturate.h"
#include "profile/format/tests.h"

static const enum pathprof_section sum_sections[] = {PATHPROF_SECTION_COUNTS, PATHPROF_SECTION_CYCLES,
                                                     PATHPROF_SECTION_MEASURING};

/* ---- tests: sequences that are sorted by name.  The units of a test are merged in the same way.  ---- */

/* State of the merge of tests.  All fields must be zero before the first use.  */
struct test_merger {
  struct pathprof_buffer places[2]; /* for each unit of a profile, its index in the merged profile (8 bytes) */
  bool has_moved[2];                /* true if any unit has a different index in the merged profile */
  struct pathprof_test_list list;
  struct pathprof_buffer functions, counts, forests;
};

static void free_test_merger(struct test_merger *merger) {
  pathprof_buffer_free(&merger->places[0]);
  pathprof_buffer_free(&merger->places[1]);
  pathprof_buffer_free(&merger->list.units);
  pathprof_buffer_free(&merger->functions);
  pathprof_buffer_free(&merger->counts);
  pathprof_buffer_free(&merger->forests);
}

static uint64_t num_units(const struct test_merger *merger, int side) {
  return merger->places[side].size / sizeof(uint64_t);
}

/* Records `place` as the index of a unit in the merged profile.  If has[s] is true, the unit is the next unit of
 * profile s.  */
static void note_merged_unit(struct test_merger *merger, const bool has[2], uint64_t place) {
  for (int s = 0; s < 2; s++) {
    if (!has[s])
      continue;
    merger->has_moved[s] |= num_units(merger, s) != place;
    pathprof_put_bytes(&merger->places[s], &place, sizeof place);
  }
}

typedef uint64_t (*merge_unit)(struct pathprof_sum_merger *, struct pathprof_cursor *[2], struct pathprof_buffer *);

/* Iterates over the units of a test in one profile.  `place` is the index of the current unit in the merged profile, or
 * UINT64_MAX after the last unit.  */
struct side {
  struct pathprof_test_units units;
  uint64_t place;
};

static void step(const struct test_merger *merger, struct side *side, int s) {
  side->place = UINT64_MAX;
  if (side->units.list && pathprof_next_test_unit(&side->units, num_units(merger, s)))
    memcpy(&side->place, merger->places[s].data + side->units.index * sizeof side->place, sizeof side->place);
}

/* Merges two lists of units.  If profile s does not contain the test, lists[s] is null.  */
static void merge_lists(struct test_merger *merger, struct pathprof_sum_merger *of_unit,
                        struct pathprof_cursor *lists[2], merge_unit merge, struct pathprof_buffer *out) {
  struct side sides[2];
  pathprof_begin_test_list(&merger->list);
  for (int s = 0; s < 2; s++) {
    memset(&sides[s], 0, sizeof sides[s]);
    if (lists[s])
      sides[s].units = pathprof_open_test_units(lists[s]);
    step(merger, &sides[s], s);
  }
  while (sides[0].place != UINT64_MAX || sides[1].place != UINT64_MAX) {
    uint64_t place = sides[0].place < sides[1].place ? sides[0].place : sides[1].place;
    struct pathprof_cursor *cursors[2];
    for (int s = 0; s < 2; s++)
      cursors[s] = sides[s].place == place ? lists[s] : NULL;
    merger->functions.size = 0;
    if (merge(of_unit, cursors, &merger->functions))
      pathprof_put_test_unit(&merger->list, place, merger->functions.data, merger->functions.size);
    merger->list.units.failed |= merger->functions.failed;
    for (int s = 0; s < 2; s++)
      if (cursors[s])
        step(merger, &sides[s], s);
  }
  out->size = 0;
  pathprof_end_test_list(&merger->list, out);
}

/* Combines a test that is in both profiles, or copies a test that is in one profile.  If profile s does not contain the
 * test, tests[s] is null.  Copies the first error in a list of the test to the cursor of the section that contains the
 * list.  */
static void merge_test(struct test_merger *merger, struct pathprof_sum_merger *of_unit, struct pathprof_test *tests[2],
                       struct pathprof_cursor sections[2], struct pathprof_test *sum) {
  struct pathprof_cursor *counts[2], *forests[2];
  memset(sum, 0, sizeof *sum);
  for (int s = 0; s < 2; s++) {
    counts[s] = tests[s] ? &tests[s]->counts : NULL;
    forests[s] = tests[s] ? &tests[s]->forests : NULL;
    if (!tests[s])
      continue;
    uint64_t weight = of_unit->weight[s];
    sum->name = tests[s]->name;
    sum->runs = pathprof_add_weighted(sum->runs, tests[s]->runs, weight);
    sum->processor_time = pathprof_add_weighted(sum->processor_time, tests[s]->processor_time, weight);
    sum->elapsed_time = pathprof_add_weighted(sum->elapsed_time, tests[s]->elapsed_time, weight);
  }
  merge_lists(merger, of_unit, counts, pathprof_merge_unit_sums, &merger->counts);
  merge_lists(merger, of_unit, forests, pathprof_merge_unit_forests, &merger->forests);
  sum->counts = pathprof_cursor_over(merger->counts.data, merger->counts.size, 0);
  sum->forests = pathprof_cursor_over(merger->forests.data, merger->forests.size, 0);
  for (int s = 0; s < 2; s++)
    for (int list = 0; tests[s] && list < 2; list++) {
      struct pathprof_cursor *cursor = list ? forests[s] : counts[s];
      if (!pathprof_cursor_ok(cursor) && pathprof_cursor_ok(&sections[s]))
        sections[s].error = cursor->error;
    }
}

/* Returns true if the test has no data left because its weight is 0.  */
static bool is_nothing(const struct pathprof_test *test) {
  return !test->runs && !test->processor_time && !test->elapsed_time && !test->counts.end && !test->forests.end;
}

/* Appends the tests section and advances the cursors.  Combines tests with the same name.  `of_unit` contains the
 * weights.  Returns the number of tests.  Errors in the data are recorded in the cursors.  */
static uint64_t merge_tests(struct test_merger *merger, struct pathprof_sum_merger *of_unit,
                            struct pathprof_cursor tests[2], struct pathprof_buffer *out) {
  struct pathprof_test test[2], sum;
  struct pathprof_buffer merged = {0};
  uint64_t left[2], num_merged = 0;
  bool loaded[2];
  memset(test, 0, sizeof test);
  for (int s = 0; s < 2; s++) {
    left[s] = pathprof_open_tests(&tests[s]);
    loaded[s] = pathprof_next_test(&tests[s], &left[s], &test[s]);
  }
  while (loaded[0] || loaded[1]) {
    int order = !loaded[0] ? 1 : !loaded[1] ? -1 : pathprof_compare_texts(test[0].name, test[1].name);
    bool in[2] = {order <= 0, order >= 0};
    struct pathprof_test *both[2] = {in[0] ? &test[0] : NULL, in[1] ? &test[1] : NULL};
    int only = order > 0;
    bool as_it_is = order && of_unit->weight[only] == 1 && !merger->has_moved[only];
    if (!as_it_is)
      merge_test(merger, of_unit, both, tests, &sum);
    if (as_it_is || !is_nothing(&sum)) {
      pathprof_put_test(&merged, as_it_is ? &test[only] : &sum);
      num_merged++;
    }
    for (int s = 0; s < 2; s++)
      if (in[s])
        loaded[s] = pathprof_next_test(&tests[s], &left[s], &test[s]);
  }
  if (num_merged)
    pathprof_put_varint(out, num_merged);
  pathprof_put_bytes(out, merged.data, merged.size);
  out->failed |= merged.failed | merger->counts.failed | merger->forests.failed | merger->places[0].failed |
                 merger->places[1].failed;
  pathprof_buffer_free(&merged);
  return num_merged;
}

/* The two input images and the output image.  */
struct merger {
  struct pathprof_cursor units[2];
  struct pathprof_cursor sums[PATHPROF_NUM_SECTIONS][2]; /* cursors over the sections with the layout of section 3 */
  struct pathprof_cursor forests[2];
  struct pathprof_cursor tests[2];
  struct pathprof_sum_merger of_unit;
  struct test_merger of_tests;
  struct pathprof_writer out;
};

/* ---- program section ---- */

static int compare_modules(const struct pathprof_module *a, const struct pathprof_module *b) {
  int order = pathprof_compare_texts(a->name, b->name);
  if (!order)
    order = pathprof_compare_texts(a->build_id, b->build_id);
  return order ? order : (a->units_key > b->units_key) - (a->units_key < b->units_key);
}

/* Merges two sorted lists of modules.  A module in both lists appears once in the result.  */
static void merge_modules(struct pathprof_buffer *out, struct pathprof_cursor in[2], const uint64_t num_modules[2],
                          uint64_t *merged) {
  struct pathprof_module module[2];
  uint64_t left[2] = {num_modules[0], num_modules[1]};
  bool loaded[2] = {false, false};
  *merged = 0;
  for (;;) {
    for (int side = 0; side < 2; side++)
      if (!loaded[side] && left[side]) {
        pathprof_get_module(&in[side], &module[side]);
        if (!pathprof_cursor_ok(&in[side]))
          return;
        loaded[side] = true;
        left[side]--;
      }
    if (!loaded[0] && !loaded[1])
      return;
    int order = !loaded[0] ? 1 : !loaded[1] ? -1 : compare_modules(&module[0], &module[1]);
    pathprof_put_module(out, &module[order > 0]);
    ++*merged;
    if (order <= 0)
      loaded[0] = false;
    if (order >= 0)
      loaded[1] = false;
  }
}

static void merge_programs(struct merger *merger, struct pathprof_cursor in[2]) {
  struct pathprof_program program[2], sum;
  for (int side = 0; side < 2; side++)
    pathprof_get_program(&in[side], &program[side]);
  sum.name = program[pathprof_compare_texts(program[0].name, program[1].name) > 0].name;
  sum.runs = sum.forks = sum.resets = sum.sudden_ends = 0;
  for (int side = 0; side < 2; side++) {
    uint64_t weight = merger->of_unit.weight[side];
    sum.runs = pathprof_add_weighted(sum.runs, program[side].runs, weight);
    sum.forks = pathprof_add_weighted(sum.forks, program[side].forks, weight);
    sum.resets = pathprof_add_weighted(sum.resets, program[side].resets, weight);
    sum.sudden_ends = pathprof_add_weighted(sum.sudden_ends, program[side].sudden_ends, weight);
  }
  struct pathprof_buffer modules = {0};
  uint64_t num_modules[2] = {program[0].num_modules, program[1].num_modules};
  merge_modules(&modules, in, num_modules, &sum.num_modules);
  struct pathprof_program_more more = {0};
  for (int side = 0; side < 2; side++) {
    struct pathprof_program_more one;
    pathprof_get_program_more(&in[side], &one);
    more.threaded = pathprof_add_weighted(more.threaded, one.threaded, merger->of_unit.weight[side]);
    more.switched = pathprof_add_weighted(more.switched, one.switched, merger->of_unit.weight[side]);
  }
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_PROGRAM];
  pathprof_put_program(out, &sum);
  pathprof_put_bytes(out, modules.data, modules.size);
  pathprof_put_program_more(out, &more);
  out->failed |= modules.failed;
  pathprof_buffer_free(&modules);
}

/* ---- units ---- */

/* Merges the counts of a unit.  `has[s]` is true if image s contains the unit.  */
static void merge_counts(struct merger *merger, const bool has[2]) {
  struct pathprof_cursor *cursors[2];
  for (size_t i = 0; i < sizeof sum_sections / sizeof *sum_sections; i++) {
    enum pathprof_section section = sum_sections[i];
    for (int s = 0; s < 2; s++)
      cursors[s] = has[s] && merger->sums[section][s].data ? &merger->sums[section][s] : NULL;
    uint64_t merged = pathprof_merge_unit_sums(&merger->of_unit, cursors, &merger->out.section[section]);
    merger->out.has_cycles |= section == PATHPROF_SECTION_CYCLES && merged;
    merger->out.has_measuring |= section == PATHPROF_SECTION_MEASURING && merged;
  }
  for (int s = 0; s < 2; s++)
    cursors[s] = has[s] && merger->forests[s].data ? &merger->forests[s] : NULL;
  merger->out.has_forests |=
      pathprof_merge_unit_forests(&merger->of_unit, cursors, &merger->out.section[PATHPROF_SECTION_FORESTS]) != 0;
}

/* If both images contain the same units, copies the units and returns true; otherwise, returns false.  Profiles of the
 * same build contain the same units.  */
static bool put_same_units(struct merger *merger) {
  const struct pathprof_cursor *units = merger->units;
  size_t size = pathprof_cursor_left(&units[0]);
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_UNITS];
  if (size != pathprof_cursor_left(&units[1]) || memcmp(units[0].data, units[1].data, size) != 0)
    return false;
  pathprof_expect(out, size);
  pathprof_put_bytes(out, units[0].data, size);
  return true;
}

static void merge_units(struct merger *merger) {
  uint64_t left[2], merged = 0;
  struct pathprof_unit_notes unit[2];
  bool loaded[2] = {false, false}, are_put = put_same_units(merger);
  struct pathprof_buffer notes = {0};
  for (int s = 0; s < 2; s++)
    left[s] = pathprof_get_varint(&merger->units[s]);
  for (;;) {
    for (int s = 0; s < 2; s++)
      if (!loaded[s] && left[s] && pathprof_cursor_ok(&merger->units[s])) {
        pathprof_get_unit(&merger->units[s], &unit[s]);
        left[s]--;
        loaded[s] = pathprof_cursor_ok(&merger->units[s]);
      }
    if (!loaded[0] && !loaded[1])
      break;
    int order = !loaded[0] ? 1 : !loaded[1] ? -1 : pathprof_compare_units(&unit[0], &unit[1]);
    bool has[2] = {order <= 0, order >= 0};
    if (!are_put)
      pathprof_put_unit(&notes, order ? &unit[order > 0] : pathprof_choose_unit(&unit[0], &unit[1]));
    note_merged_unit(&merger->of_tests, has, merged);
    merged++;
    merge_counts(merger, has);
    loaded[0] &= !has[0];
    loaded[1] &= !has[1];
  }
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_UNITS];
  if (are_put) {
    out->size -= pathprof_cursor_left(&merger->units[0]); /* removes data that a later minor version appended */
  } else {
    pathprof_put_varint(out, merged);
    pathprof_put_bytes(out, notes.data, notes.size);
    out->failed |= notes.failed;
  }
  pathprof_buffer_free(&notes);
}

/* ---- the complete images ---- */

static bool report(const struct pathprof_cursor *cursors, struct pathprof_error *error, bool *in_second) {
  for (int s = 0; s < 2; s++)
    if (!pathprof_cursor_ok(&cursors[s])) {
      *error = cursors[s].error;
      *in_second = s;
      return true;
    }
  return false;
}

bool pathprof_merge(const struct pathprof_image *a, uint64_t weight_a, const struct pathprof_image *b,
                    uint64_t weight_b, struct pathprof_buffer *file, struct pathprof_error *error, bool *in_second) {
  struct merger merger;
  memset(&merger, 0, sizeof merger);
  merger.of_unit.weight[0] = weight_a;
  merger.of_unit.weight[1] = weight_b;
  struct pathprof_cursor programs[2] = {a->section[PATHPROF_SECTION_PROGRAM], b->section[PATHPROF_SECTION_PROGRAM]};
  merger.units[0] = a->section[PATHPROF_SECTION_UNITS];
  merger.units[1] = b->section[PATHPROF_SECTION_UNITS];
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++) {
    merger.sums[type][0] = a->section[type];
    merger.sums[type][1] = b->section[type];
  }
  merger.forests[0] = a->section[PATHPROF_SECTION_FORESTS];
  merger.forests[1] = b->section[PATHPROF_SECTION_FORESTS];
  merger.tests[0] = a->section[PATHPROF_SECTION_TESTS];
  merger.tests[1] = b->section[PATHPROF_SECTION_TESTS];
  merge_programs(&merger, programs);
  merge_units(&merger);
  merger.out.has_tests =
      merge_tests(&merger.of_tests, &merger.of_unit, merger.tests, &merger.out.section[PATHPROF_SECTION_TESTS]) != 0;
  free_test_merger(&merger.of_tests);
  pathprof_sum_merger_free(&merger.of_unit);
  bool is_wrong = report(programs, error, in_second) || report(merger.units, error, in_second);
  for (size_t i = 0; !is_wrong && i < sizeof sum_sections / sizeof *sum_sections; i++)
    is_wrong = report(merger.sums[sum_sections[i]], error, in_second);
  if (is_wrong || report(merger.forests, error, in_second) || report(merger.tests, error, in_second)) {
    pathprof_writer_free(&merger.out);
    return false;
  }
  pathprof_writer_finish(&merger.out, file);
  if (file->failed) {
    *error = (struct pathprof_error){"not enough memory", 0};
    *in_second = false;
  }
  return !file->failed;
}
