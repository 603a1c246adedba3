/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Translates the addresses of a process into offsets in its raw file.  */
#include "profile/format/raw_memory.h"

#include <string.h>

#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)

typedef struct pathprof_raw_header header_t;

bool pathprof_raw_fail(struct pathprof_raw_memory *memory, const char *reason, uint64_t offset) {
  if (!memory->error->reason) {
    memory->error->reason = reason;
    memory->error->offset = offset;
  }
  return false;
}

/* ---- opening ---- */

static bool open_areas(struct pathprof_raw_memory *memory) {
  const header_t *header = &memory->header;
  if (!header->num_areas || header->num_areas > PATHPROF_RAW_MAX_AREAS)
    return pathprof_raw_fail(memory, "the number of areas is out of range", offsetof(header_t, num_areas));
  for (uint64_t i = 0; i < header->num_areas; i++) {
    const struct pathprof_raw_area *area = &header->areas[i];
    if (area->offset > memory->size || area->size > memory->size - area->offset ||
        area->address > UINT64_MAX - area->size)
      return pathprof_raw_fail(memory, "an area lies outside the file", offsetof(header_t, areas) + i * sizeof *area);
  }
  return true;
}

static bool open_image(struct pathprof_raw_memory *memory) {
  const header_t *header = &memory->header;
  struct pathprof_error wrong;
  if (header->image_offset > memory->size || header->image_size > memory->size - header->image_offset)
    return pathprof_raw_fail(memory, "the image lies outside the file", offsetof(header_t, image_offset));
  return pathprof_image_open(&memory->image, memory->data + header->image_offset, header->image_size, &wrong) ||
         pathprof_raw_fail(memory, wrong.reason, header->image_offset + wrong.offset);
}

static bool open_placements(struct pathprof_raw_memory *memory) {
  const header_t *header = &memory->header;
  uint64_t at = header->placements_offset;
  if (at > memory->size || header->num_placements > (memory->size - at) / sizeof(struct pathprof_raw_placement))
    return pathprof_raw_fail(memory, "the placements lie outside the file", offsetof(header_t, placements_offset));
  return pathprof_raw_checksum(header, memory->data + at) == header->crc ||
         pathprof_raw_fail(memory, "the header's checksum does not match", offsetof(header_t, crc));
}

bool pathprof_raw_open(struct pathprof_raw_memory *memory, const unsigned char *data, size_t size,
                       struct pathprof_error *error) {
  memory->data = data;
  memory->size = size;
  memory->budget = size;
  memory->error = error;
  error->reason = NULL;
  header_t *header = &memory->header;
  if (!pathprof_is_raw(memory->data, memory->size))
    return pathprof_raw_fail(memory, "not a pathprof raw file (wrong magic)", 0);
  if (memory->size < PATHPROF_RAW_HEADER_SIZE)
    return pathprof_raw_fail(memory, "the header is truncated", memory->size);
  memcpy(header, memory->data, sizeof *header);
  if (header->byte_order != PATHPROF_RAW_BYTE_ORDER)
    return pathprof_raw_fail(memory, "the byte order does not match this machine", offsetof(header_t, byte_order));
  if (header->major != PATHPROF_RAW_MAJOR)
    return pathprof_raw_fail(memory, "unsupported major version of the format; expected " TEXT_OF(PATHPROF_RAW_MAJOR),
                             offsetof(header_t, major));
  return open_placements(memory) && open_image(memory) && open_areas(memory);
}

/* ---- addresses ---- */

const unsigned char *pathprof_raw_at(struct pathprof_raw_memory *memory, uint64_t address, uint64_t size, bool counts) {
  const header_t *header = &memory->header;
  for (uint64_t i = 0; i < header->num_areas; i++) {
    const struct pathprof_raw_area *area = &header->areas[i];
    uint64_t start = address - area->address;
    if (address < area->address || start > area->size || size > area->size - start)
      continue;
    if (counts && size > memory->budget) {
      pathprof_raw_fail(memory, "counters overlap", area->offset + start);
      return NULL;
    }
    memory->budget -= counts ? size : 0;
    return memory->data + area->offset + start;
  }
  pathprof_raw_fail(memory, "an address lies outside all areas of the file", 0);
  return NULL;
}

bool pathprof_raw_has(const struct pathprof_raw_memory *memory, uint64_t address) {
  for (uint64_t i = 0; i < memory->header.num_areas; i++)
    if (address - memory->header.areas[i].address < memory->header.areas[i].size)
      return true;
  return false;
}
