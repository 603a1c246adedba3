// SPDX-License-Identifier: GPL-3.0-or-later
// What a profile counted of each unit: its sections besides notes, read unit by unit and checked against these.
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

// All by entry of the notes' index: that of the unit's program first, if it has one, and then those of its functions.
struct UnitCounts {
  // Counts by path, or cycles in the place of the counts.
  using Sums = std::vector<ExecutedPath>;
  struct Sequences {
    Forest forest;
    bool is_pruned = false;
  };

  explicit UnitCounts(size_t num_entries)
      : paths(num_entries), values(num_entries), cycles(num_entries), costs(num_entries), sequences(num_entries) {}

  std::vector<Sums> paths; // by their Ball-Larus numbers, also where they were counted by others
  std::vector<std::vector<CountedValue>> values;
  std::vector<Sums> cycles;
  std::vector<Sums> costs; // of measuring these: one number at most
  std::vector<Sequences> sequences;
};

// The entry of a unit's first function.
inline size_t first_function(const UnitNotes &unit) {
  return unit.program ? 1 : 0;
}

// Reads these sections on from unit to unit.
class CountSections {
public:
  explicit CountSections(const pathprof_image &image);
  // Of one unit: cursors at what the sections of counts and of forests would have of it (without data: no forests).
  CountSections(pathprof_cursor counts, pathprof_cursor forests)
      : counts_(counts), cycles_(), forests_(forests), measuring_() {}

  // Of the next unit, whose notes lie at `base`.  Nothing with *wrong filled where they do not go together.
  std::optional<UnitCounts> next(const UnitNotes &unit, uint64_t base, pathprof_error *wrong);

private:
  bool read(const UnitNotes &unit, UnitCounts &counts);

  pathprof_cursor counts_, cycles_, forests_, measuring_;
};

// In a forest of a program's numbers, which have two digits: the number of a lower one, with the one above it.
inline WideNumber number_at(const Forest &forest, size_t node) {
  return forest[forest[node].parent].id * kDigitValues + forest[node].id;
}

} // namespace pathprof

#endif
