// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the paths that were never executed, nearest to executed paths first (core/analysis/unexecuted.h).
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

// The unexecuted paths of executed functions that `names` selects. Functions with interprocedural paths are omitted.
// Keeps references to its arguments.
class MissingPaths {
public:
  // Keeps at most `limit` paths in total, sorted by distance and then by the count of the nearest executed path.
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
  std::vector<size_t> unfinished_; // functions whose near paths were not all examined
  mpz_class num_missing_ = 0;      // number of unexecuted paths in executed functions
  uint64_t num_not_run_ = 0;       // number of functions that were not executed
};

} // namespace pathprof

#endif
