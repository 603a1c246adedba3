// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/source_lines.h"

#include <fstream>
#include <map>

namespace pathprof {

const std::vector<std::string> &lines_of(const std::string &file) {
  static std::map<std::string, std::vector<std::string>> known;
  auto [at, is_new] = known.try_emplace(file);
  if (is_new) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);)
      at->second.push_back(line);
  }
  return at->second;
}

} // namespace pathprof
