// SPDX-License-Identifier: GPL-3.0-or-later
// Makes function names unique by appending a line or a file.
#include "pathdump/coverage/unique_names.h"

#include <fmt/format.h>

namespace pathprof {

void UniqueNames::add(const std::string &name, const std::string &file, uint32_t line) {
  std::set<uint32_t> &lines = lines_[name][file];
  if (line)
    lines.insert(line);
}

std::string UniqueNames::in_file(const std::string &name, const std::string &file, uint32_t line) const {
  auto files = lines_.find(name);
  if (files == lines_.end() || !line)
    return name;
  auto lines = files->second.find(file);
  bool is_unique = lines == files->second.end() || lines->second.size() < 2;
  return is_unique ? name : fmt::format("{}:{}", name, line);
}

std::string UniqueNames::anywhere(const std::string &name, const std::string &file, uint32_t line) const {
  auto files = lines_.find(name);
  bool is_unique = files == lines_.end() || files->second.size() < 2;
  return in_file(name, file, line) + (is_unique ? "" : " (" + file + ")");
}

} // namespace pathprof
