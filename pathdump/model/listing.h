// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the source lines of each function with their counts and the hottest paths through them.
//
// A listing contains the lines of the function's own body, in whichever files they are, and the lines of its inlined
// copies, which are executed on the paths of other functions. Code is therefore listed where it was written. A function
// that was inlined everywhere has a listing without a body.
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
  std::vector<uint32_t> paths; // indices into Listing::paths, in increasing order
};

struct Listing {
  std::string name;              // assembler name
  std::string file;              // file name as in the profile
  uint32_t line = 0;             // line of the declaration; without a body, the first line
  std::optional<size_t> body;    // index of the function in the profile
  Totals totals;                 // totals of the body
  Weight weight = 0;             // weight of the body's paths
  std::set<size_t> inlined_into; // other functions that contain a copy
  std::vector<HotPath> paths;    // hottest paths through any of the lines, hottest first
  uint64_t num_paths = 0;        // number of executed paths through any of the lines, including those not in `paths`
  std::map<std::pair<std::string, uint32_t>, ListedLine> lines; // lines by file (named as in the profile) and number

  bool has_run() const { return !paths.empty(); }
};

struct Listings {
  std::vector<Listing> functions; // listings sorted by file, line and name
  std::vector<const Function *> left_out;
  Weight weight = 0; // weight of all paths in the profile
};

// Returns the listings of the functions that `names` selects. Each listing contains at most `limit` paths (0: all),
// each with at least `threshold` percent of the profile's weight.
Listings make_listings(const Profile &profile, Decoder &decoder, const Names &names, Ranking ranking, uint64_t limit,
                       double threshold);

// Returns true if any line was executed, including lines in inlined copies and on interprocedural paths.
bool lines_ran(const Listing &listing);
// Sorts hotter listings first. A function that exists only as inlined copies has no weight and is sorted by the hottest
// path through these copies.
bool hotter(const Listing &a, const Listing &b);

// Lines in order of their numbers. For a line without code, the pointer is null. If an element represents many omitted
// lines without code, its number is 0.
using LinesOfFile = std::vector<std::pair<uint32_t, const ListedLine *>>;

// Returns the listing's lines in the files that `names` selects, beginning with the function's own file.
std::vector<std::pair<std::string, LinesOfFile>> lines_by_file(const Listing &listing, const Names &names);
// Returns the given lines of a file and, if the source can be read, the lines between them, such as comments.
LinesOfFile with_lines_between(const LinesOfFile &lines, Sources &sources, size_t file);
// Returns the sources of a unit that contains this file name. The unit of the listing's function takes precedence over
// units that contain inlined copies of the function.
const UnitSources &unit_of(const Profile &profile, const Listing &listing, const std::string &file);

} // namespace pathprof

#endif
