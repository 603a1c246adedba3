// SPDX-License-Identifier: GPL-3.0-or-later
// What has changed in the sources since a revision, as git tells.
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

// Of one file as it is now.  Where lines were deleted only, the line before them has changed.
struct ChangedLines {
  bool is_whole = false; // git does not track the file: all of it is new
  std::set<uint32_t> lines;
  std::set<uint32_t> gone;       // lines behind which code was deleted; among `lines`
  std::set<uint32_t> statements; // lines with code, of statements that have changed in others (add_statements)

  bool has(uint32_t line) const { return is_whole || lines.count(line) != 0 || statements.count(line) != 0; }
};

class ChangedCode {
public:
  // Between the revision and the working tree that the current folder is in, with its submodules and files that git
  // does not track yet.  Throws Failure where git does not know the revision, or there is no repository.
  explicit ChangedCode(const std::string &revision);

  const std::string &revision() const { return revision_; }
  // The changes of a file that the unit has (an index into its files); null where there are none.  A file is known by
  // its place, or where its name leads elsewhere, as in a profile from another machine, by the end of its name.
  const ChangedLines *of(const UnitSources &unit, size_t file, const Names &names) const;

  // Has changed lines of C and C++ that have no code of their own stand for others: those of the statement that they
  // are part of, of the statements that use a macro, or next to brackets, directives and what was deleted.  To be
  // called before of().
  void add_statements(const Profile &profile, const Names &names);
  // Names the changed lines that stand for no others, for people; empty if there are none.
  std::string note_on_lines_without_code() const;
  // Says on standard error which changed source files the profile has no code of, if there are any.
  void warn_of_unknown_files(const std::string &profile_file) const;
  // Both, and the revision, for programs.
  void put_into(Json &json) const;

  // Asks for the sources of the selected functions that lie in the repository, so that `sources` tells which are not
  // what was compiled: of those, git and the profile mean different lines.
  void ask_for(Sources &sources, const Profile &profile, const Names &names) const;

private:
  // Of a file, lines that have code.
  struct Code {
    std::set<uint32_t> lines;
    std::vector<std::set<uint32_t>> functions; // of each, without what is inlined into it
  };
  using CodeLines = std::map<std::string, Code>; // by name in the repository

  void read_diff(const std::string &text);
  CodeLines code_lines(const Profile &profile, const Names &names) const;
  bool add_statement(const Statements &source, const std::string &file, uint32_t line, const CodeLines &code);
  bool add_neighbours(const std::string &file, uint32_t line, const CodeLines &code);
  void add_uses(std::map<std::string, std::pair<std::string, uint32_t>> macros, const CodeLines &code);
  const std::string &name_in_repository(const std::string &name, const std::string &folder) const;
  const std::string &name_of_changed(const std::string &name, const std::string &folder) const;

  std::string revision_, top_;
  std::map<std::string, ChangedLines> files_;                  // by name in the repository
  std::vector<std::pair<std::string, uint32_t>> without_code_; // file and line
  std::vector<std::string> unknown_;                           // files
  mutable std::map<std::pair<const UnitSources *, size_t>, const ChangedLines *> known_;
  mutable std::map<std::string, std::string> names_in_repository_; // by path: units have many headers in common
};

} // namespace pathprof

#endif
