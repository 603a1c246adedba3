/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Reading raw files.  They come from memory that a process left at any moment, and from strangers:
 * every address and length is checked, and no byte of counts is read twice.  */
#define _GNU_SOURCE
#include "profile/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "profile/abi.h"
#include "profile/counts.h"
#include "profile/forest.h"
#include "profile/image.h"
#include "profile/storage.h"

typedef struct pathprof_raw_header header_t;

_Static_assert(sizeof(header_t) <= PATHPROF_RAW_HEADER_SIZE, "the header has its place");
_Static_assert(offsetof(header_t, runs) == 56 && offsetof(header_t, areas) == 368 && offsetof(header_t, cost) == 1904,
               "doc/format.md");

/* A conversion under way.  */
struct converter {
  const unsigned char *data;
  size_t size;
  header_t header;
  struct pathprof_image image;
  struct pathprof_error *error;
  uint64_t budget;                       /* bytes of counts that may still be read */
  struct pathprof_buffer bases;          /* addresses: the section, then the threads' copies of it */
  struct pathprof_buffer counts, cycles; /* of the current function */
  struct pathprof_buffer *values;        /* which of them is being read */
  struct pathprof_forest_sum forest;     /* of the current function */
  struct pathprof_forest_put put;
  struct pathprof_buffer chunks, places; /* of the forest that is being read */
  struct pathprof_unit_sums sums;        /* of the current unit */
  struct pathprof_index index;
  uint64_t first, last;      /* the current unit's placements */
  uint64_t counters, tables; /* where in them the next function's begin */
};

static struct converter converter; /* too large for the stack of a small thread */

static bool fail(const char *reason, uint64_t offset) {
  if (!converter.error->reason) {
    converter.error->reason = reason;
    converter.error->offset = offset;
  }
  return false;
}

/* ---- what does not change ---- */

static uint32_t checksum(const header_t *header, const void *placements) {
  size_t start = offsetof(header_t, byte_order);
  uint32_t crc = pathprof_crc32c(0, (const unsigned char *)header + start, offsetof(header_t, runs) - start);
  return pathprof_crc32c(crc, placements, header->num_placements * sizeof(struct pathprof_raw_placement));
}

static void pad(struct pathprof_buffer *buffer, size_t alignment) {
  while (buffer->size % alignment && !buffer->failed)
    pathprof_put_u8(buffer, 0);
}

void pathprof_raw_begin(struct pathprof_buffer *file, const struct pathprof_buffer *image,
                        const struct pathprof_raw_placement *placements, uint64_t num_placements) {
  union {
    header_t header;
    unsigned char bytes[PATHPROF_RAW_HEADER_SIZE];
  } start;
  memset(&start, 0, sizeof start);
  header_t *header = &start.header;
  header->major = PATHPROF_RAW_MAJOR;
  header->minor = PATHPROF_RAW_MINOR;
  header->byte_order = PATHPROF_RAW_BYTE_ORDER;
  header->image_offset = sizeof start;
  header->image_size = image->size;
  header->placements_offset = (sizeof start + image->size + 7) & ~(uint64_t)7;
  header->num_placements = num_placements;
  header->crc = checksum(header, placements);
  pathprof_put_bytes(file, &start, sizeof start);
  pathprof_put_bytes(file, image->data, image->size);
  pad(file, 8);
  pathprof_put_bytes(file, placements, num_placements * sizeof *placements);
  file->failed |= image->failed;
}

bool pathprof_is_raw(const unsigned char *data, size_t size) {
  return size >= sizeof converter.header.magic && memcmp(data, PATHPROF_RAW_MAGIC, sizeof converter.header.magic) == 0;
}

/* ---- opening ---- */

static bool open_areas(void) {
  const header_t *header = &converter.header;
  if (!header->num_areas || header->num_areas > PATHPROF_RAW_MAX_AREAS)
    return fail("the number of areas is wrong", offsetof(header_t, num_areas));
  for (uint64_t i = 0; i < header->num_areas; i++) {
    const struct pathprof_raw_area *area = &header->areas[i];
    if (area->offset > converter.size || area->size > converter.size - area->offset ||
        area->address > UINT64_MAX - area->size)
      return fail("an area lies outside the file", offsetof(header_t, areas) + i * sizeof *area);
  }
  return true;
}

static bool open_image(void) {
  const header_t *header = &converter.header;
  struct pathprof_error wrong;
  if (header->image_offset > converter.size || header->image_size > converter.size - header->image_offset)
    return fail("the units lie outside the file", offsetof(header_t, image_offset));
  return pathprof_image_open(&converter.image, converter.data + header->image_offset, header->image_size, &wrong) ||
         fail(wrong.reason, header->image_offset + wrong.offset);
}

static bool open_placements(void) {
  const header_t *header = &converter.header;
  uint64_t at = header->placements_offset;
  if (at > converter.size || header->num_placements > (converter.size - at) / sizeof(struct pathprof_raw_placement))
    return fail("the places of the counters lie outside the file", offsetof(header_t, placements_offset));
  return checksum(header, converter.data + at) == header->crc ||
         fail("the header's checksum does not match", offsetof(header_t, crc));
}

static bool open_raw(void) {
  header_t *header = &converter.header;
  if (!pathprof_is_raw(converter.data, converter.size))
    return fail("not a raw pathprof profile (wrong magic)", 0);
  if (converter.size < PATHPROF_RAW_HEADER_SIZE)
    return fail("the header is cut short", converter.size);
  memcpy(header, converter.data, sizeof *header);
  if (header->byte_order != PATHPROF_RAW_BYTE_ORDER)
    return fail("from a machine of another kind", offsetof(header_t, byte_order));
  if (header->major != PATHPROF_RAW_MAJOR)
    return fail("written in another major version of the format; this reader knows 4", offsetof(header_t, major));
  return open_placements() && open_image() && open_areas();
}

/* ---- memory ---- */

/* The bytes that were at an address; null, after an error, where the file does not have them. Bytes
 * that hold counts are paid for.  */
static const unsigned char *at_address(uint64_t address, uint64_t size, bool counts) {
  const header_t *header = &converter.header;
  for (uint64_t i = 0; i < header->num_areas; i++) {
    const struct pathprof_raw_area *area = &header->areas[i];
    uint64_t start = address - area->address;
    if (address < area->address || start > area->size || size > area->size - start)
      continue;
    if (counts && size > converter.budget) {
      fail("counters overlap", area->offset + start);
      return NULL;
    }
    converter.budget -= counts ? size : 0;
    return converter.data + area->offset + start;
  }
  fail("an address is not in the file", 0);
  return NULL;
}

/* Whether the first byte is in the file: what was not, because the file could not grow, is lost. */
static bool is_in_file(uint64_t address) {
  for (uint64_t i = 0; i < converter.header.num_areas; i++)
    if (address - converter.header.areas[i].address < converter.header.areas[i].size)
      return true;
  return false;
}

static void add_base(uint64_t address) {
  pathprof_put_u64(&converter.bases, 0);
  if (!converter.bases.failed)
    memcpy(converter.bases.data + converter.bases.size - sizeof address, &address, sizeof address);
}

static bool find_bases(void) {
  struct pathprof_raw_copy copy = {converter.header.copies, 0};
  add_base(converter.header.areas[0].address);
  while (copy.next && is_in_file(copy.next)) {
    const unsigned char *data = at_address(copy.next, sizeof copy, true);
    if (!data)
      return false;
    memcpy(&copy, data, sizeof copy);
    if (is_in_file(copy.address))
      add_base(copy.address);
  }
  return true;
}

/* ---- counts ---- */

static void add_count(uint64_t id, uint64_t value) {
  struct pathprof_count count = {id, value};
  if (value)
    pathprof_put_bytes(converter.values, &count, sizeof count);
}

static bool add_counters(uint64_t address, uint64_t n) {
  if (n > UINT64_MAX / sizeof(uint64_t))
    return fail("the notes do not match the counters", 0);
  const unsigned char *data = at_address(address, n * sizeof(uint64_t), true);
  for (uint64_t i = 0; data && i < n; i++) {
    uint64_t value;
    memcpy(&value, data + i * sizeof value, sizeof value);
    add_count(i, value);
  }
  return data != NULL;
}

static bool add_slots(const unsigned char *data, uint64_t n) {
  bool cut_short = converter.index.storage != PATHPROF_STORAGE_TABLE;
  bool may_be_cut_short = converter.index.has_prefixes && converter.values == &converter.counts;
  for (uint64_t i = 0; i < n; i++) {
    struct pathprof_slot slot;
    memcpy(&slot, data + i * sizeof slot, sizeof slot);
    if (!slot.key || !slot.count)
      continue;
    uint64_t id = slot.key - 1;
    if (id >= converter.index.num_paths ? !may_be_cut_short : cut_short)
      return fail("the number of an executed path is out of bounds",
                  (uint64_t)(data - converter.data) + i * sizeof slot);
    add_count(id, slot.count);
  }
  return true;
}

static bool add_blocks(uint64_t address) {
  uint64_t most = UINT64_MAX;
  while (address && is_in_file(address)) {
    struct pathprof_block block;
    const unsigned char *data = at_address(address, sizeof block, true);
    if (!data)
      return false;
    memcpy(&block, data, sizeof block);
    if (block.mask > converter.size / sizeof(struct pathprof_slot) || block.mask >= most)
      return fail("a block of slots is malformed", (uint64_t)(data - converter.data));
    uint64_t n = block.mask + 1;
    data = at_address(address + sizeof block, n * sizeof(struct pathprof_slot), true);
    if (!data || !add_slots(data, n))
      return false;
    most = block.mask;
    address = (uintptr_t)block.older;
  }
  return true;
}

/* `program_front`: its address, where the table's front lies elsewhere; else 0.  */
static bool add_front(const unsigned char *table, uint64_t program_front) {
  if (!program_front)
    return add_slots(table + offsetof(struct pathprof_table, front), PATHPROF_FRONT_SIZE);
  const unsigned char *data = at_address(program_front, PATHPROF_PROGRAM_FRONT_BYTES, true);
  return data && add_slots(data, PATHPROF_PROGRAM_FRONT_SIZE);
}

static bool add_table(uint64_t address, uint64_t program_front) {
  struct pathprof_table table;
  const unsigned char *data = at_address(address, sizeof table, true);
  if (!data)
    return false;
  memcpy(&table, data, sizeof table);
  if (table.counters && is_in_file((uintptr_t)table.counters)) {
    if (table.num_paths > converter.index.num_paths)
      return fail("a raised array is malformed", (uint64_t)(data - converter.data));
    if (!add_counters((uintptr_t)table.counters, table.num_paths))
      return false;
  }
  if (table.front_used && !add_front(data, program_front))
    return false;
  return add_blocks((uintptr_t)table.slots);
}

/* ---- forests ---- */

/* Chunks that are not in the file, because it could not grow, are lost.  */
static bool find_chunks(uint64_t address) {
  converter.chunks.size = 0;
  while (address && is_in_file(address)) {
    struct pathprof_chunk chunk;
    const unsigned char *data = at_address(address, sizeof chunk, true);
    if (!data)
      return false;
    memcpy(&chunk, data, sizeof chunk);
    uint64_t n = chunk.used < chunk.size ? chunk.used : chunk.size, at = address + sizeof chunk;
    if (n > converter.size / sizeof(struct pathprof_node) || (uintptr_t)data % sizeof(uint64_t))
      return fail("a chunk of nodes is malformed", (uint64_t)(data - converter.data));
    data = at_address(at, n * sizeof(struct pathprof_node), true);
    if (!data)
      return false;
    struct pathprof_chunk_ref ref = {at, 0, (const void *)data, n};
    pathprof_put_bytes(&converter.chunks, &ref, sizeof ref);
    address = (uintptr_t)chunk.older;
  }
  return !converter.chunks.failed || fail("not enough memory", 0);
}

static bool add_nodes(uint64_t star) {
  struct pathprof_chunk_ref *refs = (void *)converter.chunks.data;
  uint64_t n = converter.chunks.size / sizeof *refs, num_nodes = pathprof_number_chunks(refs, n);
  converter.places.size = 0;
  uint64_t *places = (void *)pathprof_reserve(&converter.places, num_nodes * sizeof *places + sizeof *places);
  if (!places)
    return fail("not enough memory", 0);
  const char *wrong = pathprof_place_nodes(&converter.forest, refs, n, star, converter.index.num_paths,
                                           pathprof_forest_depth(converter.index.forest_k), places);
  if (wrong)
    return fail(wrong, n ? (uint64_t)((const unsigned char *)refs->nodes - converter.data) : 0);
  for (uint64_t i = 0; i < n; i++)
    for (uint64_t node = 0; node < refs[i].size; node++)
      if (places[refs[i].first + node])
        pathprof_sum_add(&converter.forest, places[refs[i].first + node], refs[i].nodes[node].count);
  return true;
}

static bool add_forest(uint64_t address) {
  struct pathprof_forest forest;
  const unsigned char *data = at_address(address, sizeof forest, true);
  if (!data)
    return false;
  memcpy(&forest, data, sizeof forest);
  if (forest.is_pruned)
    converter.forest.flags |= PATHPROF_FOREST_PRUNED;
  return find_chunks((uintptr_t)forest.chunks) && add_nodes(address + offsetof(struct pathprof_forest, star));
}

/* Reads the unit's next counters and table heads, in all its places.  */
static bool add_next(struct pathprof_buffer *values, uint64_t num_counters, uint64_t num_tables) {
  const uint64_t *base = (const uint64_t *)(const void *)converter.bases.data;
  uint64_t num_bases = converter.bases.size / sizeof *base;
  uint64_t counters = converter.counters, table = converter.tables;
  converter.values = values;
  for (uint64_t i = converter.first; i < converter.last; i++) {
    struct pathprof_raw_placement place;
    memcpy(&place, converter.data + converter.header.placements_offset + i * sizeof place, sizeof place);
    if (counters > place.num_counters || num_counters > place.num_counters - counters || table > place.num_tables ||
        num_tables > place.num_tables - table)
      return fail("the notes do not match the counters", converter.header.placements_offset);
    for (uint64_t b = 0; b < num_bases; b++) {
      if (num_counters && !add_counters(base[b] + place.counters + counters * sizeof(uint64_t), num_counters))
        return false;
      for (uint64_t t = table; t < table + num_tables; t++) {
        uint64_t head = base[b] + place.tables + t * sizeof(struct pathprof_table);
        bool has_front = t == 0 && place.program_front != PATHPROF_NO_PROGRAM_FRONT;
        if (!(converter.index.forest_k ? add_forest(head)
                                       : add_table(head, has_front ? base[b] + place.program_front : 0)))
          return false;
      }
    }
  }
  converter.counters += num_counters;
  converter.tables += num_tables;
  return true;
}

/* In the order in which counters and table heads are handed out.  */
static bool add_function(void) {
  const struct pathprof_index *index = &converter.index;
  uint64_t num_counters = index->storage == PATHPROF_STORAGE_ARRAY ? index->num_paths : 0;
  uint64_t num_tables = index->storage == PATHPROF_STORAGE_TABLE;
  converter.counts.size = converter.cycles.size = 0;
  if (index->forest_k && !pathprof_begin_forest_sum(&converter.forest))
    return fail("not enough memory", 0);
  return add_next(&converter.counts, num_counters, num_tables) &&
         (!index->has_cycles || add_next(&converter.cycles, num_counters, num_tables)) &&
         add_next(&converter.counts, 0, index->has_prefixes);
}

/* ---- the image ---- */

static bool put_unit(struct pathprof_writer *writer, const struct pathprof_unit_notes *unit, uint64_t base) {
  struct pathprof_index *index = &converter.index;
  pathprof_begin_unit_sums(&converter.sums);
  converter.counters = converter.tables = 0;
  pathprof_index_open(index, unit->notes, base);
  while (pathprof_index_next(index)) {
    if (!add_function())
      return false;
    if (!index->forest_k)
      pathprof_put_function_sums(&converter.sums, index->next - 1, &converter.counts, &converter.cycles,
                                 converter.header.cost);
    else if (!pathprof_put_function_forest(&converter.sums, index->next - 1, &converter.forest, &converter.counts,
                                           &converter.put))
      return fail("not enough memory", 0);
  }
  pathprof_put_unit_sums(writer, &converter.sums);
  return pathprof_cursor_ok(&index->cursor) || fail(index->cursor.error.reason, index->cursor.error.offset);
}

/* The placements of a unit follow those of the unit before.  */
static bool find_placements(uint64_t unit) {
  struct pathprof_raw_placement place;
  converter.first = converter.last;
  for (; converter.last < converter.header.num_placements; converter.last++) {
    memcpy(&place, converter.data + converter.header.placements_offset + converter.last * sizeof place, sizeof place);
    if (place.unit != unit)
      break;
  }
  return converter.first < converter.last || fail("a unit has no counters", converter.header.placements_offset);
}

static bool put_units(struct pathprof_writer *writer) {
  struct pathprof_cursor units = converter.image.section[PATHPROF_SECTION_UNITS];
  struct pathprof_unit_notes unit;
  pathprof_put_bytes(&writer->section[PATHPROF_SECTION_UNITS], units.data, units.end);
  uint64_t n = pathprof_get_varint(&units);
  for (uint64_t i = 0; i < n; i++) {
    pathprof_get_unit(&units, &unit);
    if (!pathprof_cursor_ok(&units))
      return fail(units.error.reason, converter.header.image_offset + units.error.offset);
    uint64_t base = converter.header.image_offset + units.base + units.pos - unit.notes.size;
    if (!find_placements(i) || !put_unit(writer, &unit, base))
      return false;
  }
  writer->section[PATHPROF_SECTION_COUNTS].failed |=
      converter.bases.failed | converter.counts.failed | converter.cycles.failed;
  return true;
}

static bool put_program(struct pathprof_buffer *out) {
  struct pathprof_cursor cursor = converter.image.section[PATHPROF_SECTION_PROGRAM];
  struct pathprof_program program;
  pathprof_get_program(&cursor, &program);
  if (!pathprof_cursor_ok(&cursor))
    return fail(cursor.error.reason, converter.header.image_offset + cursor.error.offset);
  program.runs = converter.header.runs;
  program.forks = converter.header.forks;
  program.resets = converter.header.resets;
  program.sudden_ends = converter.header.sudden_ends;
  pathprof_put_program(out, &program);
  pathprof_put_bytes(out, cursor.data + cursor.pos, pathprof_cursor_left(&cursor));
  return true;
}

bool pathprof_raw_convert(const unsigned char *data, size_t size, struct pathprof_buffer *image,
                          struct pathprof_error *error) {
  struct pathprof_writer writer;
  memset(&writer, 0, sizeof writer);
  memset(&converter, 0, sizeof converter);
  converter.data = data;
  converter.size = size;
  converter.budget = size;
  converter.error = error;
  error->reason = NULL;
  bool ok = open_raw() && find_bases() && put_program(&writer.section[PATHPROF_SECTION_PROGRAM]) && put_units(&writer);
  pathprof_buffer_free(&converter.bases);
  pathprof_buffer_free(&converter.counts);
  pathprof_buffer_free(&converter.cycles);
  pathprof_free_unit_sums(&converter.sums);
  pathprof_free_forest_sum(&converter.forest);
  pathprof_buffer_free(&converter.put.nodes);
  pathprof_buffer_free(&converter.chunks);
  pathprof_buffer_free(&converter.places);
  if (!ok) {
    pathprof_writer_free(&writer);
    return false;
  }
  pathprof_writer_finish(&writer, image);
  return !image->failed || fail("not enough memory", 0);
}

/* ---- the file ---- */

static const char *skip_digits(const char *text) {
  while (*text >= '0' && *text <= '9')
    text++;
  return text;
}

bool pathprof_is_raw_name(const char *name, const char *base) {
  size_t size = strlen(base);
  if (strncmp(name, base, size) != 0 || name[size] != '.')
    return false;
  const char *pid = name + size + 1, *end = skip_digits(pid);
  if (end == pid)
    return false;
  if (*end == '-') {
    const char *number = end + 1;
    end = skip_digits(number);
    if (end == number)
      return false;
  }
  return strcmp(end, ".raw") == 0;
}

/* The owner holds the lock, unless it closed a descriptor that it does not know; then the kernel
 * still refuses a lease on a file that is mapped for writing.  Were somebody to open the file for
 * writing while there is a lease, we should get a signal: one that is ignored by default.  */
bool pathprof_raw_is_live(int fd) {
  int result;
  do
    result = flock(fd, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  if (result != 0)
    return true;
  fcntl(fd, F_SETSIG, SIGURG);
  if (fcntl(fd, F_SETLEASE, F_RDLCK) != 0)
    return errno == EAGAIN;
  fcntl(fd, F_SETLEASE, F_UNLCK);
  return false;
}

bool pathprof_raw_is_settled(const unsigned char *data, size_t size, int folder) {
  header_t header;
  struct stat status;
  if (size < sizeof header)
    return false;
  memcpy(&header, data, sizeof header);
  header.pending_name[sizeof header.pending_name - 1] = '\0';
  if (!header.pending)
    return false;
  if (strchr(header.pending_name, '/'))
    return true;
  if (fstatat(folder, header.pending_name, &status, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT;
  return status.st_ino != header.pending;
}
