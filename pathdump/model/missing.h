// SPDX-License-Identifier: GPL-3.0-or-later
// The paths of a profile that never ran, nearest to executed ones first (core/analysis/unexecuted.h).
#ifndef PATHPROF_PATHDUMP_MODEL_MISSING_H
#define PATHPROF_PATHDUMP_MODEL_MISSING_H

#include <cstdint>
#include <string>
#include <vector>

#include "core/analysis/unexecuted.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/model/hot.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "profile/model/profile.h"

namespace pathprof {

// Of functions that `names` selects and that ran, whose paths are their own.  Keeps references.
class MissingPaths {
public:
  // `limit` paths in all: by distance, then by how often the nearest path ran.
  MissingPaths(const Profile &profile, const std::string &file, const Names &names, PathFormatter &formatter,
               uint64_t limit);

  void print_text(Output &out);
  Json json();

private:
  struct Entry {
    size_t function;
    UnexecutedPath path;
  };

  void look_at(size_t index, uint64_t limit);
  std::string name_of(size_t function) const { return names_.function(profile_.functions[function].notes.name); }
  std::string line_sequence(const Entry &entry, uint64_t id, PathFormatter &formatter);
  std::vector<Difference> differences(const Entry &entry, const Decisions &decisions) const;
  void print_table(Output &out);
  Json path_of(const Entry &entry);

  const Profile &profile_;
  const Names &names_;
  PathFormatter &formatter_;
  Decoder decoder_;
  std::vector<Entry> paths_;
  std::vector<size_t> unfinished_; // functions of which not all near paths were looked at
  mpz_class num_missing_ = 0;      // of functions that ran
  uint64_t num_not_run_ = 0;       // functions
};

} // namespace pathprof

#endif
