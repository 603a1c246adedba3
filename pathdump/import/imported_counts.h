// SPDX-License-Identifier: GPL-3.0-or-later
// Adds up the counters of a freestanding program and converts the sums to a profile.
#ifndef PATHPROF_PATHDUMP_IMPORT_IMPORTED_COUNTS_H
#define PATHPROF_PATHDUMP_IMPORT_IMPORTED_COUNTS_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/import/freestanding_program.h"
#include "profile/model/file.h"

namespace pathprof {

class ImportedCounts {
public:
  explicit ImportedCounts(const FreestandingProgram &program);

  // Adds the counters of a unit, which are in the byte order of the program.
  void add(size_t unit, const unsigned char *counters);
  // Returns the number of counters that had their largest value. The counts of their paths can be larger.
  uint64_t num_saturated() const { return num_saturated_; }
  // Returns the image of a profile. `num_runs` is the number of dumps that were added. `num_resets` is the number of
  // dumps before which the counters were cleared while functions were active. Throws Failure if the notes of the
  // program do not match its counters.
  FileBytes image(uint64_t num_runs, uint64_t num_resets) const;

private:
  const FreestandingProgram &program_;
  std::vector<std::vector<uint64_t>> sums_; // of each counter of each unit
  uint64_t num_saturated_ = 0;
};

} // namespace pathprof

#endif
