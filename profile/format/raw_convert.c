/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Converts raw files to profiles.  A raw file can come from a process that ended at any moment, or from an untrusted
 * source, so the converter verifies all data.  */
#include "profile/format/raw_convert.h"

#include <string.h>

#include "profile/format/abi.h"
#include "profile/format/counts.h"
#include "profile/format/forest.h"
#include "profile/format/image.h"
#include "profile/format/raw_memory.h"
#include "profile/format/storage.h"
#include "profile/format/tests.h"
#include "profile/format/unit_sums.h"

/* The state of a conversion.  */
struct converter {
  struct pathprof_raw_memory memory;
  struct pathprof_buffer bases;          /* addresses of the counters section and of its copies for threads */
  struct pathprof_buffer counts, cycles; /* counts and cycles of the current function */
  struct pathprof_buffer *values;        /* buffer that is being filled: `counts` or `cycles` */
  struct pathprof_forest_sum forest;     /* forest of the current function */
  struct pathprof_forest_put put;
  struct pathprof_buffer chunks, places; /* chunks and sum nodes of the forest that is being read */
  struct pathprof_unit_sums sums;        /* counts of the current unit */
  struct pathprof_index index;
  uint64_t first, last;      /* range of the current unit's placements */
  uint64_t counters, tables; /* indices of the next function's first counter and table head */
};

/* The state of the conversion that is in progress.  It is too large for a small thread stack.  */
static struct converter *converter;

static bool fail(const char *reason, uint64_t offset) {
  return pathprof_raw_fail(&converter->memory, reason, offset);
}

/* ---- the copies of the section ---- */

static void add_base(uint64_t address) {
  pathprof_put_u64(&converter->bases, 0);
  if (!converter->bases.failed)
    memcpy(converter->bases.data + converter->bases.size - sizeof address, &address, sizeof address);
}

static bool find_bases(void) {
  struct pathprof_raw_copy copy = {converter->memory.header.copies, 0};
  add_base(converter->memory.header.areas[0].address);
  while (copy.next && pathprof_raw_has(&converter->memory, copy.next)) {
    const unsigned char *data = pathprof_raw_at(&converter->memory, copy.next, sizeof copy, true);
    if (!data)
      return false;
    memcpy(&copy, data, sizeof copy);
    if (pathprof_raw_has(&converter->memory, copy.address))
      add_base(copy.address);
  }
  return true;
}

/* ---- counts ---- */

static void add_count(uint64_t id, uint64_t value) {
  struct pathprof_count count = {id, value};
  if (value)
    pathprof_put_bytes(converter->values, &count, sizeof count);
}

static bool add_counters(uint64_t address, uint64_t n) {
  if (n > UINT64_MAX / sizeof(uint64_t))
    return fail("the notes do not match the counters", 0);
  const unsigned char *data = pathprof_raw_at(&converter->memory, address, n * sizeof(uint64_t), true);
  for (uint64_t i = 0; data && i < n; i++) {
    uint64_t value;
    memcpy(&value, data + i * sizeof value, sizeof value);
    add_count(i, value);
  }
  return data != NULL;
}

static bool add_slots(const unsigned char *data, uint64_t n) {
  bool cut_short = converter->index.storage != PATHPROF_STORAGE_TABLE;
  bool may_be_cut_short = converter->index.has_prefixes && converter->values == &converter->counts;
  for (uint64_t i = 0; i < n; i++) {
    struct pathprof_slot slot;
    memcpy(&slot, data + i * sizeof slot, sizeof slot);
    if (!slot.key || !slot.count)
      continue;
    uint64_t id = slot.key - 1;
    if (id >= converter->index.num_paths ? !may_be_cut_short : cut_short)
      return fail("the ID of an executed path is out of bounds",
                  (uint64_t)(data - converter->memory.data) + i * sizeof slot);
    add_count(id, slot.count);
  }
  return true;
}

static bool add_blocks(uint64_t address) {
  uint64_t most = UINT64_MAX;
  while (address && pathprof_raw_has(&converter->memory, address)) {
    struct pathprof_block block;
    const unsigned char *data = pathprof_raw_at(&converter->memory, address, sizeof block, true);
    if (!data)
      return false;
    memcpy(&block, data, sizeof block);
    if (block.mask > converter->memory.size / sizeof(struct pathprof_slot) || block.mask >= most)
      return fail("a block of slots is malformed", (uint64_t)(data - converter->memory.data));
    uint64_t n = block.mask + 1;
    data = pathprof_raw_at(&converter->memory, address + sizeof block, n * sizeof(struct pathprof_slot), true);
    if (!data || !add_slots(data, n))
      return false;
    most = block.mask;
    address = (uintptr_t)block.older;
  }
  return true;
}

static bool add_cache(const struct pathprof_table *table, uint64_t head_offset) {
  uint64_t address = (uintptr_t)table->cache, size = table->cache_size;
  if (!address || !pathprof_raw_has(&converter->memory, address))
    return true;
  if (size > converter->memory.size / sizeof(struct pathprof_slot))
    return fail("an inline cache is malformed", head_offset);
  const unsigned char *data = pathprof_raw_at(&converter->memory, address, size * sizeof(struct pathprof_slot), true);
  return data && add_slots(data, size);
}

static bool add_table(uint64_t address) {
  struct pathprof_table table;
  const unsigned char *data = pathprof_raw_at(&converter->memory, address, sizeof table, true);
  if (!data)
    return false;
  memcpy(&table, data, sizeof table);
  uint64_t offset = (uint64_t)(data - converter->memory.data);
  if (table.counters && pathprof_raw_has(&converter->memory, (uintptr_t)table.counters)) {
    if (table.num_paths > converter->index.num_paths)
      return fail("the counter array of a table is malformed", offset);
    if (!add_counters((uintptr_t)table.counters, table.num_paths))
      return false;
  }
  return add_cache(&table, offset) && add_blocks((uintptr_t)table.slots);
}

/* ---- forests ---- */

/* Collects the chunks of a forest.  Chunks that did not fit in the file are lost.  */
static bool find_chunks(uint64_t address) {
  converter->chunks.size = 0;
  while (address && pathprof_raw_has(&converter->memory, address)) {
    struct pathprof_chunk chunk;
    const unsigned char *data = pathprof_raw_at(&converter->memory, address, sizeof chunk, true);
    if (!data)
      return false;
    memcpy(&chunk, data, sizeof chunk);
    uint64_t n = chunk.used < chunk.size ? chunk.used : chunk.size, at = address + sizeof chunk;
    if (n > converter->memory.size / sizeof(struct pathprof_node) || (uintptr_t)data % sizeof(uint64_t))
      return fail("a chunk of nodes is malformed", (uint64_t)(data - converter->memory.data));
    data = pathprof_raw_at(&converter->memory, at, n * sizeof(struct pathprof_node), true);
    if (!data)
      return false;
    struct pathprof_chunk_ref ref = {at, 0, (const void *)data, n};
    pathprof_put_bytes(&converter->chunks, &ref, sizeof ref);
    address = (uintptr_t)chunk.older;
  }
  return !converter->chunks.failed || fail("not enough memory", 0);
}

static bool add_nodes(uint64_t root) {
  struct pathprof_chunk_ref *refs = (void *)converter->chunks.data;
  uint64_t n = converter->chunks.size / sizeof *refs, num_nodes = pathprof_number_chunks(refs, n);
  converter->places.size = 0;
  uint64_t *places = (void *)pathprof_reserve(&converter->places, num_nodes * sizeof *places + sizeof *places);
  if (!places)
    return fail("not enough memory", 0);
  const char *wrong = pathprof_place_nodes(&converter->forest, refs, n, root, converter->index.num_paths,
                                           pathprof_forest_depth(converter->index.forest_k), places);
  if (wrong)
    return fail(wrong, n ? (uint64_t)((const unsigned char *)refs->nodes - converter->memory.data) : 0);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t node = 0; node < refs[i].size; node++)
      if (places[refs[i].first + node])
        pathprof_sum_add(&converter->forest, places[refs[i].first + node], refs[i].nodes[node].count);
  return true;
}

static bool add_forest(uint64_t address) {
  struct pathprof_forest forest;
  const unsigned char *data = pathprof_raw_at(&converter->memory, address, sizeof forest, true);
  if (!data)
    return false;
  memcpy(&forest, data, sizeof forest);
  if (forest.is_pruned)
    converter->forest.flags |= PATHPROF_FOREST_PRUNED;
  return find_chunks((uintptr_t)forest.chunks) && add_nodes(address + offsetof(struct pathprof_forest, root));
}

/* Reads the next counters and table heads of the unit from all placements and all copies.  */
static bool add_next(struct pathprof_buffer *values, uint64_t num_counters, uint64_t num_tables) {
  const uint64_t *base = (const uint64_t *)(const void *)converter->bases.data;
  uint64_t num_bases = converter->bases.size / sizeof *base;
  uint64_t counters = converter->counters, table = converter->tables;
  converter->values = values;
  for (uint64_t i = converter->first; i < converter->last; i++) {
    struct pathprof_raw_placement place;
    memcpy(&place, converter->memory.data + converter->memory.header.placements_offset + i * sizeof place,
           sizeof place);
    if (counters > place.num_counters || num_counters > place.num_counters - counters || table > place.num_tables ||
        num_tables > place.num_tables - table)
      return fail("the notes do not match the counters", converter->memory.header.placements_offset);
    for (uint64_t b = 0; b < num_bases; b++) {
      if (num_counters && !add_counters(base[b] + place.counters + counters * sizeof(uint64_t), num_counters))
        return false;
      for (uint64_t t = table; t < table + num_tables; t++) {
        uint64_t head = base[b] + place.tables + t * sizeof(struct pathprof_table);
        if (!(converter->index.forest_k ? add_forest(head) : add_table(head)))
          return false;
      }
    }
  }
  converter->counters += num_counters;
  converter->tables += num_tables;
  return true;
}

/* Reads the counts of a function, in the order in which counters and table heads are allocated.  */
static bool add_function(void) {
  const struct pathprof_index *index = &converter->index;
  uint64_t num_counters = index->storage == PATHPROF_STORAGE_ARRAY ? index->num_paths : 0;
  uint64_t num_tables = index->storage == PATHPROF_STORAGE_TABLE;
  converter->counts.size = converter->cycles.size = 0;
  if (index->forest_k && !pathprof_begin_forest_sum(&converter->forest))
    return fail("not enough memory", 0);
  return add_next(&converter->counts, num_counters, num_tables) &&
         (!index->has_cycles || add_next(&converter->cycles, num_counters, num_tables)) &&
         add_next(&converter->counts, 0, index->has_prefixes);
}

/* ---- the image ---- */

static bool put_unit(struct pathprof_writer *writer, const struct pathprof_unit_notes *unit, uint64_t base) {
  struct pathprof_index *index = &converter->index;
  pathprof_begin_unit_sums(&converter->sums);
  converter->counters = converter->tables = 0;
  pathprof_index_open(index, unit->notes, base);
  while (pathprof_index_next(index)) {
    if (!add_function())
      return false;
    if (!index->forest_k)
      pathprof_put_function_sums(&converter->sums, index->next - 1, &converter->counts, &converter->cycles,
                                 converter->memory.header.cost);
    else if (!pathprof_put_function_forest(&converter->sums, index->next - 1, &converter->forest, &converter->counts,
                                           &converter->put))
      return fail("not enough memory", 0);
  }
  pathprof_put_unit_sums(writer, &converter->sums);
  return pathprof_cursor_ok(&index->cursor) || fail(index->cursor.error.reason, index->cursor.error.offset);
}

/* Finds the placements of a unit.  They follow the placements of the preceding unit.  */
static bool find_placements(uint64_t unit) {
  struct pathprof_raw_placement place;
  converter->first = converter->last;
  for (; converter->last < converter->memory.header.num_placements; converter->last++) {
    memcpy(&place, converter->memory.data + converter->memory.header.placements_offset + converter->last * sizeof place,
           sizeof place);
    if (place.unit != unit)
      break;
  }
  return converter->first < converter->last ||
         fail("a unit has no counters", converter->memory.header.placements_offset);
}

static bool put_units(struct pathprof_writer *writer) {
  struct pathprof_cursor units = converter->memory.image.section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  pathprof_put_bytes(&writer->section[PATHPROF_SECTION_UNITS], units.data, units.end);
  uint64_t n = pathprof_get_varint(&units);
  for (uint64_t i = 0; i < n; i++) {
    pathprof_get_unit(&units, &unit);
    if (!pathprof_cursor_ok(&units))
      return fail(units.error.reason, converter->memory.header.image_offset + units.error.offset);
    uint64_t base = converter->memory.header.image_offset + units.base + units.pos - unit.notes.size;
    if (!find_placements(i) || !put_unit(writer, &unit, base))
      return false;
  }
  writer->section[PATHPROF_SECTION_COUNTS].failed |=
      converter->bases.failed | converter->counts.failed | converter->cycles.failed;
  return true;
}

static bool put_program(struct pathprof_buffer *out) {
  struct pathprof_cursor cursor = converter->memory.image.section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  struct pathprof_module module;
  struct pathprof_program_more more;
  pathprof_get_program(&cursor, &program);
  program.runs = converter->memory.header.runs;
  program.forks = converter->memory.header.forks;
  program.resets = converter->memory.header.resets;
  program.sudden_ends = converter->memory.header.sudden_ends;
  pathprof_put_program(out, &program);
  for (uint64_t left = program.num_modules; pathprof_next_module(&cursor, &left, &module);)
    pathprof_put_module(out, &module);
  pathprof_get_program_more(&cursor, &more);
  more.threaded = converter->memory.header.threaded;
  pathprof_put_program_more(out, &more);
  return pathprof_cursor_ok(&cursor) ||
         fail(cursor.error.reason, converter->memory.header.image_offset + cursor.error.offset);
}

/* Writes the test that is named in the file.  All counts in the file belong to this test.  */
static bool put_test(struct pathprof_writer *writer) {
  const struct pathprof_raw_header *header = &converter->memory.header;
  struct pathprof_cursor units = converter->memory.image.section[PATHPROF_SECTION_UNITS];
  struct pathprof_test test = {
      {(const unsigned char *)header->test, header->test_size}, header->test_runs, 0, 0, {0}, {0}};
  if (header->test_size > PATHPROF_MAX_TEST_NAME)
    return fail("a test name is too long", offsetof(struct pathprof_raw_header, test_size));
  if (header->test_size)
    pathprof_put_only_test(writer, pathprof_get_varint(&units), &test);
  return true;
}

bool pathprof_raw_convert(const unsigned char *data, size_t size, struct pathprof_buffer *image,
                          struct pathprof_error *error) {
  struct pathprof_writer writer;
  struct pathprof_buffer state = {0};
  converter = (void *)pathprof_reserve(&state, sizeof *converter);
  if (!converter) {
    *error = (struct pathprof_error){"not enough memory", 0};
    return false;
  }
  memset(&writer, 0, sizeof writer);
  memset(converter, 0, sizeof *converter);
  bool ok = pathprof_raw_open(&converter->memory, data, size, error) && find_bases() &&
            put_program(&writer.section[PATHPROF_SECTION_PROGRAM]) && put_units(&writer) && put_test(&writer);
  pathprof_buffer_free(&converter->bases);
  pathprof_buffer_free(&converter->counts);
  pathprof_buffer_free(&converter->cycles);
  pathprof_free_unit_sums(&converter->sums);
  pathprof_free_forest_sum(&converter->forest);
  pathprof_buffer_free(&converter->put.nodes);
  pathprof_buffer_free(&converter->chunks);
  pathprof_buffer_free(&converter->places);
  if (!ok)
    pathprof_writer_free(&writer);
  else {
    pathprof_writer_finish(&writer, image);
    ok = !image->failed || fail("not enough memory", 0);
  }
  pathprof_buffer_free(&state);
  return ok;
}
