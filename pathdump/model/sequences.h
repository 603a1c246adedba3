// SPDX-License-Identifier: GPL-3.0-or-later
// Hot sequences of paths (mode kipf, core/models/forest.h).
#ifndef PATHPROF_PATHDUMP_MODEL_SEQUENCES_H
#define PATHPROF_PATHDUMP_MODEL_SEQUENCES_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

// A sequence is ranked by the executed statements that lie in its occurrences, each counted once.  Occurrences may
// overlap: of a loop that takes one path for a hundred iterations, sequences of ten begin in each but the last
// nine.  But two are never nearer than the sequence's period, the smallest p for which it goes on as p paths before;
// so count × statements of its first p paths is what they cover without overlap, and no share passes 100 per cent.
struct Sequence {
  size_t function = 0; // index in the profile
  std::vector<uint64_t> paths;
  uint64_t count = 0;
  size_t period = 0;
  Weight weight = 0;

  // Hotter ones come first.
  bool operator<(const Sequence &other) const;
};

// Sequences of two paths and more, hottest first, at most `limit` (0: all).
//
// Beginnings, ends and other windows of a sequence that is listed are left out as long as they add little.
// A sequence is extended by a path, at either end, as long as what is left covers nine tenths of what it covered;
// and one that lies in a listed sequence, or overlaps one by half its length or more, is left out where their
// weights differ by less than a tenth; or it goes through the cycle of a listed one that repeats itself, and covers
// little more.
std::vector<Sequence> hot_sequences(const Profile &profile, const std::string &file, const Names &names,
                                    uint64_t limit);

// How a sequence is written: paths that are taken several times in a row are one step; of a sequence that repeats
// itself one period is shown.
struct SequenceStep {
  uint64_t path;
  size_t times;
};
std::vector<SequenceStep> steps_of(const Sequence &sequence);
// "repeated 3 times and 1 path more", or nothing.
std::string repetition_text(const Sequence &sequence);
// "5×9 3", or "(5 3) repeated 4 times".
std::string ids_text(const Sequence &sequence);

} // namespace pathprof

#endif
