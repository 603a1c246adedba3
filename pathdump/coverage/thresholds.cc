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

static std::string text_of_missed(const std::string &heading, double share, const std::string &items, double least) {
  return fmt::format("{}: {} ({}) is below the threshold of {}%", heading, share_text(share), items, least);
}

std::vector<std::string> missed_thresholds_of_changes(const FileSummary &changes, double line, double branch) {
  std::vector<std::string> missed;
  if (changes.lines.share() < line)
    missed.push_back(text_of_missed("changed lines", changes.lines.share(), count_text(changes.lines), line));
  if (changes.branches.share() < branch)
    missed.push_back(text_of_missed("branch outcomes on changed lines", changes.branches.share(),
                                    count_text(changes.branches), branch));
  return missed;
}

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
                                      : text_of_missed(criterion.heading, share, items, least));
  }
  return missed;
}

} // namespace pathprof
