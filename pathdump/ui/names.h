// SPDX-License-Identifier: GPL-3.0-or-later
// Names of functions and files: how they are shown, and which of them are asked for.
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

// Function and file names as they are to be shown.
class Names {
public:
  // `shown` are the profiles whose functions are shown together.
  explicit Names(const CommonOptions &options, const std::vector<const Profile *> &shown = {});

  // For people: as short as the functions shown together can still be told apart by it.
  std::string function(const std::string &assembler_name) const;
  // For machines: the whole name, which does not depend on other functions.
  std::string full(const std::string &assembler_name) const;
  std::string file(const std::string &name) const { return visible(mapped(name)); }
  // Returns the last part of the name of a file, or the whole name if files with other names have the same last part.
  std::string short_file(const std::string &name) const;
  // Names of functions are not to be cut.
  bool are_whole() const { return detail_ == NameDetail::Full; }
  // A file name with the last --source-prefix that matches applied (the order of GCC's
  // -ffile-prefix-map); not fit to be shown.
  std::string mapped(const std::string &name) const;
  // True if no --function is given or one matches one of the function's spellings.
  bool selects_name(const std::string &assembler_name) const;
  // Returns true if no --file is given or one matches the file, whose name is one of UnitSources::files.
  bool selects_file(const std::string &name) const;
  // Returns true if the glob matches the name of the file as shown, its last part, or the path of a file with this name
  // in a profile that is shown.
  bool matches_file(const std::string &glob, const std::string &name) const;
  bool selects(const Function &function) const {
    return selects_name(function.notes.name) && selects_file(function.file);
  }

private:
  std::string with_detail(const std::string &assembler_name, NameDetail detail) const;
  void disambiguate(const std::set<std::string> &assembler_names);

  bool demangle_;
  NameDetail detail_; // that is enough for most
  std::unordered_map<std::string, std::string>
      longer_; // by assembler name: names of which others have the same short one
  std::vector<std::pair<std::string, std::string>> prefixes_;
  std::vector<std::string> functions_, files_;            // globs
  std::multimap<std::string, std::string> paths_of_file_; // after --source-prefix, by name
  std::map<std::string, std::string> by_last_part_;       // name of the only file with that last part, or empty
};

// The C++ name behind an assembler name, or the name itself.
std::string demangle(const std::string &name);
// "ns::f(int) const" → "ns::f".
std::string without_parameters(const std::string &demangled);
// Returns a function's name, assembler or demangled, without what GCC and callgrind append for parts, clones and
// recursive activations.
std::string name_of_original(std::string name);
// Returns true if the assembler name is that of a part that GCC split off a function.
bool is_part(const std::string &name);
// What users may call a function: the assembler name, the demangled one, that without parameters, and for
// an instance of a template also without its result type; and each name that tables show.
std::vector<std::string> spellings(const std::string &assembler_name);
// Returns true if the glob matches any spelling of a function, or of the function that it is a part or clone of.
bool matches_function(const std::string &glob, const std::string &assembler_name);

} // namespace pathprof

#endif
