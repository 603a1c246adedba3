// SPDX-License-Identifier: GPL-3.0-or-later
// The source files of a page.  Functions refer to their lines; each file's text is in the page once.
#ifndef PATHPROF_PATHDUMP_HTML_SOURCE_H
#define PATHPROF_PATHDUMP_HTML_SOURCE_H

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/describe/sources.h"
#include "pathdump/ui/json.h"
#include "profile/model/profile.h"

namespace pathprof::html {

class SourceFiles {
public:
  explicit SourceFiles(Sources &sources) : sources_(sources) {}

  // What pages call a file of the function, by its name there.
  size_t number_of(const Function &function, const std::string &file);
  // Lines first … last will be shown.
  void need(const Function &function, const std::string &file, uint32_t first, uint32_t last);
  // The line's text, or null.
  const std::string *line(const Function &function, const std::string &file, uint32_t number) {
    return sources_.line(function, file, number);
  }

  size_t size() const { return files_.size(); }
  // {"name": "a.c", "parts": [[10, "text of line 10\nof line 11"], …]}; without parts where it cannot be read; "doubt"
  // where the lines may not be those that were compiled.
  Json json(size_t file);

private:
  Sources &sources_;
  std::vector<size_t> files_;              // their numbers in `sources_`
  std::map<size_t, size_t> numbers_;       // by these
  std::vector<std::set<uint32_t>> needed_; // by file: lines
};

} // namespace pathprof::html

#endif
