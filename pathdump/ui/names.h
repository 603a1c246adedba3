// SPDX-License-Identifier: GPL-3.0-or-later
// Converts names of functions and files for display, and matches them with --function and --file.
#ifndef PATHPROF_PATHDUMP_UI_NAMES_H
#define PATHPROF_PATHDUMP_UI_NAMES_H

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "pathdump/ui/cxx_names.h"
#include "pathdump/ui/options.h"
#include "profile/model/profile.h"
#include "profile/model/visible.h"

namespace pathprof {

// Display names of functions and files.
class Names {
public:
  // `shown` lists the profiles whose functions appear in the same output.
  explicit Names(const CommonOptions &options, const std::vector<const Profile *> &shown = {});

  // Returns the shortest display name that is unique among all functions in the output.
  std::string function(const std::string &assembler_name) const;
  // Returns the full name, for use by other programs. The name does not depend on other functions.
  std::string full(const std::string &assembler_name) const;
  // Returns the name of a file after applying --source-prefix, relative to the top of the source tree if the command
  // has --root. `name` is an element of UnitSources::files.
  std::string file(const std::string &name) const;
  // Returns the file and line of a function, such as "a.c:12".
  std::string location(const Function &function) const {
    return file(function.file) + ":" + std::to_string(function.notes.line);
  }
  // Returns the last component of a file name, or the whole name if other files have the same last component.
  std::string short_file(const std::string &name) const;
  // Returns true if function names must not be truncated.
  bool are_whole() const { return detail_ == NameDetail::Full; }
  // Returns the file name after applying the last matching --source-prefix option. GCC also uses the last match for
  // -ffile-prefix-map. Nonprintable characters are not escaped.
  std::string mapped(const std::string &name) const;
  // Returns true if no --function option is given or if one of the --function globs matches a spelling of the
  // function's name.
  bool selects_name(const std::string &assembler_name) const;
  // Returns true if no --file option is given or if one of the --file globs matches the file. `name` is an element of
  // UnitSources::files.
  bool selects_file(const std::string &name) const;
  // Returns true if --function, --file, --root, --include and --exclude select the lines of a function in a file. The
  // file can differ from the function's own file, for example for code from a header.
  bool selects_code(const std::string &assembler_name, const std::string &file) const;
  // Returns true if --function, --file, --include or --exclude is given.
  bool has_selection() const {
    return !functions_.empty() || !files_.empty() || !include_.empty() || !exclude_.empty();
  }
  // Returns the top directory of the source tree, or an empty string if names are not relative to it.
  const std::string &root() const { return root_; }
  // Returns true if the glob matches the displayed name of the file, the last component of this name, or the path of a
  // file with this name in one of the `shown` profiles.
  bool matches_file(const std::string &glob, const std::string &name) const;
  bool selects(const Function &function) const { return selects_code(function.notes.name, function.file); }

private:
  std::string with_detail(const std::string &assembler_name, NameDetail detail) const;
  void disambiguate(const std::set<std::string> &assembler_names);
  void find_root(const CommonOptions &options);
  // Returns the path of a file relative to the top of the source tree, or an empty string if the file is outside of it.
  std::string below_root(const std::string &path) const;
  bool matches_code(const std::vector<std::string> &globs, const std::string &assembler_name,
                    const std::string &file) const;

  bool demangle_;
  NameDetail detail_; // default level of detail
  std::unordered_map<std::string, std::string>
      longer_; // longer names of functions that share their default name, by assembler name
  std::vector<std::pair<std::string, std::string>> prefixes_;
  std::vector<std::string> functions_, files_, include_, exclude_; // globs
  std::multimap<std::string, std::string> paths_of_file_;          // paths after --source-prefix, by name of the file
  std::string root_;                                               // ends with a slash, unless it is empty
  std::unordered_map<std::string, std::string> in_root_;           // names relative to the top, by name of the file
  std::set<std::string> outside_;                                  // names of the files that are left out
  std::map<std::string, std::string>
      by_last_part_; // by last component: name of the only file that ends in it, or empty if there are several
};

// Returns the demangled C++ name, or `name` itself if it is not mangled.
std::string demangle(const std::string &name);
// "ns::f(int) const" → "ns::f".
std::string without_parameters(const std::string &demangled);
// Returns the names by which callgrind, perf and debuggers call a function: the assembler name and, for a C++ function,
// the demangled name with and without parameters.
std::vector<std::string> names_in_tools(const std::string &assembler_name);
// Returns an assembler or demangled name without the suffixes that GCC and callgrind append for parts, clones and
// recursive activations.
std::string name_of_original(const std::string &name);
// Returns the name and the names of the functions from which GCC made the clone, nearest first: "f.part.0.isra.0",
// "f.part.0" and "f".
std::vector<std::string> names_of_clone(const std::string &name);
// Returns true if the assembler name denotes a part that GCC split off from a function.
bool is_part(const std::string &name);
// Returns all names by which a user can select a function: the assembler name, the demangled name, the name without
// parameters and without the result type, and each name that tables display.
std::vector<std::string> spellings(const std::string &assembler_name);
// Returns true if the glob matches a spelling of the function's name, or, for a part or clone, of the original
// function's name.
bool matches_function(const std::string &glob, const std::string &assembler_name);

} // namespace pathprof

#endif
