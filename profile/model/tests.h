// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the tests in a profile with the paths that each test executed (profile/format/tests.h).
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

// Maps the functions and programs of units to their indices in a profile.
struct EntryPlaces {
  static constexpr size_t kNone = SIZE_MAX;
  std::vector<std::vector<size_t>>
      functions;                // per unit and function (without the entry of a program): index in Profile::functions
  std::vector<size_t> programs; // per unit: index in Profile::interprocedural_units, or kNone
};

// Reads a profile, and sets `*places` to the indices of all functions and programs.  Does not remove bodies that the
// linker discarded.
std::optional<Profile> parse_with_places(const std::string &name, const unsigned char *data, size_t size,
                                         EntryPlaces *places, LoadError *error);

// A unit of a profile: its entry in the units section, its decoded notes, and the offset of the notes in the file.
struct UnitEntry {
  pathprof_unit_notes entry;
  UnitNotes notes;
  uint64_t base;
};
// Calls `visit` for each unit, in file order.  Stops and returns false if `visit` returns false; in this case, `visit`
// must set `*wrong`.  Sets `*wrong` and returns false if a unit's entry or notes are malformed.
bool visit_units(const pathprof_image &image, const std::function<bool(UnitEntry)> &visit, pathprof_error *wrong);

// The units of a profile, decoded once so that counts can be read repeatedly.  The table contains pointers to the data
// of the profile.
struct UnitTable {
  std::vector<UnitNotes> notes;
  std::vector<pathprof_unit_notes> units;
  std::vector<uint64_t> bases; // offset of each unit's notes in the file
};
// Decodes all units of a profile.  Returns nothing and sets `*wrong` if the notes are malformed.
std::optional<UnitTable> read_units(const pathprof_image &image, pathprof_error *wrong);

// Callback that receives the index of a unit and its counts.
using VisitUnit = std::function<void(size_t unit, const UnitCounts &counts)>;
// Visits the counts of a test, in order of increasing unit index.  Returns false and sets `*wrong` if the data is
// inconsistent.
bool visit_test(const UnitTable &table, pathprof_test test, const VisitUnit &visit, pathprof_error *wrong);
// Visits the counts of the whole profile, in order of increasing unit index.  Returns false and sets `*wrong` if the
// data is inconsistent.
bool visit_all(const UnitTable &table, const pathprof_image &image, const VisitUnit &visit, pathprof_error *wrong);

} // namespace pathprof

#endif
