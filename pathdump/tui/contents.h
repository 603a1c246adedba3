// SPDX-License-Identifier: GPL-3.0-or-later
// What the screens of 'pathdump tui' have in them, made of the models that the report, show and the page are made of.
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
#include "pathdump/tui/pane.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::tui {

class Contents {
public:
  // Keeps references.
  Contents(const Profile &profile, const std::string &file, const Names &names);

  // Functions and paths, the hottest first.  `all`: also functions that never ran, after the others.
  Pane hot_paths();
  Pane functions(bool all) const;
  // Of one function: its lines with their counts and its graph, in both of which a path can be marked; its paths.
  Pane source(size_t listing, std::optional<size_t> path);
  Pane graph(size_t listing, std::optional<size_t> path);
  Pane paths(size_t listing);

  std::string name_of(size_t listing) const { return names_.function(listings_.functions[listing].name); }

private:
  struct Ranked {
    HotPath hot;
    std::optional<Target> target; // none: a path of the program
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

  const Profile &profile_;
  const std::string &file_;
  const Names &names_;
  std::vector<std::string> warnings_;
  Sources sources_;
  PathFormatter formatter_;
  Decoder decoder_;
  Basis basis_;
  Listings listings_;
};

} // namespace pathprof::tui

#endif
