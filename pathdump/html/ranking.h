// SPDX-License-Identifier: GPL-3.0-or-later
// What a page lists: functions and paths by what they cost, and which of them it shows in detail.
#ifndef PATHPROF_PATHDUMP_HTML_RANKING_H
#define PATHPROF_PATHDUMP_HTML_RANKING_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/sequences.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/text.h"
#include "profile/model/profile.h"

namespace pathprof::html {

struct RankedFunction {
  size_t index = 0; // in the profile
  std::string key;  // what addresses within the page call it
  Totals totals;
  uint64_t calls = 0; // with those of its parts and clones (pathdump/model/families.h)
  Weight weight = 0;
  uint64_t num_executed = 0;  // paths; of a program's function those that come to it
  std::vector<HotPath> paths; // that are shown in detail, hottest first; a program's paths that come to it, too
  bool is_detailed = false;
};

struct Limits {
  double top = 99;       // per cent of the weight, that detailed functions have together
  uint64_t number = 500; // so many of them; 0: any number
};

struct Ranking {
  Basis basis;
  Weight weight = 0;     // of the whole profile
  Weight statements = 0; // likewise, which sequences have their shares of
  uint64_t num_paths = 0, executions = 0;
  std::vector<RankedFunction> functions; // hottest first; selected ones
  std::vector<const Function *> left_out;
  std::vector<HotPath> hottest;    // paths of all functions and programs
  std::vector<Sequence> sequences; // mode=kipf

  double share_of(Weight part) const { return per_cent(static_cast<double>(part), static_cast<double>(weight)); }
  double share_of(const Sequence &sequence) const {
    return per_cent(static_cast<double>(sequence.weight), static_cast<double>(statements));
  }
};

// Paths that a list of their own has, by function, each with its statements.
using ListedPaths = std::map<size_t, std::map<uint64_t, uint64_t>>;

// `listed` paths are among those of their functions, executed or not.
Ranking rank(const Profile &profile, const std::string &file, const Names &names, Decoder &decoder,
             const Limits &limits, const ListedPaths &listed);

} // namespace pathprof::html

#endif
