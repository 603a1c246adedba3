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
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
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
Listings make_listings(const Profile &profile, Decoder &decoder, const Names &names, Ranking ranking, uint64_t limit,
                       double threshold);

// Whether any line ran, also in a copy, or on paths of the program.
bool lines_ran(const Listing &listing);
// Hottest first.  Functions that only have copies have no weight, and come by the hottest path through these.
bool hotter(const Listing &a, const Listing &b);

// Lines by number; null where there is no code, and 0 where many lines without code are left out.
using LinesOfFile = std::vector<std::pair<uint32_t, const ListedLine *>>;

// The listing's lines in files that `names` selects, those of the function's own file first.
std::vector<std::pair<std::string, LinesOfFile>> lines_by_file(const Listing &listing, const Names &names);
// The same lines of a file with those between them, comments for instance, if the source can be read.
LinesOfFile with_lines_between(const LinesOfFile &lines, Sources &sources, size_t file);
// Whose file the listing's function calls so; of a file of copies only, that of a function with a copy.
const UnitSources &unit_of(const Profile &profile, const Listing &listing, const std::string &file);

} // namespace pathprof

#endif
