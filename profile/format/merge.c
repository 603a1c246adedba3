/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
#include "profile/format/merge.h"

#include <string.h>

#include "profile/format/forest.h"
#include "profile/format/saturate.h"

static const enum pathprof_section sum_sections[] = {PATHPROF_SECTION_COUNTS, PATHPROF_SECTION_CYCLES,
                                                     PATHPROF_SECTION_MEASURING};

/* The two inputs, the one output, and what a function's merged paths are collected in before their
 * number is known.  */
struct merger {
  struct pathprof_cursor units[2];
  struct pathprof_cursor sums[PATHPROF_NUM_SECTIONS][2]; /* of the sections that are laid out as the counts */
  struct pathprof_cursor forests[2];
  uint64_t weight[2];
  struct pathprof_writer out;
  struct pathprof_buffer paths;
  struct pathprof_buffer functions; /* of a unit, likewise */
  struct pathprof_forest_put forest;
};

static int compare_text(struct pathprof_text a, struct pathprof_text b) {
  size_t n = a.size < b.size ? a.size : b.size;
  int order = n ? memcmp(a.data, b.data, n) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

/* ---- program section ---- */

static int compare_modules(const struct pathprof_module *a, const struct pathprof_module *b) {
  int order = compare_text(a->name, b->name);
  if (!order)
    order = compare_text(a->build_id, b->build_id);
  return order ? order : (a->units_key > b->units_key) - (a->units_key < b->units_key);
}

/* Modules are sorted; a module in both inputs appears once.  */
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
  sum.name = program[compare_text(program[0].name, program[1].name) > 0].name;
  sum.runs = sum.forks = sum.resets = sum.sudden_ends = 0;
  for (int side = 0; side < 2; side++) {
    uint64_t weight = merger->weight[side];
    sum.runs = pathprof_saturating_add(sum.runs, pathprof_saturating_mul(program[side].runs, weight));
    sum.forks = pathprof_saturating_add(sum.forks, pathprof_saturating_mul(program[side].forks, weight));
    sum.resets = pathprof_saturating_add(sum.resets, pathprof_saturating_mul(program[side].resets, weight));
    sum.sudden_ends =
        pathprof_saturating_add(sum.sudden_ends, pathprof_saturating_mul(program[side].sudden_ends, weight));
  }
  struct pathprof_buffer modules = {0};
  uint64_t num_modules[2] = {program[0].num_modules, program[1].num_modules};
  merge_modules(&modules, in, num_modules, &sum.num_modules);
  struct pathprof_program_more more = {0};
  for (int side = 0; side < 2; side++) {
    struct pathprof_program_more one;
    pathprof_get_program_more(&in[side], &one);
    more.threaded = pathprof_saturating_add(more.threaded, pathprof_saturating_mul(one.threaded, merger->weight[side]));
    more.switched = pathprof_saturating_add(more.switched, pathprof_saturating_mul(one.switched, merger->weight[side]));
  }
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_PROGRAM];
  pathprof_put_program(out, &sum);
  pathprof_put_bytes(out, modules.data, modules.size);
  pathprof_put_program_more(out, &more);
  out->failed |= modules.failed;
  pathprof_buffer_free(&modules);
}

/* ---- counts, cycles and what it cost to measure them ---- */

/* A walk over the functions of one unit on one side, with their paths.  */
struct side {
  struct pathprof_cursor *cursor;
  uint64_t weight;
  uint64_t left; /* functions not yet loaded */
  struct pathprof_function_counts function;
  bool loaded;
};

static struct side open_side(struct pathprof_cursor *cursor, uint64_t weight) {
  struct side side = {cursor, weight, pathprof_get_varint(cursor), {UINT64_MAX, 0}, false};
  return side;
}

static void load_function(struct side *side) {
  if (side->loaded || !side->left || !pathprof_cursor_ok(side->cursor))
    return;
  pathprof_get_function(side->cursor, side->function.index, &side->function);
  side->left--;
  side->loaded = pathprof_cursor_ok(side->cursor);
}

struct path {
  uint64_t id;
  uint64_t count;
  uint64_t left; /* paths not yet loaded, this one included */
};

static void load_path(struct side *side, struct path *path) {
  if (!path->left)
    return;
  path->id = pathprof_get_path(side->cursor, path->id, &path->count);
  if (side->weight != 1)
    path->count = pathprof_saturating_mul(path->count, side->weight);
  if (!pathprof_cursor_ok(side->cursor))
    path->left = 0;
}

/* Merges the paths of one function; a side that does not have it has no paths.  */
static uint64_t merge_paths(struct pathprof_buffer *out, struct side *sides, const bool has[2]) {
  struct path path[2];
  uint64_t previous = UINT64_MAX, merged = 0;
  for (int s = 0; s < 2; s++) {
    path[s] = (struct path){UINT64_MAX, 0, has[s] ? sides[s].function.num_paths : 0};
    load_path(&sides[s], &path[s]);
  }
  while (path[0].left || path[1].left) {
    uint64_t id = !path[0].left             ? path[1].id
                  : !path[1].left           ? path[0].id
                  : path[0].id < path[1].id ? path[0].id
                                            : path[1].id;
    uint64_t count = 0;
    for (int s = 0; s < 2; s++)
      if (path[s].left && path[s].id == id) {
        count = pathprof_saturating_add(count, path[s].count);
        path[s].left--;
        load_path(&sides[s], &path[s]);
      }
    if (!count)
      continue; /* a weight of 0 */
    pathprof_put_path(out, previous, id, count);
    previous = id;
    merged++;
  }
  return merged;
}

/* Merges the functions of one unit; `has[s]` says whether side s knows the unit.  */
static void merge_functions(struct merger *merger, enum pathprof_section section, const bool has[2]) {
  struct side sides[2];
  struct pathprof_buffer *out = &merger->out.section[section];
  struct pathprof_cursor *cursors = merger->sums[section];
  struct pathprof_buffer *functions = &merger->functions;
  uint64_t previous = UINT64_MAX, merged = 0;
  functions->size = 0;
  for (int s = 0; s < 2; s++) {
    memset(&sides[s], 0, sizeof sides[s]);
    sides[s].cursor = &cursors[s];
    if (has[s] && cursors[s].data)
      sides[s] = open_side(&cursors[s], merger->weight[s]);
  }
  for (;;) {
    load_function(&sides[0]);
    load_function(&sides[1]);
    if (!sides[0].loaded && !sides[1].loaded)
      break;
    uint64_t index = UINT64_MAX;
    for (int s = 0; s < 2; s++)
      if (sides[s].loaded && sides[s].function.index < index)
        index = sides[s].function.index;
    bool in[2];
    for (int s = 0; s < 2; s++)
      in[s] = sides[s].loaded && sides[s].function.index == index;
    merger->paths.size = 0;
    uint64_t num_paths = merge_paths(&merger->paths, sides, in);
    for (int s = 0; s < 2; s++)
      sides[s].loaded &= !in[s];
    if (!num_paths)
      continue;
    pathprof_put_function(functions, previous, index, num_paths);
    pathprof_put_bytes(functions, merger->paths.data, merger->paths.size);
    functions->failed |= merger->paths.failed;
    previous = index;
    merged++;
  }
  pathprof_put_varint(out, merged);
  pathprof_put_bytes(out, functions->data, functions->size);
  out->failed |= functions->failed;
  merger->out.has_cycles |= section == PATHPROF_SECTION_CYCLES && merged;
  merger->out.has_measuring |= section == PATHPROF_SECTION_MEASURING && merged;
}

/* ---- forests ---- */

/* A walk over the forests of one unit on one side; `left`: functions not yet loaded.  */
struct forest_side {
  struct pathprof_forest_walk walk;
  uint64_t left;
  bool loaded;
};

static void open_forests(struct forest_side *side, struct pathprof_cursor *cursor) {
  side->walk.cursor = cursor;
  side->walk.index = UINT64_MAX;
  side->walk.left = side->walk.flags = 0;
  side->left = cursor ? pathprof_get_varint(cursor) : 0;
  side->loaded = false;
}

static void load_forest(struct forest_side *side) {
  if (side->loaded || !side->left || !pathprof_cursor_ok(side->walk.cursor))
    return;
  pathprof_get_forest(&side->walk);
  side->left--;
  side->loaded = pathprof_cursor_ok(side->walk.cursor);
}

/* The forest of the function with this index, which at least one side has.  False if nothing is left of it.  */
static bool merge_forest(struct merger *merger, struct forest_side *sides, uint64_t index, uint64_t *flags) {
  struct pathprof_forest_walk walks[2];
  *flags = 0;
  for (int s = 0; s < 2; s++) {
    bool in = sides[s].loaded && sides[s].walk.index == index;
    walks[s] = sides[s].walk;
    if (!in) {
      walks[s].cursor = NULL;
      continue;
    }
    sides[s].loaded = false;
    *flags |= merger->weight[s] ? walks[s].flags : 0;
  }
  pathprof_merge_forests(walks, merger->weight, &merger->forest);
  return merger->forest.num_nodes != 0;
}

static void merge_unit_forests(struct merger *merger, const bool has[2]) {
  struct forest_side sides[2];
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_FORESTS];
  struct pathprof_buffer *functions = &merger->functions;
  uint64_t previous = UINT64_MAX, merged = 0, flags;
  functions->size = 0;
  for (int s = 0; s < 2; s++)
    open_forests(&sides[s], has[s] && merger->forests[s].data ? &merger->forests[s] : NULL);
  for (;;) {
    load_forest(&sides[0]);
    load_forest(&sides[1]);
    if (!sides[0].loaded && !sides[1].loaded)
      break;
    uint64_t index = UINT64_MAX;
    for (int s = 0; s < 2; s++)
      if (sides[s].loaded && sides[s].walk.index < index)
        index = sides[s].walk.index;
    if (!merge_forest(merger, sides, index, &flags))
      continue;
    pathprof_put_forest(functions, previous, index, flags, &merger->forest);
    previous = index;
    merged++;
  }
  pathprof_put_varint(out, merged);
  pathprof_put_bytes(out, functions->data, functions->size);
  out->failed |= functions->failed;
  merger->out.has_forests |= merged != 0;
}

/* ---- units ---- */

/* Profiles of one build have the same units, and so has their sum.  */
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
    merged++;
    for (size_t i = 0; i < sizeof sum_sections / sizeof *sum_sections; i++)
      merge_functions(merger, sum_sections[i], has);
    merge_unit_forests(merger, has);
    loaded[0] &= !has[0];
    loaded[1] &= !has[1];
  }
  struct pathprof_buffer *out = &merger->out.section[PATHPROF_SECTION_UNITS];
  if (are_put) {
    out->size -= pathprof_cursor_left(&merger->units[0]); /* of a later minor version */
  } else {
    pathprof_put_varint(out, merged);
    pathprof_put_bytes(out, notes.data, notes.size);
    out->failed |= notes.failed;
  }
  pathprof_buffer_free(&notes);
}

/* ---- all of it ---- */

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
  merger.weight[0] = weight_a;
  merger.weight[1] = weight_b;
  struct pathprof_cursor programs[2] = {a->section[PATHPROF_SECTION_PROGRAM], b->section[PATHPROF_SECTION_PROGRAM]};
  merger.units[0] = a->section[PATHPROF_SECTION_UNITS];
  merger.units[1] = b->section[PATHPROF_SECTION_UNITS];
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++) {
    merger.sums[type][0] = a->section[type];
    merger.sums[type][1] = b->section[type];
  }
  merger.forests[0] = a->section[PATHPROF_SECTION_FORESTS];
  merger.forests[1] = b->section[PATHPROF_SECTION_FORESTS];
  merge_programs(&merger, programs);
  merge_units(&merger);
  pathprof_buffer_free(&merger.paths);
  pathprof_buffer_free(&merger.functions);
  pathprof_buffer_free(&merger.forest.nodes);
  bool is_wrong = report(programs, error, in_second) || report(merger.units, error, in_second);
  for (size_t i = 0; !is_wrong && i < sizeof sum_sections / sizeof *sum_sections; i++)
    is_wrong = report(merger.sums[sum_sections[i]], error, in_second);
  if (is_wrong || report(merger.forests, error, in_second)) {
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
