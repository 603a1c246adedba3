// SPDX-License-Identifier: GPL-3.0-or-later
// What has changed in the sources since a revision, as git tells.
#ifndef PATHPROF_PATHDUMP_COVERAGE_CHANGED_CODE_H
#define PATHPROF_PATHDUMP_COVERAGE_CHANGED_CODE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "pathdump/ui/names.h"
#include "pathdump/wording/sources.h"
#include "profile/model/profile.h"

namespace pathprof {

// Of one file as it is now.  Where lines were deleted only, the line before them has changed.
struct ChangedLines {
  bool is_whole = false; // git does not track the file: all of it is new
  std::set<uint32_t> lines;

  bool has(uint32_t line) const { return is_whole || lines.count(line) != 0; }
};

class ChangedCode {
public:
  // Between the revision and the working tree that the current folder is in, with its submodules and files that git
  // does not track yet.  Throws Failure where git does not know the revision, or there is no repository.
  explicit ChangedCode(const std::string &revision);

  const std::string &revision() const { return revision_; }
  // The changes of a file that the unit has (an index into its files); null where there are none.  A file is known by
  // its place, or where its name leads elsewhere, as in a profile from another machine, by the end of its name.
  const ChangedLines *of(const UnitSources &unit, size_t file, const Names &names) const;

  // Asks for the sources of the selected functions that lie in the repository, so that `sources` tells which are not
  // what was compiled: of those, git and the profile mean different lines.
  void ask_for(Sources &sources, const Profile &profile, const Names &names) const;

private:
  void read_diff(const std::string &text);
  const std::string &name_in_repository(const std::string &name, const std::string &folder) const;
  const ChangedLines *find(const std::string &name, const std::string &folder) const;

  std::string revision_, top_;
  std::map<std::string, ChangedLines> files_; // by name in the repository
  mutable std::map<std::pair<const UnitSources *, size_t>, const ChangedLines *> known_;
  mutable std::map<std::string, std::string> names_in_repository_; // by path: units have many headers in common
};

} // namespace pathprof

#endif
