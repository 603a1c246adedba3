// SPDX-License-Identifier: GPL-3.0-or-later
// The path that failing runs take and others do not, with its source and the decision that leads to it.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_FAULT_LOCALIZER_H
#define PATHPROF_PATHDUMP_WORKFLOW_FAULT_LOCALIZER_H

#include <optional>
#include <string>
#include <vector>

#include "pathdump/describe/decisions.h"
#include "pathdump/model/fault_localization.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"

namespace pathprof {

class FaultLocalizer {
public:
  explicit FaultLocalizer(const Names &names);

  // A run's profile.
  void add(const std::string &file, bool has_failed);

  // Whether a path is in all failing runs and in no other.
  bool are_apart();
  // The most suspicious path; false if there is none.  `what` says which paths were looked at.
  bool print(Output &out, const std::string &what);

private:
  const std::optional<SuspiciousPath> &first();
  std::string decision(const SuspiciousPath &suspect, PathFormatter &formatter) const;

  const Names &names_;
  CommonOptions everything_;
  Selection selection_;
  Runs runs_;
  bool is_ranked_ = false;
  std::optional<SuspiciousPath> first_;
};

} // namespace pathprof

#endif
