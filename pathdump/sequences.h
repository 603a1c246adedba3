// SPDX-License-Identifier: GPL-3.0-or-later
// Hot sequences of paths (mode kipf, core/forest.h).
#ifndef PATHPROF_PATHDUMP_SEQUENCES_H
#define PATHPROF_PATHDUMP_SEQUENCES_H

#include <cstdint>
#include <string>
#include <vector>

#include "pathdump/common.h"

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
  unsigned __int128 weight = 0;
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

// "forest" of the JSON export: the k-IPF.
void append_forest(std::string &text, const Function &function);

struct SequenceOptions {
  uint64_t limit = 20;
  double threshold = 0; // per cent
  bool lines = false;
  bool json = false;
};

// pathdump report --sequences.
void print_sequences(const Profile &profile, const std::string &file, const Names &names,
                     const SequenceOptions &options, Output &out);

} // namespace pathprof

#endif
