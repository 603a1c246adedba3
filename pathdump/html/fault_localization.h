// SPDX-License-Identifier: GPL-3.0-or-later
// Failing runs against passing ones in a page of all of them together: a list of the paths that tell them apart best,
// and in how many runs each shown path was executed.
#ifndef PATHPROF_PATHDUMP_HTML_FAULT_LOCALIZATION_H
#define PATHPROF_PATHDUMP_HTML_FAULT_LOCALIZATION_H

#include <string>
#include <vector>

#include "pathdump/html/leading_list.h"
#include "pathdump/model/fault_localization.h"
#include "pathdump/ui/names.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class FaultLocalization : public LeadingList {
public:
  // Keeps references.  `sum` is the sum of the runs.
  FaultLocalization(const Runs &runs, const Profile &sum, const Names &names);

  const char *id() const override { return "suspects"; }
  const char *title() const override { return "Suspects"; }
  // In how many of the failing runs the path was executed, and of the passing ones: "2/3".
  std::vector<std::string> columns() const override { return {"failed", "passed"}; }
  std::vector<std::string> cells(const HotPath &hot) const override;

protected:
  std::string contents(const PageParts &page) override;

private:
  const Runs &runs_;
  const Profile &sum_;
  uint64_t num_found_ = 0;
  std::vector<SuspiciousPath> suspicious_paths_; // most suspicious first
  std::vector<HotPath> paths_;                   // the same in the sum
};

} // namespace pathprof::html

#endif
