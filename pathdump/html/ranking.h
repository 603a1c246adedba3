// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks the functions and paths of a page by cost, and selects the functions that the page shows in detail.
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
  size_t index = 0; // index in the profile
  std::string key;  // identifier in addresses within the page
  Totals totals;
  uint64_t calls = 0; // call count, including parts and clones (pathdump/model/families.h)
  Weight weight = 0;
  uint64_t num_executed =
      0; // number of executed paths; with an interprocedural model, of executed paths through the function
  std::vector<HotPath> paths; // detailed paths, hottest first, including interprocedural paths through the function
  bool is_detailed = false;
};

struct Limits {
  double top = 99;       // share of the total weight that the detailed functions cover, in per cent
  uint64_t number = 500; // maximum number of detailed functions, or 0 for no limit
};

struct Ranking {
  Basis basis;
  Weight weight = 0;     // total weight of the profile
  Weight statements = 0; // total statements of the profile, to which the shares of sequences refer
  uint64_t num_paths = 0, executions = 0;
  std::vector<RankedFunction> functions; // selected functions, hottest first
  std::vector<const Function *> left_out;
  std::vector<HotPath> hottest;    // hottest paths of all functions and interprocedural units
  std::vector<Sequence> sequences; // mode=kipf

  double share_of(Weight part) const { return per_cent(static_cast<double>(part), static_cast<double>(weight)); }
  double share_of(const Sequence &sequence) const {
    return per_cent(static_cast<double>(sequence.weight), static_cast<double>(statements));
  }
};

// Number of statements of each path on the leading list, by function and path ID.
using ListedPaths = std::map<size_t, std::map<uint64_t, uint64_t>>;

// Ranks the functions and paths of a profile by `basis`. Paths in `listed` are included in the paths of their functions
// even if they were not executed.
Ranking rank(const Profile &profile, const std::string &file, const Names &names, Decoder &decoder,
             const Limits &limits, const ListedPaths &listed, const Basis &basis);

} // namespace pathprof::html

#endif
