// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the most suspicious path and prints it with the decision that distinguishes it from passing runs.
#include "pathdump/workflow/fault_localizer.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "pathdump/describe/decisions.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"
#include "profile/model/visible.h"

namespace pathprof {

FaultLocalizer::FaultLocalizer(const Names &names, PathFormatter::Form form)
    : names_(names), form_(form), selection_(everything_, names) {}

void FaultLocalizer::add(const std::string &file, bool has_failed) {
  runs_.add(file, has_failed, selection_);
}

void FaultLocalizer::rank() {
  if (is_ranked_)
    return;
  is_ranked_ = true;
  uint64_t num_found = 0;
  std::vector<SuspiciousPath> ranking = runs_.suspicious_paths(names_, 0, 0, &num_found);
  spectrum_.emplace(runs_, names_);
  if (!ranking.empty())
    choose(ranking);
}

// Selects the first path of the ranking or, if an outcome has a higher score, the first path that contains it.
void FaultLocalizer::choose(const std::vector<SuspiciousPath> &ranking) {
  first_ = ranking.front();
  auto is_lower = [&](const SuspiciousPath &path) { return path.score < first_->score; };
  auto end = std::find_if(ranking.begin(), ranking.end(), is_lower);
  num_ties_ = static_cast<uint64_t>(end - ranking.begin()) - 1;
  const SuspiciousOutcomes *best = spectrum_->best();
  if (!best || best->score <= first_->score)
    return;
  auto contains = [&](const SuspiciousPath &path) {
    return !path.profile && path.function == best->function && best->outcomes.front().paths.count(path.id);
  };
  first_ = *std::find_if(ranking.begin(), ranking.end(), contains);
  num_ties_ = 0;
}

bool FaultLocalizer::are_apart() {
  rank();
  auto is_apart = [&](const auto &seen) { return seen.failed == runs_.num_failed() && seen.passed == 0; };
  return first_ && (is_apart(*first_) || (spectrum_->best() && is_apart(spectrum_->best()->seen)));
}

// Returns text such as "wc.c:8-10 12".
static std::string positions_text(const std::map<std::string, std::set<uint32_t>> &lines, const Names &names) {
  std::string text;
  for (const auto &[file, numbers] : lines) {
    text += (text.empty() ? "" : " ") + names.file(file) + ":";
    bool is_first = true;
    for (auto at = numbers.begin(); at != numbers.end();) {
      uint32_t first = *at, last = first;
      while (++at != numbers.end() && *at == last + 1)
        last = *at;
      text += (is_first ? "" : " ") + (first == last ? fmt::to_string(first) : fmt::format("{}-{}", first, last));
      is_first = false;
    }
  }
  return text;
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

// Names the outcomes on the path that distinguish the runs at least as well as the whole path does. Returns an empty
// string if there are none.
std::string FaultLocalizer::outcomes(const SuspiciousPath &suspect, PathFormatter &formatter) const {
  static constexpr size_t kMost = 3;
  const SuspiciousOutcomes *best = spectrum_->of(*suspect.function);
  if (!best || best->score < suspect.score)
    return {};
  bool is_in_all = best->seen.failed == runs_.num_failed() && best->seen.passed == runs_.num_passed();
  if (is_in_all)
    return {};
  const Branches &branches = formatter.branches(*suspect.function);
  std::vector<std::string> texts;
  for (const SuspiciousOutcome &outcome : best->outcomes)
    if (outcome.paths.count(suspect.id) && texts.size() < kMost)
      texts.push_back(formatter.branch_text(*suspect.function, outcome.block, branches.outcome(outcome.edge)));
  if (texts.empty())
    return {};
  return fmt::format("{}: {}, in {} of {} failing runs and {} of {} passing runs\n",
                     texts.size() == 1 ? "Decisive outcome" : "Decisive outcomes", fmt::join(texts, ", "),
                     best->seen.failed, runs_.num_failed(), best->seen.passed, runs_.num_passed());
}

// Lists the lines that only failing runs executed: first the lines of `function`, then the lines of other functions, if
// there are few.
std::string FaultLocalizer::failing_lines(const Function &function) const {
  static constexpr size_t kMostLines = 16;
  std::string text;
  size_t num_lines = 0, num_left_out = 0;
  auto add = [&](const FailingLines &lines) {
    size_t size = 0;
    for (const auto &[file, numbers] : lines.lines)
      size += numbers.size();
    if (num_lines + size > kMostLines) {
      num_left_out += size;
      return;
    }
    num_lines += size;
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", positions_text(lines.lines, names_),
                        names_.function(lines.function->notes.name));
  };
  for (bool is_own : {true, false})
    for (const FailingLines &lines : spectrum_->failing_lines())
      if ((lines.function == &function) == is_own)
        add(lines);
  if (text.empty() && num_left_out == 0)
    return {};
  std::string more =
      text.empty() ? plural(num_left_out, "line") : fmt::format(", and {}", plural(num_left_out, "more line"));
  bool are_all = spectrum_->num_failed() == runs_.num_failed();
  return fmt::format("Executed only in failing runs{}: {}{}\n",
                     are_all ? "" : fmt::format(" (in {} of {})", spectrum_->num_failed(), runs_.num_failed()), text,
                     num_left_out ? more : "");
}

std::vector<std::string> FaultLocalizer::settings() const {
  static const std::string prefix = "-fplugin-arg-pathprof-";
  std::vector<std::string> settings;
  for (const Profile *profile : runs_.profiles())
    for (const Function &function : profile->functions)
      for (const std::string &option : function.sources->options)
        if (option.rfind(prefix, 0) == 0) {
          std::string setting = option.substr(prefix.size());
          if (std::find(settings.begin(), settings.end(), setting) == settings.end())
            settings.push_back(setting);
        }
  return settings;
}

void FaultLocalizer::print_last_paths(Output &out) const {
  if (last_paths_.empty())
    return;
  Profile profile = parse_image(crashed_file_, open_image(crashed_file_));
  Sources sources(names_, crashed_file_);
  PathFormatter formatter(names_, &sources, form_);
  out.print("Last paths of {}, innermost first:\n", visible(crash_));
  for (const LastPath &last : last_paths_)
    for (const Function &function : profile.functions) {
      if (function.notes.name != last.function)
        continue;
      std::optional<Path> path = decode_or_fail(crashed_file_, function)->regenerate(last.id);
      if (!path)
        continue;
      out.print("  path {} of {} ({}:{}): {}\n", last.id,
                paint(out, Colour::Name, names_.function(function.notes.name)), names_.file(function.file),
                function.notes.line, formatter.shown(function, *path));
      break;
    }
}

void FaultLocalizer::print_head(Output &out) const {
  const SuspiciousPath &suspect = *first_;
  const Function &function = *suspect.function;
  bool is_in_all = suspect.passed == runs_.num_passed() && suspect.failed == runs_.num_failed();
  out.print("{}: path {} of {} ({}:{}), in {} of {} failing runs and {} of {} passing runs\n",
            is_in_all ? "All runs executed the most suspicious path" : "Most suspicious", digits(suspect.id),
            paint(out, Colour::Name, names_.function(function.notes.name)), names_.file(function.file),
            function.notes.line, suspect.failed, runs_.num_failed(), suspect.passed, runs_.num_passed());
  if (num_ties_)
    out.print("{} the same score\n",
              num_ties_ == 1 ? "1 other path has" : fmt::format("{} other paths have", num_ties_));
  if (num_ties_ && runs_.num_failed() == 1)
    out.write("Only one run failed; with more failing runs, fewer paths have the same score\n");
}

void FaultLocalizer::print_path(Output &out, const SuspiciousPath &suspect) {
  const Function &function = *suspect.function;
  Sources sources(names_, suspect.profile ? "" : runs_.file_of(suspect));
  static constexpr size_t kIndent = 2;
  PathFormatter formatter(names_, &sources, form_);
  if (suspect.profile) {
    ShownPath path(*suspect.profile, suspect.unit, suspect.id);
    PathElements elements = path.elements(formatter);
    out.print("{}\n{}\n", formatter.paragraph(out, elements, 0, kIndent), path.outline(out, formatter, 0, &sources));
    sources.warn();
    return;
  }
  std::unique_ptr<Decoded> decoded = decode_or_fail(runs_.file_of(suspect), function);
  Path path = *decoded->regenerate(static_cast<uint64_t>(suspect.id));
  std::string source = source_text(out, sources, function, line_sequence_of(function, path));
  std::string ends = fmt::format("From {} to {}: ", to_string(path.start), to_string(path.end));
  PathElements elements = formatter.elements(function, path);
  out.print("{}{}\n", ends, formatter.paragraph(out, elements, ends.size(), kIndent));
  if (static_cast<uint64_t>(suspect.id) < function.notes.num_paths)
    out.print("{}\n", decision(suspect, formatter));
  out.write(outcomes(suspect, formatter));
  out.write(failing_lines(function));
  print_doubts(out, sources);
  out.print("\n{}\n", source);
  sources.warn();
}

bool FaultLocalizer::print(Output &out, const std::string &what) {
  rank();
  out.print("{} failed, {} passed; compared: {}\n", plural(runs_.num_failed(), "run"), runs_.num_passed(), what);
  print_last_paths(out);
  if (!first_) {
    out.write("No suspicious paths: the failing runs executed no paths.\n");
    return false;
  }
  print_head(out);
  print_path(out, *first_);
  return true;
}

} // namespace pathprof
