// SPDX-License-Identifier: GPL-3.0-or-later
// Collects the source files of a page. Functions refer to lines by file number, and the text of each file is stored
// once.
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

  // Returns the number that identifies a file in the page.
  size_t number_of(const Function &function, const std::string &file);
  // Includes the lines from `first` to `last` in the page.
  void need(const Function &function, const std::string &file, uint32_t first, uint32_t last);
  // Returns the text of the line, or null.
  const std::string *line(const Function &function, const std::string &file, uint32_t number) {
    return sources_.line(function, file, number);
  }

  size_t size() const { return files_.size(); }
  // Returns {"name": "a.c", "parts": [[10, "text of line 10\nof line 11"], …]}. "parts" is empty if the file cannot be
  // read. "doubt" is present if the file may differ from the compiled source.
  Json json(size_t file);

private:
  Sources &sources_;
  std::vector<size_t> files_;              // numbers in `sources_`
  std::map<size_t, size_t> numbers_;       // index in `files_`, by number in `sources_`
  std::vector<std::set<uint32_t>> needed_; // requested lines, by file
};

} // namespace pathprof::html

#endif
