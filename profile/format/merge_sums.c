/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Merges the data of one unit from two profiles.  */
#include "profile/format/merge_sums.h"

#include "profile/format/image.h"
#include "profile/format/saturate.h"

/* Appends the number of functions and their merged data.  */
static void put_functions(const struct pathprof_sum_merger *merger, uint64_t num_functions,
                          struct pathprof_buffer *out) {
  pathprof_put_varint(out, num_functions);
  pathprof_put_bytes(out, merger->functions.data, merger->functions.size);
  out->failed |= merger->functions.failed;
}

/* ---- counts, and data with the same layout ---- */

/* Iterates over the functions of a unit in one profile.  */
struct side {
  struct pathprof_cursor *cursor;
  uint64_t weight;
  uint64_t left; /* number of functions not yet loaded */
  struct pathprof_function_counts function;
  bool loaded;
};

static struct side open_side(struct pathprof_cursor *cursor, uint64_t weight) {
  struct side side = {cursor, weight, cursor ? pathprof_get_varint(cursor) : 0, {UINT64_MAX, 0}, false};
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
  uint64_t left; /* number of remaining paths, including the current path */
};

static void load_path(struct side *side, struct path *path) {
  if (!path->left)
    return;
  path->id = pathprof_get_path(side->cursor, path->id, &path->count);
  if (!pathprof_cursor_ok(side->cursor))
    path->left = 0;
}

/* Merges the paths of one function.  `has[s]` is true if profile s has counts for the function.  */
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
        count = pathprof_add_weighted(count, path[s].count, sides[s].weight);
        path[s].left--;
        load_path(&sides[s], &path[s]);
      }
    if (!count)
      continue; /* omit the path, because its weight is 0 or its counts cancel out */
    pathprof_put_path(out, previous, id, count);
    previous = id;
    merged++;
  }
  return merged;
}

uint64_t pathprof_merge_unit_sums(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                  struct pathprof_buffer *out) {
  struct side sides[2];
  uint64_t previous = UINT64_MAX, merged = 0;
  merger->functions.size = 0;
  for (int s = 0; s < 2; s++)
    sides[s] = open_side(cursors[s], merger->weight[s]);
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
    pathprof_put_function(&merger->functions, previous, index, num_paths);
    pathprof_put_bytes(&merger->functions, merger->paths.data, merger->paths.size);
    merger->functions.failed |= merger->paths.failed;
    previous = index;
    merged++;
  }
  put_functions(merger, merged, out);
  return merged;
}

/* ---- forests ---- */

/* Iterates over the forests of a unit in one profile.  `left` is the number of functions that have not been loaded
 * yet.  */
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

/* Merges the forests of the function `index`, which has a forest in at least one of the profiles.  Returns false if the
 * result has no nodes.  */
static bool merge_forest(struct pathprof_sum_merger *merger, struct forest_side *sides, uint64_t index,
                         uint64_t *flags) {
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

uint64_t pathprof_merge_unit_forests(struct pathprof_sum_merger *merger, struct pathprof_cursor *cursors[2],
                                     struct pathprof_buffer *out) {
  struct forest_side sides[2];
  uint64_t previous = UINT64_MAX, merged = 0, flags;
  merger->functions.size = 0;
  for (int s = 0; s < 2; s++)
    open_forests(&sides[s], cursors[s]);
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
    pathprof_put_forest(&merger->functions, previous, index, flags, &merger->forest);
    previous = index;
    merged++;
  }
  put_functions(merger, merged, out);
  return merged;
}

void pathprof_sum_merger_free(struct pathprof_sum_merger *merger) {
  pathprof_buffer_free(&merger->functions);
  pathprof_buffer_free(&merger->paths);
  pathprof_buffer_free(&merger->forest.nodes);
}
