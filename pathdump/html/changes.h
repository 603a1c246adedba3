// SPDX-License-Identifier: GPL-3.0-or-later
// A profile against an earlier one in a page: a list of what changed most, and what each shown path was before.
#ifndef PATHPROF_PATHDUMP_HTML_CHANGES_H
#define PATHPROF_PATHDUMP_HTML_CHANGES_H

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "pathdump/html/ranking.h"
#include "pathdump/html/table.h"
#include "pathdump/model/compare.h"
#include "pathdump/model/hot.h"
#include "pathdump/wording/sources.h"
#include "pathdump/wording/trail.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class Changes {
public:
  // Keeps references to all but the names of files.  `before` is the earlier profile.
  Changes(const Profile &before, const std::string &before_file, const Profile &now, const std::string &now_file,
          const Names &names, const CommonOptions &options);

  // Paths of the list by function of the later profile, each with its statements; also those that it did not execute.
  const ListedPaths &listed() const { return listed_; }
  // Cells "before" and "change": executions in the earlier profile, and by how many percentage points the path's share
  // of all executed statements grew.  "-" where the path cannot be found there, since its function has changed.
  std::string before(const HotPath &hot) const;
  std::string change(const HotPath &hot) const;
  // Adds "before" and "change" to each path of what Details::function says.
  void add(Json &json, const RankedFunction &ranked) const;

  // The section of the page.  `address`: where the page shows a path of the later profile, or nothing; `wording`: of
  // the later profile.
  std::string section(Glossary &glossary, Wording &wording, Decoder &decoder,
                      const std::function<std::string(const HotPath &)> &address);
  // The programs' paths of the list that the later profile executed.
  void note_programs(std::map<size_t, std::set<WideNumber>> &of_program) const;

private:
  using Key = std::tuple<bool, size_t, WideNumber>; // of the later profile: program or function, and number

  double share(Weight weight, int side) const;
  double points(const PathChange &change) const;
  bool is_comparable(const HotPath &hot) const;
  const PathChange *find(const HotPath &hot) const;
  size_t num_listed() const;
  static HotPath hot_of(const PathChange &change); // as the later profile has it, or else the earlier one
  std::vector<RowText> texts(Wording &wording, Decoder &decoder);
  std::string summary() const;
  std::string changed_functions() const;

  Names names_;
  Comparison comparison_;
  Sources sources_; // of the earlier profile
  Wording wording_;
  Decoder decoder_;
  std::map<Key, size_t> by_path_;                    // places in the comparison's changes
  std::set<std::pair<bool, size_t>> not_comparable_; // programs and functions of the later profile
  ListedPaths listed_;
};

} // namespace pathprof::html

#endif
