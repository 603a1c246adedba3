// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the shares of covered items with the percentages that a command requires (`--fail-under-line` and others).
#include "pathdump/coverage/thresholds.h"

#include <cstddef>
#include <iterator>

#include <fmt/format.h>

#include "pathdump/coverage/print_summary.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// The thresholds in the order of kSummaryCriteria.
static double Thresholds::*const thresholds_of[] = {&Thresholds::line, &Thresholds::branch, &Thresholds::function,
                                                    &Thresholds::condition, &Thresholds::path};

std::vector<std::string> missed_thresholds(const FileSummary &total, const Thresholds &thresholds) {
  std::vector<std::string> missed;
  for (size_t i = 0; i < std::size(kSummaryCriteria); i++) {
    const SummaryCriterion &criterion = kSummaryCriteria[i];
    const Tally &tally = total.*criterion.tally;
    double least = thresholds.*thresholds_of[i];
    double share = thresholds.accept_justified ? tally.share_with_justified() : tally.share();
    if (least <= 0 || (!tally.is_empty() && share >= least))
      continue;
    std::string items = thresholds.accept_justified ? fmt::format("{} covered and {} justified, of {}", tally.covered,
                                                                  tally.justified, short_number(tally.total))
                                                    : count_text(tally);
    missed.push_back(tally.is_empty() ? fmt::format("no {} were measured", criterion.heading)
                                      : fmt::format("{}: {} ({}) is below the threshold of {}%", criterion.heading,
                                                    share_text(share), items, least));
  }
  return missed;
}

} // namespace pathprof
