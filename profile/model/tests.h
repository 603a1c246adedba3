// SPDX-License-Identifier: GPL-3.0-or-later
// The tests in a profile: what each of them executed (profile/format/tests.h).
#ifndef PATHPROF_PROFILE_MODEL_TESTS_H
#define PATHPROF_PROFILE_MODEL_TESTS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "profile/format/tests.h"
#include "profile/model/profile.h"
#include "profile/model/unit_counts.h"

namespace pathprof {

// Where units' entries are in a profile that was read.
struct EntryPlaces {
  static constexpr size_t kNone = SIZE_MAX;
  std::vector<std::vector<size_t>> functions; // by unit and function of it (without a program's entry)
  std::vector<size_t> programs;               // by unit; kNone: it has none
};

// Reads a profile and says where everything is.  Bodies that the linker discarded are among its functions.
std::optional<Profile> parse_with_places(const std::string &name, const unsigned char *data, size_t size,
                                         EntryPlaces *places, LoadError *error);

// A unit of a profile: its entry in the section of units, its notes, and where these lie in the file.
struct UnitEntry {
  pathprof_unit_notes entry;
  UnitNotes notes;
  uint64_t base;
};
// Visits the units in their order, until `visit` gives false with *wrong filled.  False with *wrong filled where it
// did, or where an entry or notes are malformed.
bool visit_units(const pathprof_image &image, const std::function<bool(UnitEntry)> &visit, pathprof_error *wrong);

// The units of a profile, for reading counts of them again and again.  Refers to the bytes of the profile.
struct UnitTable {
  std::vector<UnitNotes> notes;
  std::vector<pathprof_unit_notes> units;
  std::vector<uint64_t> bases; // where the notes lie in the file
};
// Nothing with *wrong filled where the notes are malformed.
std::optional<UnitTable> read_units(const pathprof_image &image, pathprof_error *wrong);

// Is given a unit's place and what was counted of it.
using VisitUnit = std::function<void(size_t unit, const UnitCounts &counts)>;
// Visits what a test executed, or what a whole profile has, by increasing unit.  False with *wrong filled where the
// data contradicts itself.
bool visit_test(const UnitTable &table, pathprof_test test, const VisitUnit &visit, pathprof_error *wrong);
bool visit_all(const UnitTable &table, const pathprof_image &image, const VisitUnit &visit, pathprof_error *wrong);

} // namespace pathprof

#endif
