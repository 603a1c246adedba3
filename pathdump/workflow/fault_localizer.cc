// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the most suspicious path and prints it with the decision that distinguishes it from passing runs.
#include "pathdump/workflow/fault_localizer.h"

#include <algorithm>

#include "pathdump/describe/decisions.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

FaultLocalizer::FaultLocalizer(const Names &names) : names_(names), selection_(everything_, names) {}

void FaultLocalizer::add(const std::string &file, bool has_failed) {
  runs_.add(file, has_failed, selection_);
}

const std::optional<SuspiciousPath> &FaultLocalizer::first() {
  if (is_ranked_)
    return first_;
  uint64_t num_found = 0;
  std::vector<SuspiciousPath> ranking = runs_.suspicious_paths(names_, 0, 0, &num_found);
  is_ranked_ = true;
  if (ranking.empty())
    return first_;
  first_ = ranking.front();
  auto is_lower = [&](const SuspiciousPath &path) { return path.score < first_->score; };
  auto end = std::find_if(ranking.begin(), ranking.end(), is_lower);
  num_ties_ = static_cast<uint64_t>(end - ranking.begin()) - 1;
  return first_;
}

bool FaultLocalizer::are_apart() {
  return first() && first()->failed == runs_.num_failed() && first()->passed == 0;
}

// Describes the decisions that distinguish the path from the most similar path executed by a passing run.
std::string FaultLocalizer::decision(const SuspiciousPath &suspect, PathFormatter &formatter) const {
  const Function &function = *suspect.function;
  std::vector<uint64_t> others = runs_.passed_paths(suspect);
  if (others.empty())
    return "No passing run executed this function.";
  std::unique_ptr<Decoded> decoded = decode_or_fail(runs_.file_of(suspect), function);
  Decisions decisions(function, *decoded);
  auto id = static_cast<uint64_t>(suspect.id);
  std::vector<int> own = decisions.of(id);
  std::optional<uint64_t> nearest;
  std::vector<Difference> least;
  for (uint64_t other : others) {
    if (other == id)
      continue;
    std::vector<Difference> differences = decisions.differences(own, decisions.of(other));
    if (!nearest || differences.size() < least.size()) {
      nearest = other;
      least = std::move(differences);
    }
  }
  if (!nearest)
    return "All passing runs that executed this function executed only this path.";
  return fmt::format("The decision: {} (compared with path {}, the most similar path of the passing runs)",
                     decisions.text(least, formatter), *nearest);
}

bool FaultLocalizer::print(Output &out, const std::string &what) {
  out.print("{} failed, {} passed; compared: {}\n", plural(runs_.num_failed(), "run"), runs_.num_passed(), what);
  if (!first()) {
    out.write("No suspicious paths: the failing runs executed no paths.\n");
    return false;
  }
  const SuspiciousPath &suspect = *first();
  const Function &function = *suspect.function;
  bool is_in_all = suspect.passed == runs_.num_passed() && suspect.failed == runs_.num_failed();
  out.print("{}: path {} of {} ({}:{}), in {} of {} failing runs and {} of {} passing runs\n",
            is_in_all ? "All runs executed the most suspicious path" : "Most suspicious", digits(suspect.id),
            paint(out, Colour::Name, names_.function(function.notes.name)), names_.file(function.file),
            function.notes.line, suspect.failed, runs_.num_failed(), suspect.passed, runs_.num_passed());
  if (num_ties_)
    out.print("{} the same score\n",
              num_ties_ == 1 ? "1 other path has" : fmt::format("{} other paths have", num_ties_));
  Sources sources(names_, suspect.profile ? "" : runs_.file_of(suspect));
  PathFormatter formatter(names_, &sources);
  if (suspect.profile) {
    ShownPath path(*suspect.profile, suspect.unit, suspect.id);
    out.print("{}\n{}\n", path.text(formatter), path.outline(out, formatter, 0, &sources));
    sources.warn();
    return true;
  }
  std::unique_ptr<Decoded> decoded = decode_or_fail(runs_.file_of(suspect), function);
  Path path = *decoded->regenerate(static_cast<uint64_t>(suspect.id));
  std::string source = source_text(out, sources, function, line_sequence_of(function, path));
  out.print("From {} to {}: {}\n", to_string(path.start), to_string(path.end), formatter.text(function, path));
  if (static_cast<uint64_t>(suspect.id) < function.notes.num_paths)
    out.print("{}\n", decision(suspect, formatter));
  print_doubts(out, sources);
  out.print("\n{}\n", source);
  sources.warn();
  return true;
}

} // namespace pathprof
