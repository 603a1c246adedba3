/* SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1 */
/* Describes where each unit's counters are stored in a raw file.  */
#include "libpathrt/snapshot/describe.h"

#include <string.h>

#include "libpathrt/snapshot/collect.h"
#include "libpathrt/memory/section.h"
#include "libpathrt/storage/units.h"
#include "profile/format/image.h"
#include "profile/format/raw.h"

static bool is_in_section(const void *data, uint64_t size) {
  uint64_t all = pathrt_section_size();
  uint64_t at = (uintptr_t)data - (uintptr_t)__start_pathprof_counters;
  return !size || (at <= all && size <= all - at);
}

bool pathrt_counters_in_section(void) {
  for (pathrt_unit unit = pathrt_next_unit(NULL); unit; unit = pathrt_next_unit(unit))
    if (!is_in_section(unit->counters, unit->num_counters * sizeof *unit->counters) ||
        !is_in_section(unit->tables, unit->num_tables * sizeof *unit->tables))
      return false;
  return true;
}

static uint64_t offset_in_section(const void *data, uint64_t n) {
  return n ? (uint64_t)((const unsigned char *)data - __start_pathprof_counters) : 0;
}

static void put_placement(struct pathprof_buffer *placements, uint64_t group, pathrt_unit unit) {
  struct pathprof_raw_placement place = {group, offset_in_section(unit->counters, unit->num_counters),
                                         unit->num_counters, offset_in_section(unit->tables, unit->num_tables),
                                         unit->num_tables};
  pathprof_put_bytes(placements, &place, sizeof place);
}

/* Serializes all groups of identical units, without counts, and the positions of their counters.  */
static void describe_units(struct pathprof_writer *writer, struct pathprof_buffer *placements) {
  struct pathprof_buffer units = {0}, *out = &writer->section[PATHPROF_SECTION_UNITS];
  uint64_t num_groups = 0;
  size_t n, size;
  pathrt_unit *all = pathrt_all_units(&n);
  for (size_t i = 0; i < n; i += size, num_groups++) {
    size = pathrt_group_size(all + i, n - i);
    struct pathprof_unit_notes notes = pathrt_notes_of_group(all + i, size);
    pathprof_put_unit(&units, &notes);
    pathprof_put_varint(&writer->section[PATHPROF_SECTION_COUNTS], 0);
    for (size_t k = 0; k < size; k++)
      put_placement(placements, num_groups, all[i + k]);
  }
  pathprof_put_varint(out, num_groups);
  pathprof_put_bytes(out, units.data, units.size);
  out->failed |= units.failed;
  pathprof_buffer_free(&units);
}

bool pathrt_describe(struct pathprof_buffer *file, const struct pathrt_identity *identity) {
  struct pathprof_writer writer;
  struct pathprof_buffer image = {0}, placements = {0};
  struct pathrt_run run = {identity, 0, 0, 0, 0, 0, {NULL, 0, 0, 0, 0}};
  memset(&writer, 0, sizeof writer);
  if (!pathrt_find_units())
    return false;
  pathrt_put_program(&writer.section[PATHPROF_SECTION_PROGRAM], &run);
  describe_units(&writer, &placements);
  pathprof_writer_finish(&writer, &image);
  pathprof_raw_begin(file, &image, (const void *)placements.data,
                     placements.size / sizeof(struct pathprof_raw_placement));
  file->failed |= placements.failed;
  pathprof_buffer_free(&image);
  pathprof_buffer_free(&placements);
  return !file->failed;
}
