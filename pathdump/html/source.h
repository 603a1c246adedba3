// SPDX-License-Identifier: GPL-3.0-or-later
// The source files of a page.  Functions refer to their lines; each file's text is in the page once.
#ifndef PATHPROF_PATHDUMP_HTML_SOURCE_H
#define PATHPROF_PATHDUMP_HTML_SOURCE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/common.h"
#include "pathdump/json.h"

namespace pathprof::html {

class SourceFiles {
public:
  SourceFiles(const Names &names, Sources &sources) : names_(names), sources_(sources) {}

  // What pages call the file, a name as the profile has it.
  size_t number_of(const std::string &file);
  // Lines first … last will be shown.
  void need(const std::string &file, uint32_t first, uint32_t last);
  // The line's text, or null.
  const std::string *line(const std::string &file, uint32_t number) { return sources_.line(file, number); }

  size_t size() const { return files_.size(); }
  // {"name": "a.c", "parts": [[10, "text of line 10\nof line 11"], …]}; without parts where it cannot be read.
  Json json(size_t file);

private:
  const Names &names_;
  Sources &sources_;
  std::vector<std::string> files_;
  std::map<std::string, size_t> numbers_;
  std::vector<std::set<uint32_t>> needed_; // by file: lines
};

} // namespace pathprof::html

#endif
