// SPDX-License-Identifier: GPL-3.0-or-later
// Gathering the source lines that a page needs.
#include "pathdump/html/source.h"

namespace pathprof::html {

size_t SourceFiles::number_of(const std::string &file) {
  auto [at, is_new] = numbers_.try_emplace(file, files_.size());
  if (is_new) {
    files_.push_back(file);
    needed_.emplace_back();
  }
  return at->second;
}

void SourceFiles::need(const std::string &file, uint32_t first, uint32_t last) {
  std::set<uint32_t> &lines = needed_[number_of(file)];
  for (uint32_t line = first; line <= last && sources_.line(file, line); line++)
    lines.insert(line);
}

Json SourceFiles::json(size_t file) {
  Json parts = Json::array();
  std::string text;
  uint32_t first = 0, next = 0;
  auto finish = [&] {
    if (first)
      parts.push_back({first, text});
  };
  for (uint32_t number : needed_[file]) {
    if (number != next) {
      finish();
      text.clear();
      first = number;
    } else {
      text += '\n';
    }
    text += *sources_.line(files_[file], number);
    next = number + 1;
  }
  finish();
  return {{"name", names_.file(files_[file])}, {"parts", std::move(parts)}};
}

} // namespace pathprof::html
