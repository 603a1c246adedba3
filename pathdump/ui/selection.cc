// SPDX-License-Identifier: GPL-3.0-or-later
// Matches --function and --file globs with the contents of profiles, and reports the globs that match nothing.
#include "pathdump/ui/selection.h"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>

#include "pathdump/ui/nearest.h"
#include "pathdump/ui/program.h"

namespace pathprof {

void Selection::add(const std::string &function, const std::string &file) {
  known_.emplace(function, file);
}

// Adds the files that contain lines of a function, using the same rules as listing.cc and covered.cc.
void Selection::add_lines(const Function &function) {
  std::set<std::pair<uint32_t, uint32_t>> seen; // pairs of inline site and file
  for (const BlockNotes &block : function.notes.blocks)
    for (const LineRef &line : block.lines)
      if (line.line && seen.emplace(line.site, line.file).second)
        add(line.site && selectable_ == Selectable::Code ? function.notes.sites[line.site - 1].function
                                                         : function.notes.name,
            (*function.files)[line.file]);
}

void Selection::add(const Profile &profile, const std::string &file) {
  profiles_.insert(file);
  if (functions_.empty() && files_.empty())
    return;
  for (const Function &function : profile.functions) {
    add(function.notes.name, function.file);
    for (const InlineSite &site : function.notes.sites)
      inlined_.insert(site.function);
    if (selectable_ != Selectable::Functions)
      add_lines(function);
  }
}

// Adds a sentence for each --function glob that matches nothing.
void Selection::explain_functions(const std::string &profile, std::vector<std::string> &faults) const {
  std::set<std::string> spelt; // demangled names without parameters
  for (const auto &[function, file] : known_)
    spelt.insert(without_parameters(demangle(function)));
  for (const std::string &glob : functions_) {
    auto is_match = [&](const std::string &name) { return matches_function(glob, name); };
    if (std::any_of(known_.begin(), known_.end(), [&](const auto &known) { return is_match(known.first); }))
      continue;
    bool is_inlined = std::any_of(inlined_.begin(), inlined_.end(), is_match);
    faults.push_back(
        is_inlined ? fmt::format("--function '{1}': the function was inlined everywhere, and {2} contains only paths "
                                 "of its callers; use '{0} show' to display its code",
                                 program_name, glob, profile)
                   : fmt::format("--function '{}' matches no function in {}{}", glob, profile,
                                 nearest_names(glob, spelt).empty()
                                     ? fmt::format("; use '{} functions' to list them", program_name)
                                     : did_you_mean(glob, spelt)));
  }
}

void Selection::explain_files(const std::string &profile, std::vector<std::string> &faults) const {
  std::set<std::string> files, shown;
  for (const auto &[function, file] : known_)
    if (!file.empty() && files.insert(file).second)
      shown.insert(names_.file(file));
  for (const std::string &glob : files_) {
    if (std::any_of(files.begin(), files.end(),
                    [&](const std::string &file) { return names_.matches_file(glob, file); }))
      continue;
    faults.push_back(fmt::format("--file '{}' matches no source file in {}{}", glob, profile,
                                 nearest_names(glob, shown).empty()
                                     ? fmt::format("; use '{} coverage' to list them", program_name)
                                     : did_you_mean(glob, shown)));
  }
}

std::vector<std::string> Selection::faults(const std::string &profile) const {
  std::vector<std::string> faults;
  if (profiles_.empty() || (functions_.empty() && files_.empty()))
    return faults;
  explain_functions(profile, faults);
  explain_files(profile, faults);
  bool is_empty = std::none_of(known_.begin(), known_.end(), [&](const auto &known) {
    return names_.selects_name(known.first) && names_.selects_file(known.second);
  });
  if (faults.empty() && is_empty)
    faults.push_back(fmt::format("no function in {} matches both --function and --file", profile));
  return faults;
}

ExitStatus Selection::status(ExitStatus status) const {
  std::vector<std::string> found = faults(profiles_.size() != 1       ? "the profiles"
                                          : *profiles_.begin() == "-" ? "the profile"
                                                                      : *profiles_.begin());
  for (const std::string &fault : found)
    std::cerr << program_name << ": " << fault << "\n";
  return found.empty() ? status : std::max(status, kMissed);
}

ExitStatus status_of_selection(const CommonOptions &options, const Names &names, const Profile &profile,
                               const std::string &file, ExitStatus status, Selectable selectable) {
  Selection selection(options, names, selectable);
  selection.add(profile, file);
  return selection.status(status);
}

} // namespace pathprof
