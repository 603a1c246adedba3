// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the runs that executed each outcome and each line.
#include "pathdump/model/fault_spectrum.h"

#include <algorithm>
#include <tuple>

#include "pathdump/describe/decisions.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

FaultSpectrum::FaultSpectrum(const Runs &runs, const Names &names) {
  runs.for_each_function(
      names, [&](const Function &function, const std::string &file, const Runs::ExecutedIn &executed) {
        std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
        add_outcomes(runs, function, executed, *decoded, Branches(function, names, nullptr));
        for (const auto &[id, in] : executed)
          for (const Stretch &stretch : line_sequence_of(function, *decoded->regenerate(id)))
            for (uint32_t line = stretch.first; line <= stretch.last && stretch.contexts == 0; line++) {
              lines_[{stretch.file, line}].add(*in);
              functions_.try_emplace({stretch.file, line}, &function);
            }
      });
  find_failing_lines(runs);
}

void FaultSpectrum::add_outcomes(const Runs &runs, const Function &function, const Runs::ExecutedIn &executed,
                                 const Decoded &decoded, const Branches &branches) {
  struct Seen {
    SuspiciousOutcome outcome;
    RunSet runs;
  };
  std::map<int, Seen> by_edge;
  RunSet of_function;
  for (const auto &[id, in] : executed) {
    of_function.add(*in);
    for (const Decision &decision : decisions_of(branches, *decoded.regenerate(id))) {
      if (decision.edge < 0 || decision.outcome.empty() || decision.contexts != 0)
        continue;
      const BranchNotes *branch = function.notes.branch_at(decision.block);
      uint32_t line = branch ? branch->at.line : 0;
      Seen &seen =
          by_edge.try_emplace(decision.edge, Seen{{decision.block, decision.edge, line, {}}, {}}).first->second;
      seen.outcome.paths.insert(id);
      seen.runs.add(*in);
    }
  }
  SuspiciousOutcomes best;
  for (auto &[edge, one] : by_edge) {
    SeenIn seen = runs.count(one.runs);
    double score = ochiai(seen.failed, runs.num_failed(), seen.passed);
    if (score > best.score)
      best = {&function, score, seen, runs.count(of_function).passed, {}};
    if (score > 0 && score >= best.score)
      best.outcomes.push_back(std::move(one.outcome));
  }
  std::stable_sort(best.outcomes.begin(), best.outcomes.end(),
                   [](const SuspiciousOutcome &a, const SuspiciousOutcome &b) { return a.line < b.line; });
  if (best.function)
    outcomes_[&function] = std::move(best);
}

const SuspiciousOutcomes *FaultSpectrum::best() const {
  auto is_less = [](const auto &a, const auto &b) {
    const SuspiciousOutcomes &mine = a.second, &theirs = b.second;
    return std::tuple(mine.score, theirs.function_passed, theirs.function->file, theirs.function->notes.line) <
           std::tuple(theirs.score, mine.function_passed, mine.function->file, mine.function->notes.line);
  };
  auto at = std::max_element(outcomes_.begin(), outcomes_.end(), is_less);
  return at == outcomes_.end() ? nullptr : &at->second;
}

const SuspiciousOutcomes *FaultSpectrum::of(const Function &function) const {
  auto at = outcomes_.find(&function);
  return at == outcomes_.end() ? nullptr : &at->second;
}

void FaultSpectrum::find_failing_lines(const Runs &runs) {
  std::map<const Function *, FailingLines> by_function;
  for (const auto &[position, in] : lines_) {
    SeenIn seen = runs.count(in);
    if (seen.passed || !seen.failed || seen.failed < most_failed_)
      continue;
    if (seen.failed > most_failed_)
      by_function.clear();
    most_failed_ = seen.failed;
    const Function *function = functions_.at(position);
    FailingLines &lines = by_function.try_emplace(function, FailingLines{function, {}}).first->second;
    lines.lines[position.first].insert(position.second);
  }
  for (auto &[function, lines] : by_function)
    failing_lines_.push_back(std::move(lines));
  std::sort(failing_lines_.begin(), failing_lines_.end(), [](const FailingLines &a, const FailingLines &b) {
    return std::tie(a.function->file, a.function->notes.line) < std::tie(b.function->file, b.function->notes.line);
  });
}

} // namespace pathprof
