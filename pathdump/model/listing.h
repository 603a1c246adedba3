// SPDX-License-Identifier: GPL-3.0-or-later
// The source of each function with its line counts and the hottest paths through it.
//
// A listing has the lines of one function as the source has it: those of its own body, whichever files they
// are in, and those of its inlined copies, which run on the paths of other functions.  So code stays where it
// was written; what was inlined everywhere has a listing without a body.
#ifndef PATHPROF_PATHDUMP_UI_LISTING_H
#define PATHPROF_PATHDUMP_UI_LISTING_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/model/hot.h"
#include "pathdump/model/lines.h"
#include "pathdump/model/trail.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof {

struct ListedLine {
  LineCount count;
  std::vector<uint32_t> paths; // indices into Listing::paths, increasing
};

struct Listing {
  std::string name;              // assembler
  std::string file;              // as the profile has it
  uint32_t line = 0;             // of the declaration; without a body, the first one
  std::optional<size_t> body;    // index in the profile
  Totals totals;                 // of the body
  Weight weight = 0;             // of the body's paths
  std::set<size_t> inlined_into; // other functions that have a copy
  std::vector<HotPath> paths;    // the hottest ones through any of the lines, hottest first
  std::map<std::pair<std::string, uint32_t>, ListedLine> lines; // by file, as the profile has it

  bool has_run() const { return !paths.empty(); }
};

struct Listings {
  std::vector<Listing> functions; // by file, line, name
  std::vector<const Function *> left_out;
  Weight weight = 0; // of all paths in the profile
};

// Listings of the functions that `names` selects.  `limit` paths each (0: all), of those with at least
// `threshold` per cent of the profile's weight.
Listings make_listings(const Profile &profile, Decoder &decoder, const Names &names, bool by_cycles, uint64_t limit,
                       double threshold);

} // namespace pathprof

#endif
