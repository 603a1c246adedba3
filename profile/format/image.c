/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Opens, parses and writes profile images.  */
#include "profile/format/image.h"

#include <string.h>

#include "profile/format/storage.h"

/* The CRC-32C in the header covers the rest of the header and the section table.  */
enum { HEADER_SIZE = 32, SIZE_AT = 16, CRC_AT = 24, ENTRY_SIZE = 24, MAX_SECTIONS = 64 };

static bool fail(struct pathprof_error *error, const char *reason, uint64_t offset) {
  error->reason = reason;
  error->offset = offset;
  return false;
}

/* ---- opening ---- */

static bool open_section(struct pathprof_image *image, const unsigned char *data, size_t size,
                         struct pathprof_cursor *table, struct pathprof_error *error) {
  uint64_t entry = table->base + table->pos;
  uint32_t type = pathprof_get_u32(table);
  uint32_t crc = pathprof_get_u32(table);
  uint64_t offset = pathprof_get_u64(table);
  uint64_t length = pathprof_get_u64(table);
  if (offset > size || length > size - offset)
    return fail(error, "a section lies outside the file", entry);
  if (type == 0 || type >= PATHPROF_NUM_SECTIONS)
    return true; /* ignore a section that a later minor version defines */
  if (image->section[type].data)
    return fail(error, "a section appears twice", entry);
  if (pathprof_crc32c(0, data + offset, length) != crc)
    return fail(error, "a section's checksum does not match", offset);
  image->section[type] = pathprof_cursor_over(data + offset, length, offset);
  return true;
}

static bool has_magic(const unsigned char *data, size_t size) {
  return size >= PATHPROF_MAGIC_SIZE && memcmp(data, PATHPROF_MAGIC, PATHPROF_MAGIC_SIZE) == 0;
}

bool pathprof_may_be_image(const unsigned char *start, size_t size, uint64_t file_size) {
  struct pathprof_cursor header = pathprof_cursor_over(start, size, 0);
  header.pos = SIZE_AT;
  return has_magic(start, size) && size >= HEADER_SIZE && pathprof_get_u64(&header) >= file_size;
}

bool pathprof_image_open(struct pathprof_image *image, const unsigned char *data, size_t size,
                         struct pathprof_error *error) {
  memset(image, 0, sizeof *image);
  if (!has_magic(data, size))
    return fail(error, "not a pathprof profile (wrong magic)", 0);
  struct pathprof_cursor header = pathprof_cursor_over(data, size, 0);
  header.pos = PATHPROF_MAGIC_SIZE;
  uint16_t major = pathprof_get_u16(&header);
  pathprof_get_u16(&header);
  uint32_t num_sections = pathprof_get_u32(&header);
  uint64_t file_size = pathprof_get_u64(&header);
  uint32_t crc = pathprof_get_u32(&header);
  pathprof_get_u32(&header);
  if (!pathprof_cursor_ok(&header))
    return fail(error, "the header is truncated", size);
  if (major != PATHPROF_FORMAT_MAJOR)
    return fail(error, "unsupported major version of the format; expected 1", 8);
  if (file_size != size)
    return fail(error, file_size > size ? "the file is truncated" : "the file is too long",
                file_size > size ? size : file_size);
  if (num_sections > MAX_SECTIONS || HEADER_SIZE + (uint64_t)num_sections * ENTRY_SIZE > size)
    return fail(error, "the section table is truncated", 12);
  uint32_t computed = pathprof_crc32c(0, data, CRC_AT);
  computed = pathprof_crc32c(computed, data + CRC_AT + 4, HEADER_SIZE - CRC_AT - 4 + (size_t)num_sections * ENTRY_SIZE);
  if (computed != crc)
    return fail(error, "the header's checksum does not match", CRC_AT);
  for (uint32_t i = 0; i < num_sections; i++)
    if (!open_section(image, data, size, &header, error))
      return false;
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++)
    if (!image->section[type].data && type < PATHPROF_SECTION_CYCLES)
      return fail(error, "a section is missing", HEADER_SIZE);
  return true;
}

/* ---- items ---- */

static struct pathprof_text get_text(struct pathprof_cursor *cursor) {
  struct pathprof_text text;
  text.data = pathprof_get_string(cursor, &text.size);
  return text;
}

static void put_text(struct pathprof_buffer *buffer, struct pathprof_text text) {
  pathprof_put_string(buffer, text.data, text.size);
}

int pathprof_compare_texts(struct pathprof_text a, struct pathprof_text b) {
  size_t n = a.size < b.size ? a.size : b.size;
  int order = n ? memcmp(a.data, b.data, n) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

void pathprof_get_program(struct pathprof_cursor *cursor, struct pathprof_program *program) {
  program->name = get_text(cursor);
  program->runs = pathprof_get_varint(cursor);
  program->forks = pathprof_get_varint(cursor);
  program->resets = pathprof_get_varint(cursor);
  program->sudden_ends = pathprof_get_varint(cursor);
  program->num_modules = pathprof_get_varint(cursor);
}

void pathprof_put_program(struct pathprof_buffer *buffer, const struct pathprof_program *program) {
  put_text(buffer, program->name);
  pathprof_put_varint(buffer, program->runs);
  pathprof_put_varint(buffer, program->forks);
  pathprof_put_varint(buffer, program->resets);
  pathprof_put_varint(buffer, program->sudden_ends);
  pathprof_put_varint(buffer, program->num_modules);
}

void pathprof_get_module(struct pathprof_cursor *cursor, struct pathprof_module *module) {
  module->name = get_text(cursor);
  module->build_id = get_text(cursor);
  module->units_key = pathprof_get_u64(cursor);
}

bool pathprof_next_module(struct pathprof_cursor *cursor, uint64_t *left, struct pathprof_module *module) {
  if (!*left || !pathprof_cursor_ok(cursor))
    return false;
  (*left)--;
  pathprof_get_module(cursor, module);
  return pathprof_cursor_ok(cursor);
}

void pathprof_put_module(struct pathprof_buffer *buffer, const struct pathprof_module *module) {
  put_text(buffer, module->name);
  put_text(buffer, module->build_id);
  pathprof_put_u64(buffer, module->units_key);
}

void pathprof_get_program_more(struct pathprof_cursor *cursor, struct pathprof_program_more *more) {
  more->threaded = pathprof_cursor_left(cursor) ? pathprof_get_varint(cursor) : 0;
  more->switched = pathprof_cursor_left(cursor) ? pathprof_get_varint(cursor) : 0;
}

void pathprof_put_program_more(struct pathprof_buffer *buffer, const struct pathprof_program_more *more) {
  pathprof_put_varint(buffer, more->threaded);
  if (more->switched)
    pathprof_put_varint(buffer, more->switched);
}

void pathprof_get_unit(struct pathprof_cursor *cursor, struct pathprof_unit_notes *unit) {
  unit->key = pathprof_get_u64(cursor);
  unit->notes = get_text(cursor);
}

void pathprof_put_unit(struct pathprof_buffer *buffer, const struct pathprof_unit_notes *unit) {
  pathprof_put_u64(buffer, unit->key);
  put_text(buffer, unit->notes);
}

/* Moves the cursor to the additions at the end of a unit's notes.  */
static void skip_to_additions(struct pathprof_cursor *cursor, uint64_t num_functions) {
  for (uint64_t i = 0; i < num_functions && pathprof_cursor_ok(cursor); i++) {
    pathprof_get_varint(cursor);
    pathprof_get_bytes(cursor, pathprof_get_varint(cursor));
    pathprof_get_u32(cursor);
    pathprof_get_u8(cursor);
    pathprof_get_varint(cursor);
  }
  pathprof_get_varint(cursor);
  get_text(cursor);
}

struct pathprof_cursor pathprof_next_addition(struct pathprof_cursor *at) {
  size_t size = 0;
  const unsigned char *bytes = NULL;
  if (pathprof_cursor_left(at))
    bytes = pathprof_get_string(at, &size);
  return pathprof_cursor_over(bytes, size, at->base + at->pos - size);
}

static struct pathprof_cursor additions_of(struct pathprof_text notes) {
  struct pathprof_cursor at = pathprof_cursor_over(notes.data, notes.size, 0);
  pathprof_get_u8(&at);
  get_text(&at);
  skip_to_additions(&at, pathprof_get_varint(&at));
  return at;
}

static struct pathprof_text text_of_addition(struct pathprof_text notes, enum pathprof_addition wanted) {
  struct pathprof_cursor at = additions_of(notes), bytes = {0};
  for (int addition = 0; addition <= (int)wanted; addition++)
    bytes = pathprof_next_addition(&at);
  struct pathprof_text text = {bytes.data, pathprof_cursor_left(&bytes)};
  return text;
}

struct pathprof_text pathprof_unit_compiler(struct pathprof_text notes) {
  return text_of_addition(notes, PATHPROF_ADDITION_COMPILER);
}

struct pathprof_text pathprof_unit_folder(struct pathprof_text notes) {
  return text_of_addition(notes, PATHPROF_ADDITION_FOLDER);
}

/* Returns the number of bytes in the notes before the addition with the index `end`, not including empty additions
 * immediately before it.  If the notes are malformed, returns their total size.  */
static size_t size_before(struct pathprof_text notes, int end) {
  struct pathprof_cursor at = additions_of(notes);
  size_t size = at.pos;
  for (int addition = 0; addition < end; addition++) {
    struct pathprof_cursor bytes = pathprof_next_addition(&at);
    if (pathprof_cursor_left(&bytes))
      size = at.pos;
  }
  return pathprof_cursor_ok(&at) ? size : notes.size;
}

struct pathprof_text pathprof_unit_bodies(struct pathprof_text notes) {
  return text_of_addition(notes, PATHPROF_ADDITION_BODIES);
}

uint64_t pathprof_unit_key(struct pathprof_text notes) {
  struct pathprof_text bodies = pathprof_unit_bodies(notes);
  uint64_t key = pathprof_key(notes.data, size_before(notes, PATHPROF_ADDITION_FOLDER + 1));
  return bodies.size ? key ^ pathprof_key(bodies.data, bodies.size) : key;
}

static int compare_bytes(struct pathprof_text a, struct pathprof_text b) {
  if (a.size != b.size)
    return a.size < b.size ? -1 : 1;
  return a.size ? memcmp(a.data, b.data, a.size) : 0;
}

/* The notes are parsed only if the keys are equal but the notes differ.  */
int pathprof_compare_units(const struct pathprof_unit_notes *a, const struct pathprof_unit_notes *b) {
  if (a->key != b->key)
    return a->key < b->key ? -1 : 1;
  int order = compare_bytes(a->notes, b->notes);
  if (!order)
    return 0;
  struct pathprof_text known_a = {a->notes.data, size_before(a->notes, PATHPROF_ADDITION_FOLDER)};
  struct pathprof_text known_b = {b->notes.data, size_before(b->notes, PATHPROF_ADDITION_FOLDER)};
  return compare_bytes(known_a, known_b);
}

const struct pathprof_unit_notes *pathprof_choose_unit(const struct pathprof_unit_notes *a,
                                                       const struct pathprof_unit_notes *b) {
  return compare_bytes(a->notes, b->notes) < 0 ? b : a;
}

/* Sets next_with_cycles to the index of the next function with cycles, or to UINT64_MAX after the last function.  */
static void advance_cycles(struct pathprof_index *index) {
  if (pathprof_cursor_left(&index->cycles))
    index->next_with_cycles = pathprof_get_increasing(&index->cycles, index->next_with_cycles);
  else
    index->next_with_cycles = UINT64_MAX;
  if (!pathprof_cursor_ok(&index->cycles))
    pathprof_cursor_fail(&index->cursor, "the list of functions with cycles is malformed");
}

static void advance_forests(struct pathprof_index *index) {
  if (pathprof_cursor_left(&index->forests)) {
    index->next_with_forest = pathprof_get_increasing(&index->forests, index->next_with_forest);
    index->next_forest_k = pathprof_get_varint(&index->forests);
    if (index->next_forest_k < 2 || index->next_forest_k > PATHPROF_FOREST_MAX_K)
      pathprof_cursor_fail(&index->forests, "");
  } else
    index->next_with_forest = UINT64_MAX;
  if (!pathprof_cursor_ok(&index->forests))
    pathprof_cursor_fail(&index->cursor, "the list of functions with forests is malformed");
}

/* Opens the next list after the payload.  A list that the notes do not contain is treated as empty.  */
static struct pathprof_cursor next_list(struct pathprof_index *index, struct pathprof_cursor *at,
                                        const char *malformed) {
  struct pathprof_cursor list = pathprof_next_addition(at);
  if (!pathprof_cursor_ok(at))
    pathprof_cursor_fail(&index->cursor, malformed);
  return list;
}

/* Opens the list of functions with cycles and the list of functions with forests.  Does not report a malformed index,
 * because pathprof_index_next does so.  */
static void open_lists(struct pathprof_index *index) {
  struct pathprof_cursor at = index->cursor;
  index->next_with_cycles = index->next_with_forest = UINT64_MAX;
  skip_to_additions(&at, index->num_functions);
  if (!pathprof_cursor_ok(&at))
    return;
  index->cycles = next_list(index, &at, "the list of functions with cycles is malformed");
  advance_cycles(index);
  index->forests = next_list(index, &at, "the list of functions with forests is malformed");
  advance_forests(index);
}

void pathprof_index_open(struct pathprof_index *index, struct pathprof_text notes, uint64_t base) {
  memset(index, 0, offsetof(struct pathprof_index, name) + 1);
  index->cursor = pathprof_cursor_over(notes.data, notes.size, base);
  if (pathprof_get_u8(&index->cursor) != PATHPROF_FORMAT_MAJOR)
    pathprof_cursor_fail(&index->cursor, "the notes of a unit have an unsupported version");
  index->source = get_text(&index->cursor);
  index->num_functions = pathprof_get_varint(&index->cursor);
  open_lists(index);
}

/* Sets the name to the first `shared` bytes of the previous name, followed by `rest`.  A name that does not fit is
 * truncated.  */
static void take_name(struct pathprof_index *index, uint64_t shared, const unsigned char *rest, size_t rest_size) {
  size_t room = shared < sizeof index->name - 1 ? sizeof index->name - 1 - (size_t)shared : 0;
  if (rest_size && room)
    memcpy(index->name + shared, rest, rest_size < room ? rest_size : room);
  index->name_size =
      index->full_name_size < sizeof index->name ? (size_t)index->full_name_size : sizeof index->name - 1;
  index->name[index->name_size] = '\0';
}

/* Names are sorted, and each name is stored without the prefix that it shares with the previous name.  */
bool pathprof_index_next(struct pathprof_index *index) {
  struct pathprof_cursor *cursor = &index->cursor;
  if (!pathprof_cursor_ok(cursor) || index->next == index->num_functions) {
    if (index->next_with_cycles != UINT64_MAX)
      pathprof_cursor_fail(cursor, "the list of functions with cycles contains an unknown function");
    if (index->next_with_forest != UINT64_MAX)
      pathprof_cursor_fail(cursor, "the list of functions with forests contains an unknown function");
    return false;
  }
  uint64_t shared = pathprof_get_varint(cursor);
  size_t rest_size;
  const unsigned char *rest = pathprof_get_string(cursor, &rest_size);
  index->checksum = pathprof_get_u32(cursor);
  index->storage = pathprof_get_u8(cursor);
  index->has_prefixes = index->storage & PATHPROF_HAS_PREFIXES;
  index->storage &= (uint8_t)~PATHPROF_HAS_PREFIXES;
  index->num_paths = pathprof_get_varint(cursor);
  if (shared > index->full_name_size)
    pathprof_cursor_fail(cursor, "a function's name is malformed");
  if (index->storage > PATHPROF_STORAGE_TABLE)
    pathprof_cursor_fail(cursor, "a function has an unknown kind of storage");
  if (!pathprof_cursor_ok(cursor))
    return false;
  index->full_name_size = shared + rest_size;
  if (!index->skips_names)
    take_name(index, shared, rest, rest_size);
  index->has_cycles = index->next == index->next_with_cycles;
  if (index->has_cycles)
    advance_cycles(index);
  index->forest_k = 0;
  if (index->next == index->next_with_forest) {
    index->forest_k = index->next_forest_k;
    if (index->storage != PATHPROF_STORAGE_TABLE || index->has_cycles || index->has_prefixes)
      pathprof_cursor_fail(cursor, "a function with a forest also has other storage");
    advance_forests(index);
  }
  index->next++;
  return pathprof_cursor_ok(cursor);
}

void pathprof_get_function(struct pathprof_cursor *cursor, uint64_t previous,
                           struct pathprof_function_counts *function) {
  function->index = pathprof_get_increasing(cursor, previous);
  function->num_paths = pathprof_get_varint(cursor);
  if (function->num_paths > pathprof_cursor_left(cursor) / 2)
    pathprof_cursor_fail(cursor, "a function has more executed paths than the data can contain");
  if (!pathprof_cursor_ok(cursor))
    function->num_paths = 0;
}

void pathprof_put_function(struct pathprof_buffer *buffer, uint64_t previous, uint64_t index, uint64_t num_paths) {
  pathprof_put_varint(buffer, index - (previous + 1));
  pathprof_put_varint(buffer, num_paths);
}

/* ---- writing ---- */

static void overwrite_u32(struct pathprof_buffer *buffer, size_t at, uint32_t value) {
  for (int i = 0; i < 4 && !buffer->failed; i++)
    buffer->data[at + i] = (unsigned char)(value >> (8 * i));
}

void pathprof_writer_finish(struct pathprof_writer *writer, struct pathprof_buffer *file) {
  const bool written[PATHPROF_NUM_SECTIONS] = {
      false, true, true, true, writer->has_cycles, writer->has_forests, writer->has_measuring, writer->has_tests};
  uint32_t num_sections = 0;
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++)
    num_sections += written[type];
  size_t table_size = num_sections * ENTRY_SIZE;
  uint64_t offset = HEADER_SIZE + table_size, size = offset;
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++) {
    size += written[type] ? writer->section[type].size : 0;
    file->failed |= written[type] && writer->section[type].failed;
  }
  pathprof_expect(file, size);
  pathprof_put_bytes(file, PATHPROF_MAGIC, PATHPROF_MAGIC_SIZE);
  pathprof_put_u16(file, PATHPROF_FORMAT_MAJOR);
  pathprof_put_u16(file, PATHPROF_FORMAT_MINOR);
  pathprof_put_u32(file, num_sections);
  pathprof_put_u64(file, size);
  pathprof_put_u64(file, 0);
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++) {
    if (!written[type])
      continue;
    struct pathprof_buffer *section = &writer->section[type];
    pathprof_put_u32(file, (uint32_t)type);
    pathprof_put_u32(file, pathprof_crc32c(0, section->data, section->size));
    pathprof_put_u64(file, offset);
    pathprof_put_u64(file, section->size);
    offset += section->size;
  }
  if (!file->failed) {
    uint32_t crc = pathprof_crc32c(0, file->data, CRC_AT);
    crc = pathprof_crc32c(crc, file->data + CRC_AT + 4, HEADER_SIZE - CRC_AT - 4 + table_size);
    overwrite_u32(file, CRC_AT, crc);
  }
  for (int type = 1; type < PATHPROF_NUM_SECTIONS; type++)
    if (written[type])
      pathprof_put_bytes(file, writer->section[type].data, writer->section[type].size);
  pathprof_writer_free(writer);
}

void pathprof_writer_free(struct pathprof_writer *writer) {
  for (int type = 0; type < PATHPROF_NUM_SECTIONS; type++)
    pathprof_buffer_free(&writer->section[type]);
}
