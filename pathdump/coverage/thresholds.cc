// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the shares of covered items with the percentages that a command requires (`--fail-under-line` and others).
#include "pathdump/coverage/thresholds.h"

#include <cstddef>
#include <iostream>
#include <iterator>

#include <fmt/format.h>

#include "pathdump/coverage/print_summary.h"
#include "pathdump/ui/program.h"
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

std::string missed_threshold(const std::string &heading, const Tally &tally, double least, bool accept_justified) {
  double share = accept_justified ? tally.share_with_justified() : tally.share();
  if (least <= 0 || (!tally.is_empty() && share >= least))
    return "";
  std::string items = accept_justified ? fmt::format("{} covered and {} justified, of {}", tally.covered,
                                                     tally.justified, short_number(tally.total))
                                       : count_text(tally);
  return tally.is_empty() ? fmt::format("no {} were measured", heading) : text_of_missed(heading, share, items, least);
}

std::vector<std::string> missed_thresholds(const FileSummary &total, const Thresholds &thresholds) {
  std::vector<std::string> missed;
  for (size_t i = 0; i < std::size(kSummaryCriteria); i++) {
    const SummaryCriterion &criterion = kSummaryCriteria[i];
    std::string text = missed_threshold(criterion.heading, total.*criterion.tally, thresholds.*thresholds_of[i],
                                        thresholds.accept_justified);
    if (!text.empty())
      missed.push_back(std::move(text));
  }
  return missed;
}

void warn_of_unmeasured_decisions(uint64_t num_decisions, double least) {
  if (least > 0 && num_decisions > 0)
    std::cerr << program_name << ": warning: coverage: the threshold for conditions does not include "
              << plural(num_decisions, "decision") << " that could not be measured; --conditions lists "
              << (num_decisions == 1 ? "it" : "them") << "\n";
}

} // namespace pathprof
