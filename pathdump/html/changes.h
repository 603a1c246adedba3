// SPDX-License-Identifier: GPL-3.0-or-later
// A profile against an earlier one in a page: a list of what changed most, and what each shown path was before.
//
// What the earlier profile has of a path is looked up there when it is asked for, so that no more is kept of it than
// the list's rows.
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
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class Changes : public LeadingList {
public:
  // Keeps references to all but the names of files.  `before` is the earlier profile.
  Changes(const Profile &before, const std::string &before_file, const Profile &now, const std::string &now_file,
          const Names &names, const CommonOptions &options);

  const char *id() const override { return "changes"; }
  const char *title() const override { return "Changes"; }
  // "before" and "change": executions in the earlier profile, and by how many percentage points the path's share
  // of all executed statements grew.  "-" where the path cannot be found there, since its function has changed.
  std::vector<std::string> columns() const override { return {"before", "change"}; }
  std::vector<std::string> cells(const HotPath &hot) const override;
  // Functions and paths through calls that only the earlier profile executed, as that has them.
  std::vector<PackedData> data(SourceFiles &files) override;

protected:
  std::string contents(const PageParts &page) override;

private:
  // Executions in the earlier profile, and executed statements.
  struct Before {
    uint64_t count = 0;
    Weight weight = 0;
  };
  using Item = std::pair<bool, size_t>; // whether it is a program, and its index in the later profile

  const Profile &profile(int side) const { return *comparison_.sides[side].profile; }
  double share(Weight weight, int side) const { return comparison_.share(weight, side); }
  double points(const PathChange &change) const;
  Before find(const HotPath &hot) const;
  bool ran_now(size_t function) const;
  bool is_earlier(const PathChange &change) const;
  void note(const PathChange &change);
  std::set<size_t> earlier_functions() const;
  static HotPath hot_of(const PathChange &change); // as the later profile has it, or else the earlier one
  std::string address_of(const PathChange &change, const PageParts &page) const;
  std::vector<PathLabel> texts(const PageParts &page);
  std::string summary() const;
  std::string changed_functions() const;

  Names names_;
  Comparison comparison_;
  Sources sources_; // of the earlier profile
  PathFormatter formatter_;
  mutable Decoder decoder_;
  std::map<Item, size_t> before_of_; // what the earlier profile has of what is comparable
  std::set<Item> not_comparable_;
  ListedPaths earlier_; // by function of the earlier profile: rows that the later one cannot show
  std::map<size_t, std::set<WideNumber>> earlier_programs_;
  std::map<size_t, std::string> earlier_keys_; // by function of the earlier profile: what the page calls it
};

} // namespace pathprof::html

#endif
