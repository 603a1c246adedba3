/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges two sequences of tests that are sorted by name.  The units of a test are merged in the same way.  */
#include "profile/format/merge_tests.h"

#include <string.h>

#include "profile/format/saturate.h"

void pathprof_test_merger_free(struct pathprof_test_merger *merger) {
  pathprof_buffer_free(&merger->places[0]);
  pathprof_buffer_free(&merger->places[1]);
  pathprof_buffer_free(&merger->list.units);
  pathprof_buffer_free(&merger->functions);
  pathprof_buffer_free(&merger->counts);
  pathprof_buffer_free(&merger->forests);
}

static uint64_t num_units(const struct pathprof_test_merger *merger, int side) {
  return merger->places[side].size / sizeof(uint64_t);
}

void pathprof_note_merged_unit(struct pathprof_test_merger *merger, const bool has[2], uint64_t place) {
  for (int s = 0; s < 2; s++) {
    if (!has[s])
      continue;
    merger->has_moved[s] |= num_units(merger, s) != place;
    pathprof_put_bytes(&merger->places[s], &place, sizeof place);
  }
}

/* ---- one test ---- */

typedef uint64_t (*merge_unit)(struct pathprof_sum_merger *, struct pathprof_cursor *[2], struct pathprof_buffer *);

/* Iterates over the units of a test in one profile.  `place` is the index of the current unit in the merged profile, or
 * UINT64_MAX after the last unit.  */
struct side {
  struct pathprof_test_units units;
  uint64_t place;
};

static void step(const struct pathprof_test_merger *merger, struct side *side, int s) {
  side->place = UINT64_MAX;
  if (side->units.list && pathprof_next_test_unit(&side->units, num_units(merger, s)))
    memcpy(&side->place, merger->places[s].data + side->units.index * sizeof side->place, sizeof side->place);
}

/* Merges two lists of units.  If profile s does not contain the test, lists[s] is null.  */
static void merge_lists(struct pathprof_test_merger *merger, struct pathprof_sum_merger *of_unit,
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
static void merge_test(struct pathprof_test_merger *merger, struct pathprof_sum_merger *of_unit,
                       struct pathprof_test *tests[2], struct pathprof_cursor sections[2], struct pathprof_test *sum) {
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

/* ---- all tests ---- */

/* Returns true if the test has no data left because its weight is 0.  */
static bool is_nothing(const struct pathprof_test *test) {
  return !test->runs && !test->processor_time && !test->elapsed_time && !test->counts.end && !test->forests.end;
}

uint64_t pathprof_merge_tests(struct pathprof_test_merger *merger, struct pathprof_sum_merger *of_unit,
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
