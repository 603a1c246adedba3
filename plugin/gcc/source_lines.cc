// SPDX-License-Identifier: GPL-3.0-or-later
// Reads source files and masks their comments and literals.
#include "plugin/gcc/source_lines.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>

#include "profile/model/masked.h"

namespace pathprof {

const std::vector<std::string> &code_lines_of(const std::string &file) {
  static std::map<std::string, std::vector<std::string>> known;
  auto [at, is_new] = known.try_emplace(file);
  if (is_new) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {}), mask = masked(text);
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
      end = std::min(text.find('\n', begin), text.size());
      at->second.push_back(mask.substr(begin, end - begin));
    }
  }
  return at->second;
}

} // namespace pathprof
