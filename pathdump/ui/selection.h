// SPDX-License-Identifier: GPL-3.0-or-later
// Reports --function and --file globs that match nothing.
//
// If a glob matches nothing, or if no function matches both options, a command still prints valid (possibly empty)
// output. It names the globs that match nothing and similar names on standard error, and exits with status 1.
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

// The entities that a command selects with --function and --file.
enum class Selectable {
  Functions, // functions of the profile, each with the file that contains its first line
  Lines,     // lines of these functions, each with its own file
  Code,      // like Lines, but lines of inlined functions belong to the inlined functions
};

class Selection {
public:
  Selection(const CommonOptions &options, const Names &names, Selectable selectable = Selectable::Functions)
      : names_(names), functions_(options.functions), files_(options.source_files), selectable_(selectable) {}

  // Adds the functions and files of a profile. `file` is the name of the profile.
  void add(const Profile &profile, const std::string &file);

  // Returns one sentence for each --function and --file glob that matches nothing, and one if no function matches both
  // options. `profile` is the name of the profile in these sentences.
  std::vector<std::string> faults(const std::string &profile) const;
  // Returns the exit status of a command: `status` if every --function and --file glob matches something and a function
  // matches both options, and otherwise at least kMissed, and prints the faults. Must be called after the command's
  // output is complete.
  ExitStatus status(ExitStatus status) const;

private:
  void add_lines(const Function &function);
  void add(const std::string &function, const std::string &file);
  void explain_functions(const std::string &profile, std::vector<std::string> &faults) const;
  void explain_files(const std::string &profile, std::vector<std::string> &faults) const;

  const Names &names_;
  const std::vector<std::string> &functions_, &files_; // globs
  Selectable selectable_;
  std::set<std::string> profiles_;
  std::set<std::pair<std::string, std::string>> known_; // pairs of function and file, as named in the profile
  std::set<std::string> inlined_;                       // names of inlined functions
};

// Returns the exit status for a command that reads a single profile.
ExitStatus status_of_selection(const CommonOptions &options, const Names &names, const Profile &profile,
                               const std::string &file, ExitStatus status = kGood,
                               Selectable selectable = Selectable::Functions);

} // namespace pathprof

#endif
