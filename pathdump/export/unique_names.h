// SPDX-License-Identifier: GPL-3.0-or-later
// Names of functions for formats that identify a function by its name.
//
// Functions of one file may have one name: a header that two units include has alternatives (#if).  Then the line makes
// the names unique: "helper:3" and "helper:7".  Otherwise lcov, gcov's JSON and callgrind_annotate take both for one
// function.  Static functions of several files may have one name, too: "clip (a/util.c)" and "clip (b/util.c)".
#ifndef PATHPROF_PATHDUMP_EXPORT_UNIQUE_NAMES_H
#define PATHPROF_PATHDUMP_EXPORT_UNIQUE_NAMES_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace pathprof {

// `name` and `file` are a function's name and its file's name, both as they are shown.  Line 0 is not known.
class UniqueNames {
public:
  void add(const std::string &name, const std::string &file, uint32_t line);

  // Returns a name that is unique in the file.
  std::string in_file(const std::string &name, const std::string &file, uint32_t line) const;
  // Returns a name that is unique among all functions.
  std::string anywhere(const std::string &name, const std::string &file, uint32_t line) const;

private:
  std::map<std::string, std::map<std::string, std::set<uint32_t>>> lines_; // by name and file
};

} // namespace pathprof

#endif
