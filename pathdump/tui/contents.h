// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the contents of the screens of 'pathdump tui' from the models that report, show and html also use.
#ifndef PATHPROF_PATHDUMP_TUI_CONTENTS_H
#define PATHPROF_PATHDUMP_TUI_CONTENTS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pathdump/model/basis.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/listing.h"
#include "pathdump/describe/sources.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/tui/pane.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::tui {

class Contents {
public:
  // Keeps references to the arguments. `basis` is the quantity by which rows are ranked.
  Contents(const Profile &profile, const std::string &file, const Names &names, const CommonOptions &options,
           const Basis &basis);

  // Return the list of hot paths and the list of functions, hottest first. If `all` is set, functions() also appends
  // the unexecuted functions.
  Pane hot_paths();
  Pane functions(bool all) const;
  // Return the views of a function: its source lines with counts, its graph, and its paths. The optional `path` is
  // marked in the source and in the graph.
  Pane source(size_t listing, std::optional<size_t> path);
  Pane graph(size_t listing, std::optional<size_t> path);
  Pane paths(size_t listing);

  std::string name_of(size_t listing) const { return view_.names.function(listings_.functions[listing].name); }

private:
  struct Ranked {
    HotPath hot;
    std::optional<Target> target; // nothing if no function can be opened
    bool operator<(const Ranked &other) const { return hot < other.hot; }
  };

  std::string share(Weight weight) const;
  std::string title_of_paths() const;
  // Appends a row for each warning about the profile.
  void add_warnings(Pane &pane) const;
  std::vector<Ranked> ranked_paths() const;
  void add_paths(Pane &pane, const std::vector<HotPath> &paths);
  void add_source_file(Pane &pane, const Listing &listing, const std::string &file, const LinesOfFile &lines,
                       std::optional<size_t> path);
  std::vector<char> blocks_on(const Listing &listing, std::optional<size_t> path);
  void add_block(Pane &pane, const Function &function, int block, const std::vector<uint64_t> &counts, bool is_marked);

  ProfileView view_;
  std::vector<std::string> warnings_;
  Basis basis_;
  Listings listings_;
};

} // namespace pathprof::tui

#endif
