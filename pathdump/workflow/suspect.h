// SPDX-License-Identifier: GPL-3.0-or-later
// The path that failing runs take and others do not, with its source and the decision that leads to it.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_SUSPECT_H
#define PATHPROF_PATHDUMP_WORKFLOW_SUSPECT_H

#include <optional>
#include <string>
#include <vector>

#include "pathdump/wording/decisions.h"
#include "pathdump/model/suspects.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"

namespace pathprof {

class Suspects {
public:
  explicit Suspects(const Names &names);

  // A run's profile.
  void add(const std::string &file, bool has_failed);

  // Whether a path is in all failing runs and in no other.
  bool are_apart();
  // The most suspicious path; false if there is none.  `what` says which paths were looked at.
  bool print(Output &out, const std::string &what);

private:
  const std::optional<Suspect> &first();
  std::string decision(const Suspect &suspect, Wording &wording) const;

  const Names &names_;
  CommonOptions everything_;
  Selection selection_;
  Runs runs_;
  bool is_ranked_ = false;
  std::optional<Suspect> first_;
};

} // namespace pathprof

#endif
