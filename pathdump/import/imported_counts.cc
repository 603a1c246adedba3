// SPDX-License-Identifier: GPL-3.0-or-later
// Converts the counters of a freestanding program to a profile, as the runtime of a hosted program does when the
// program ends (libpathrt/snapshot/collect.c).
#include "pathdump/import/imported_counts.h"

#include <algorithm>
#include <memory>
#include <tuple>

#include <fmt/format.h>

#include "core/numbering/saturate.h"
#include "pathdump/ui/failure.h"
#include "profile/format/counts.h"
#include "profile/format/image.h"
#include "profile/format/storage.h"
#include "profile/format/unit_sums.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

pathprof_text text_of(const std::string &text) {
  return {reinterpret_cast<const unsigned char *>(text.data()), text.size()};
}

pathprof_text text_of(const std::vector<unsigned char> &bytes) {
  return {bytes.data(), bytes.size()};
}

// A unit and the indices of the linked copies of this unit. A source file that is compiled twice with the same options
// has two copies.
struct Group {
  pathprof_unit_notes notes;
  std::vector<size_t> copies;
};

// Returns the groups of a range of the units.
std::vector<Group> groups_of(const std::vector<FreestandingUnit> &units, size_t first, size_t num) {
  std::vector<Group> groups;
  for (size_t i = first; i < first + num; i++) {
    pathprof_text notes = text_of(units[i].notes);
    groups.push_back({{pathprof_unit_key(notes), notes}, {i}});
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Group &a, const Group &b) { return pathprof_compare_units(&a.notes, &b.notes) < 0; });
  std::vector<Group> combined;
  for (Group &group : groups)
    if (combined.empty() || pathprof_compare_units(&combined.back().notes, &group.notes) != 0) {
      combined.push_back(std::move(group));
    } else {
      combined.back().notes = *pathprof_choose_unit(&combined.back().notes, &group.notes);
      combined.back().copies.push_back(group.copies.front());
    }
  return combined;
}

// The runtime of a hosted program computes the same key (pathrt_units_key).
uint64_t key_of(const std::vector<Group> &groups) {
  pathprof_buffer keys = {};
  for (const Group &group : groups)
    pathprof_put_u64(&keys, group.notes.key);
  uint64_t key = pathprof_key(keys.data, keys.size);
  pathprof_buffer_free(&keys);
  return key;
}

std::string base_name(const std::string &file) {
  return file.substr(file.rfind('/') + 1);
}

// A module of the profile: the program, or a module of a Linux kernel.
struct Module {
  std::string name;
  std::vector<unsigned char> build_id;
  uint64_t key;

  bool operator<(const Module &other) const {
    return std::tie(name, build_id, key) < std::tie(other.name, other.build_id, other.key);
  }
};

// Returns the modules in the order of the profile.
std::vector<Module> modules_of(const FreestandingProgram &program) {
  std::vector<Module> modules;
  for (const FreestandingImage &image : program.images()) {
    uint64_t key = key_of(groups_of(program.units(), image.first_unit, image.num_units));
    pathprof_buffer key_bytes = {};
    pathprof_put_u64(&key_bytes, key);
    std::vector<unsigned char> own_id(key_bytes.data, key_bytes.data + key_bytes.size);
    pathprof_buffer_free(&key_bytes);
    modules.push_back({base_name(image.file), image.build_id.empty() ? own_id : image.build_id, key});
  }
  std::sort(modules.begin(), modules.end());
  return modules;
}

void put_program(pathprof_writer &writer, const FreestandingProgram &of, uint64_t num_runs, uint64_t num_resets) {
  std::string name = base_name(of.file());
  std::vector<Module> modules = modules_of(of);
  pathprof_program program = {text_of(name), num_runs, 0, num_resets, modules.size(), 0};
  pathprof_program_more more = {};
  pathprof_buffer *out = &writer.section[PATHPROF_SECTION_PROGRAM];
  pathprof_put_program(out, &program);
  for (const Module &one : modules) {
    pathprof_module module = {text_of(one.name), text_of(one.build_id), one.key};
    pathprof_put_module(out, &module);
  }
  pathprof_put_program_more(out, &more);
}

} // namespace

ImportedCounts::ImportedCounts(const FreestandingProgram &program) : program_(program) {
  for (const FreestandingUnit &unit : program.units())
    sums_.emplace_back(unit.num_counters());
}

void ImportedCounts::add(size_t unit, const unsigned char *counters) {
  uint64_t size = program_.units()[unit].counter_size;
  for (size_t i = 0; i < sums_[unit].size(); i++) {
    uint64_t count = program_.number_at(counters + i * size, size);
    if (size == 1 && count > 1)
      throw Failure(kBadData,
                    fmt::format("{}: a counter has the value {}, but with counters=bit it can only be 0 or 1; clear "
                                "the counters with pathrt_clear() when the program starts",
                                visible(program_.file()), count));
    num_saturated_ += size == sizeof(uint32_t) && count == UINT32_MAX;
    saturating_add(sums_[unit][i], count);
  }
}

// The counters of a unit are grouped by function, in the order in which the index of the notes lists the functions.
FileBytes ImportedCounts::image(uint64_t num_runs, uint64_t num_resets) const {
  std::vector<Group> groups = groups_of(program_.units(), 0, program_.units().size());
  pathprof_writer writer = {};
  pathprof_unit_sums sums = {};
  pathprof_buffer counts = {}, no_cycles = {};
  auto index = std::make_unique<pathprof_index>();
  put_program(writer, program_, num_runs, num_resets);
  pathprof_put_varint(&writer.section[PATHPROF_SECTION_UNITS], groups.size());
  for (const Group &group : groups) {
    const std::vector<uint64_t> *first = &sums_[group.copies.front()];
    uint64_t next = 0;
    pathprof_begin_unit_sums(&sums);
    pathprof_index_open(index.get(), group.notes.notes, 0);
    while (pathprof_index_next(index.get())) {
      uint64_t num_paths = index->storage == PATHPROF_STORAGE_ARRAY ? index->num_paths : 0;
      if (num_paths > first->size() - next)
        pathprof_cursor_fail(&index->cursor, "the notes do not match the counters");
      counts.size = 0;
      for (uint64_t id = 0; id < num_paths && pathprof_cursor_ok(&index->cursor); id++)
        for (size_t copy : group.copies) {
          pathprof_count count = {id, sums_[copy][next + id]};
          if (count.count)
            pathprof_put_bytes(&counts, &count, sizeof count);
        }
      next += num_paths;
      pathprof_put_function_sums(&sums, index->next - 1, &counts, &no_cycles, 0);
    }
    if (!pathprof_cursor_ok(&index->cursor))
      throw Failure(kBadData, fmt::format("{}: malformed notes of instrumented code: {}; compile the program again",
                                          visible(program_.file()), index->cursor.error.reason));
    pathprof_put_unit(&writer.section[PATHPROF_SECTION_UNITS], &group.notes);
    pathprof_put_unit_sums(&writer, &sums);
  }
  pathprof_free_unit_sums(&sums);
  pathprof_buffer_free(&counts);
  pathprof_buffer file = {};
  pathprof_writer_finish(&writer, &file);
  if (file.failed)
    throw std::bad_alloc();
  return FileBytes::from(&file);
}

} // namespace pathprof
