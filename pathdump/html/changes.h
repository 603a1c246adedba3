// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a profile with an earlier profile in an HTML page: lists the largest changes, and the earlier count of each
// displayed path.
//
// Counts of the earlier profile are looked up on demand, so that only the rows of the list are kept in memory.
#ifndef PATHPROF_PATHDUMP_HTML_CHANGES_H
#define PATHPROF_PATHDUMP_HTML_CHANGES_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/html/leading_list.h"
#include "pathdump/model/compare.h"
#include "pathdump/model/hot.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class Changes : public LeadingList {
public:
  // Keeps references to all arguments except the file names. `before` is the earlier profile.
  Changes(const Profile &before, const std::string &before_file, const Profile &now, const std::string &now_file,
          const Names &names, const CommonOptions &options);

  const char *id() const override { return "changes"; }
  const char *title() const override { return "Changes"; }
  // Titles of the added columns: "before" is the execution count in the earlier profile, and "change" is the change in
  // the path's share of all executed statements, in percentage points. The cells of both columns are "-" if the paths
  // cannot be compared because the function has changed.
  std::vector<std::string> columns() const override { return {"before", "change"}; }
  std::vector<std::string> cells(const HotPath &hot) const override;
  // Returns the functions and interprocedural paths that were executed only in the earlier profile. They have the
  // indices and path IDs of that profile.
  std::vector<PackedData> data(SourceFiles &files) override;

protected:
  std::string contents(const PageParts &page) override;

private:
  // Execution count and executed statements of a path in the earlier profile.
  struct Before {
    uint64_t count = 0;
    Weight weight = 0;
  };
  using Item = std::pair<bool, size_t>; // true for an interprocedural unit, and its index in the later profile

  const Profile &profile(int side) const { return *comparison_.sides[side].profile; }
  double share(Weight weight, int side) const { return comparison_.share(weight, side); }
  double points(const PathChange &change) const;
  Before find(const HotPath &hot) const;
  bool ran_now(size_t function) const;
  bool is_earlier(const PathChange &change) const;
  void note(const PathChange &change);
  std::set<size_t> earlier_functions() const;
  std::string address_of(const PathChange &change, const PageParts &page) const;
  std::vector<PathLabel> texts(const PageParts &page);
  std::string summary() const;
  std::string changed_functions() const;

  Names names_;
  Comparison comparison_;
  mutable ProfileView view_;         // the earlier profile
  std::map<Item, size_t> before_of_; // index in the earlier profile of each comparable function or unit
  std::set<Item> not_comparable_;
  ListedPaths earlier_; // rows that the later profile cannot display, by function of the earlier profile
  std::map<size_t, std::set<WideNumber>> earlier_programs_;
  std::map<size_t, std::string> earlier_keys_; // key in the page, by function of the earlier profile
};

} // namespace pathprof::html

#endif
