// SPDX-License-Identifier: GPL-3.0-or-later
// Lists the most suspicious paths of failing runs in a page that covers all runs, and the number of failing and passing
// runs that executed each displayed path.
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
  // Keeps references to the arguments. `sum` is the merged profile of all runs.
  FaultLocalization(const Runs &runs, const Profile &sum, const Names &names);

  const char *id() const override { return "suspects"; }
  const char *title() const override { return "Fault localization"; }
  // Titles of the added columns. A cell such as "2/3" means that 2 of 3 failing (or passing) runs executed the path.
  std::vector<std::string> columns() const override { return {"failed", "passed"}; }
  std::vector<std::string> cells(const HotPath &hot) const override;

protected:
  std::string contents(const PageParts &page) override;

private:
  const Runs &runs_;
  const Profile &sum_;
  uint64_t num_found_ = 0;
  std::vector<SuspiciousPath> suspicious_paths_; // in order of decreasing suspiciousness
  std::vector<HotPath> paths_;                   // the same paths in the sum of the runs
};

} // namespace pathprof::html

#endif
