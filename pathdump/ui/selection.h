// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what --function and --file ask for is there.
//
// Every command with these options does the same where a glob matches nothing, or nothing matches both: it prints what
// it has, which stays a valid table, JSON or file, says on standard error what matches nothing and which names are
// near, and exits with 1.
#ifndef PATHPROF_PATHDUMP_UI_SELECTION_H
#define PATHPROF_PATHDUMP_UI_SELECTION_H

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"

namespace pathprof {

// What a command shows of the functions and files that are asked for.
enum class Selectable {
  Functions, // functions of the profile, whose files are where they begin
  Lines,     // lines of these, whose files are those of the lines
  Code,      // the same, and lines of functions that were inlined are those functions'
};

class Selection {
public:
  Selection(const CommonOptions &options, const Names &names, Selectable selectable = Selectable::Functions)
      : names_(names), functions_(options.functions), files_(options.source_files), selectable_(selectable) {}

  // What can be selected.  `file` is the profile's name.
  void add(const Profile &profile, const std::string &file);

  // What the command exits with, which would be `status` otherwise.  To be called when its output is complete.
  ExitStatus status(ExitStatus status) const;

private:
  void add_lines(const Function &function);
  void add(const std::string &function, const std::string &file);
  bool explain_functions(const std::string &profile) const;
  bool explain_files(const std::string &profile) const;

  const Names &names_;
  const std::vector<std::string> &functions_, &files_; // globs
  Selectable selectable_;
  std::set<std::string> profiles_;
  std::set<std::pair<std::string, std::string>> known_; // functions and files, as the profile has them
  std::set<std::string> inlined_;                       // functions
};

// The same for a command with one profile.
ExitStatus status_of_selection(const CommonOptions &options, const Names &names, const Profile &profile,
                               const std::string &file, ExitStatus status = kGood,
                               Selectable selectable = Selectable::Functions);

} // namespace pathprof

#endif
