// SPDX-License-Identifier: GPL-3.0-or-later
// Provides unique function names for formats that identify a function by its name.
//
// Functions of the same file can have the same name, for example if two units include a header with alternative
// definitions (#if). The line then makes the names unique: "helper:3" and "helper:7". Otherwise, lcov, gcov's JSON and
// callgrind_annotate would combine the two functions. Static functions in several files can also have the same name:
// "clip (a/util.c)" and "clip (b/util.c)".
#ifndef PATHPROF_PATHDUMP_COVERAGE_UNIQUE_NAMES_H
#define PATHPROF_PATHDUMP_COVERAGE_UNIQUE_NAMES_H

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace pathprof {

// Makes function names unique. In all member functions, `name` and `file` are the displayed names of a function and its
// file, and `line` is 0 if the line is unknown.
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
