/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges two profile images.  */
#include "profile/format/merge.h"

#include <string.h>

#include "profile/format/merge_sums.h"
#include "profile/format/merge_tests.h"
#include "profile/format/saturate.h"

static const enum pathprof_section sum_sections[] = {PATHPROF_SECTION_COUNTS, PATHPROF_SECTION_CYCLES,
                                                     PATHPROF_SECTION_MEASURING};

/* The two input images and the output image.  */
struct merger {
  struct pathprof_cursor units[2];
  struct pathprof_cursor sums[PATHPROF_NUM_SECTIONS][2]; /* cursors over the sections with the layout of section 3 */
  struct pathprof_cursor forests[2];
  struct pathprof_cursor tests[2];
  struct pathprof_sum_merger of_unit;
  struct pathprof_test_merger of_tests;
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
    pathprof_note_merged_unit(&merger->of_tests, has, merged);
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
  merger.out.has_tests = pathprof_merge_tests(&merger.of_tests, &merger.of_unit, merger.tests,
                                              &merger.out.section[PATHPROF_SECTION_TESTS]) != 0;
  pathprof_test_merger_free(&merger.of_tests);
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
