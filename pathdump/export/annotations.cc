// SPDX-License-Identifier: GPL-3.0-or-later
// Exports unexecuted code as annotations for code review: GitHub workflow commands and GitLab code quality reports.
#include <map>

#include "pathdump/ui/annotations.h"
#include "pathdump/coverage/covered.h"
#include "pathdump/export/exports.h"
#include "pathdump/ui/opening.h"

namespace pathprof {

namespace {

// A range of unexecuted lines. `function` is the function that begins on the first line and was never called, or null.
struct Stretch {
  uint32_t first, last;
  const CoveredFunction *function;
};

std::vector<Stretch> stretches_of(const CoveredFile &covered) {
  std::map<uint32_t, const CoveredFunction *> begins;
  for (const CoveredFunction &function : covered.functions)
    begins[function.line] = &function;
  std::vector<Stretch> stretches;
  bool goes_on = false;
  for (auto [line, count] : covered.lines) {
    auto begin = begins.find(line);
    const CoveredFunction *function = begin == begins.end() || begin->second->calls ? nullptr : begin->second;
    if (count == 0 && goes_on && begin == begins.end())
      stretches.back().last = line;
    else if (count == 0)
      stretches.push_back({line, line, function});
    goes_on = count == 0;
  }
  return stretches;
}

std::vector<Annotation> annotations_of(const std::string &file, const CoveredFile &covered) {
  std::vector<Annotation> found;
  for (const Stretch &stretch : stretches_of(covered)) {
    std::string lines = text_of_unexecuted(stretch.first, stretch.last);
    bool is_whole = stretch.function && !stretch.function->ran_inlined;
    std::string text = is_whole ? fmt::format("The function {} was never executed", stretch.function->name)
                       : stretch.function
                           ? fmt::format("{}; {} was executed only where it was inlined", lines, stretch.function->name)
                           : lines;
    found.push_back({file, stretch.first, stretch.last, is_whole ? "function-never-ran" : "lines-never-ran", text});
  }
  for (const auto &[line, branches] : covered.branches) {
    std::vector<std::string> outcomes;
    for (const CoveredBranch &branch : branches)
      for (size_t i = 0; i < branch.taken.size(); i++)
        if (branch.has_run() && branch.taken[i] == 0)
          outcomes.push_back(fmt::format("{}:{}", branch.place, branch.outcomes[i]));
    if (!outcomes.empty())
      found.push_back(annotation_of_outcomes(file, line, "branch-never-taken", outcomes));
  }
  return found;
}

std::vector<Annotation> all_annotations(const CoveredFiles &files) {
  std::vector<Annotation> all;
  for (const auto &[name, covered] : files)
    for (Annotation &one : annotations_of(name, covered))
      all.push_back(std::move(one));
  return all;
}

} // namespace

// Prints the warnings about the whole profile, followed by the annotations. export_gitlab() omits these warnings,
// because each finding in GitLab's format must refer to a line.
void export_github(const Profile &profile, const CoveredFiles &files, Output &out) {
  for (const std::string &warning : warnings_of(profile))
    print_for_whole_report(warning, out);
  print_annotations(all_annotations(files), false, out);
}

void export_gitlab(const Profile &, const CoveredFiles &files, Output &out) {
  print_annotations(all_annotations(files), true, out);
}

} // namespace pathprof
