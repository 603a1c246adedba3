// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the source lines of a page.
#include "pathdump/html/source.h"

namespace pathprof::html {

size_t SourceFiles::number_of(const Function &function, const std::string &file) {
  size_t number = sources_.number_of(*function.sources, file);
  auto [at, is_new] = numbers_.try_emplace(number, files_.size());
  if (is_new) {
    files_.push_back(number);
    needed_.emplace_back();
  }
  return at->second;
}

void SourceFiles::need(const Function &function, const std::string &file, uint32_t first, uint32_t last) {
  std::set<uint32_t> &lines = needed_[number_of(function, file)];
  for (uint32_t line = first; line <= last && sources_.line(function, file, line); line++)
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
  Json json = {{"name", sources_[files_[file]].shown}, {"parts", std::move(parts)}};
  if (!sources_[files_[file]].doubt.empty())
    json["doubt"] = sources_[files_[file]].doubt;
  return json;
}

} // namespace pathprof::html
