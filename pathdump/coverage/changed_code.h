// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the source lines that have changed since a git revision.
#ifndef PATHPROF_PATHDUMP_COVERAGE_CHANGED_CODE_H
#define PATHPROF_PATHDUMP_COVERAGE_CHANGED_CODE_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/coverage/statements.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/describe/sources.h"
#include "profile/model/profile.h"

namespace pathprof {

// The changed lines of one file, numbered as in the working tree.  If lines were only deleted, the line before them is
// treated as changed.
struct ChangedLines {
  bool is_whole = false; // true for a file that git does not track; all of its lines are new
  std::set<uint32_t> lines;
  std::set<uint32_t> gone;       // members of `lines` after which code was deleted
  std::set<uint32_t> statements; // lines with code in statements that changed on other lines (add_statements)

  bool has(uint32_t line) const { return is_whole || lines.count(line) != 0 || statements.count(line) != 0; }
};

class ChangedCode {
public:
  // Compares the revision with the working tree that contains the working directory, including submodules and untracked
  // files.  Throws Failure if there is no repository or no such revision.
  explicit ChangedCode(const std::string &revision);

  const std::string &revision() const { return revision_; }
  // Returns the changed lines of a file of the unit, or null if the file has not changed.  Files are matched by path.
  // If the path is not in the repository, for example because the profile comes from another machine, files are matched
  // by the last components of the path.
  const ChangedLines *of(const UnitSources &unit, size_t file, const Names &names) const;

  // In C, C++ and D files, also treats lines with code as changed if they are related to a changed line without code:
  // the lines of the same statement, the statements that use a changed macro, and the neighbours of changed braces,
  // changed directives and deleted lines.  Must be called before `of()`.
  void add_statements(const Profile &profile, const Names &names);
  // Returns a note that lists the changed lines for which no code was found, or an empty string.
  std::string note_on_lines_without_code() const;
  // If the profile contains no code for some changed source files, prints a warning that lists them.
  void warn_of_unknown_files(const std::string &profile_file) const;
  // Adds the revision, the changed lines without code and the files without code to a JSON object.
  void put_into(Json &json) const;

  // Loads the source files of the selected functions if they are in the repository, so that `sources` can warn about
  // each file that has changed since its compilation.  In such a file, the line numbers in git do not match the line
  // numbers in the profile.
  void ask_for(Sources &sources, const Profile &profile, const Names &names) const;

private:
  // The lines of a file that have code.
  struct Code {
    std::set<uint32_t> lines;
    std::vector<std::set<uint32_t>> functions; // lines of each function, without inlined code
  };
  using CodeLines = std::map<std::string, Code>; // keyed by path in the repository

  void read_diff(const std::string &text);
  CodeLines code_lines(const Profile &profile, const Names &names) const;
  bool add_statement(const Statements &source, const std::string &file, uint32_t line, const CodeLines &code);
  bool add_neighbours(const std::string &file, uint32_t line, const CodeLines &code);
  void add_uses(std::map<std::string, std::pair<std::string, uint32_t>> macros, const CodeLines &code);
  const std::string &name_in_repository(const std::string &name, const std::string &folder) const;
  const std::string &name_of_changed(const std::string &name, const std::string &folder) const;

  std::string revision_, top_;
  std::map<std::string, ChangedLines> files_;                  // keyed by path in the repository
  std::vector<std::pair<std::string, uint32_t>> without_code_; // file and line of changed lines without code
  std::vector<std::string> unknown_;                           // changed source files without code in the profile
  mutable std::map<std::pair<const UnitSources *, size_t>, const ChangedLines *> known_;
  mutable std::map<std::string, std::string> names_in_repository_; // cache keyed by path; units share many headers
};

} // namespace pathprof

#endif
