// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the counts, cycles and forests of a profile, unit by unit, and verifies them against the notes.
#ifndef PATHPROF_PROFILE_MODEL_UNIT_COUNTS_H
#define PATHPROF_PROFILE_MODEL_UNIT_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "profile/format/image.h"
#include "profile/model/notes.h"
#include "profile/model/profile.h"
#include "profile/model/values.h"

namespace pathprof {

// The counts of a unit.  Each vector is in the same order as the index of the notes: first the interprocedural unit, if
// there is one, then the functions.
struct UnitCounts {
  // Path counts.  In the list of cycles, the field `count` contains the cycles of the path.
  using Sums = std::vector<ExecutedPath>;
  struct Sequences {
    Forest forest;
    bool is_pruned = false;
  };

  explicit UnitCounts(size_t num_entries)
      : paths(num_entries), values(num_entries), cycles(num_entries), costs(num_entries), sequences(num_entries) {}

  std::vector<Sums> paths; // executed paths by Ball-Larus ID, even if the profile uses other IDs
  std::vector<std::vector<CountedValue>> values;
  std::vector<Sums> cycles;
  std::vector<Sums> costs; // cost of measuring the cycles, at most one number per entry
  std::vector<Sequences> sequences;
};

// Returns the index of the unit's first function in the vectors of UnitCounts.
inline size_t first_function(const UnitNotes &unit) {
  return unit.program ? 1 : 0;
}

// Reads the counts of all units, one unit at a time.
class CountSections {
public:
  explicit CountSections(const pathprof_image &image);
  // Reads the counts of a single unit.  The cursors cover the unit's data, with the layout of the counts and forests
  // sections.  An empty cursor for forests means that there are no forests.
  CountSections(pathprof_cursor counts, pathprof_cursor forests)
      : counts_(counts), cycles_(), forests_(forests), measuring_() {}

  // Reads the data of the next unit, whose notes are at the offset `base`.  Returns nothing and sets `*wrong` if the
  // data does not match the notes.
  std::optional<UnitCounts> next(const UnitNotes &unit, uint64_t base, pathprof_error *wrong);

private:
  bool read(const UnitNotes &unit, UnitCounts &counts);

  pathprof_cursor counts_, cycles_, forests_, measuring_;
};

// Returns the path ID that a child node represents in the forest of an interprocedural unit with wide path IDs.
inline WideNumber number_at(const Forest &forest, size_t node) {
  return forest[forest[node].parent].id * kDigitValues + forest[node].id;
}

} // namespace pathprof

#endif
