// SPDX-License-Identifier: GPL-3.0-or-later
// Finds hot sequences of paths (mode=kipf, core/models/forest.h).
#ifndef PATHPROF_PATHDUMP_MODEL_SEQUENCES_H
#define PATHPROF_PATHDUMP_MODEL_SEQUENCES_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// A sequence of paths. Sequences are ranked by the executed statements in their occurrences, each counted once.
// Occurrences can overlap: if a loop executes the same path in a hundred iterations, a sequence of ten paths starts in
// each iteration except the last nine. The distance of two occurrences is at least the sequence's period, the smallest
// p such that each path equals the path p positions before it. The count multiplied by the statements of the first p
// paths therefore covers no statement twice, and no share exceeds 100 percent.
struct Sequence {
  size_t function = 0; // index of the function in the profile
  std::vector<uint64_t> paths;
  uint64_t count = 0;
  size_t period = 0;
  Weight weight = 0;

  // Sorts hotter sequences first.
  bool operator<(const Sequence &other) const;
};

// Returns the sequences of two or more paths, hottest first, at most `limit` (0: all).
//
// A sequence is extended by a path at either end as long as the longer sequence covers at least nine tenths of the
// original statements. A sequence is omitted if its weight differs by less than a tenth from that of a listed sequence
// and one of the two sequences contains the other or overlaps it by half of its length. A sequence is also omitted if
// it lies in the cycle of a listed repeating sequence and covers little more.
std::vector<Sequence> hot_sequences(const Profile &profile, const std::string &file, const Names &names,
                                    uint64_t limit);

// A step of a printed sequence: successive executions of the same path. If a sequence repeats, only one period is
// printed.
struct SequenceStep {
  uint64_t path;
  size_t times;
};
std::vector<SequenceStep> steps_of(const Sequence &sequence);
// Returns "repeated 3 times, plus 1 path", or an empty string if the sequence does not repeat.
std::string repetition_text(const Sequence &sequence);
// Returns the path IDs of a sequence: "5×9 3", or "(5 3) repeated 4 times".
std::string ids_text(const Sequence &sequence);

} // namespace pathprof

#endif
