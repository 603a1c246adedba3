// SPDX-License-Identifier: GPL-3.0-or-later
// A list that a page begins with where it is asked for more than what ran: each row is a path, and each path of the
// page says in columns of its own what the list knows of it.
#ifndef PATHPROF_PATHDUMP_HTML_LEADING_LIST_H
#define PATHPROF_PATHDUMP_HTML_LEADING_LIST_H

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "pathdump/html/ranking.h"
#include "pathdump/html/source.h"
#include "pathdump/html/table.h"
#include "pathdump/model/hot.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/json.h"

namespace pathprof::html {

// What a list needs of the page that it is on.
struct PageParts {
  Glossary &glossary;
  PathFormatter &formatter;
  Decoder &decoder;
  std::function<std::string(const HotPath &)> address; // where the page shows a path; empty: nowhere
};

// Data that is packed into the page.
struct PackedData {
  const char *kind; // "function", "unit"
  std::string key;
  Json json;
};

class LeadingList {
public:
  virtual ~LeadingList() = default;

  // The section's identifier, and its heading.
  virtual const char *id() const = 0;
  virtual const char *title() const = 0;
  // Its paths by function of the page's profile, each with its statements; also those that no run of that executed.
  const ListedPaths &listed() const { return listed_; }
  // Its paths of programs that the page's profile executed.
  void note_programs(std::map<size_t, std::set<WideNumber>> &of_program) const;

  // The columns that each path of the page gets, and its cells.
  virtual std::vector<std::string> columns() const = 0;
  virtual std::vector<std::string> cells(const HotPath &hot) const = 0;
  // Adds these to what Details::function says.
  void add(Json &json, const RankedFunction &ranked) const;

  // Views of what is not in the page's profile.  To be called before section().
  virtual std::vector<PackedData> data(SourceFiles &files);
  // The section of the page.
  std::string section(const PageParts &page);

protected:
  // What stands in it.
  virtual std::string contents(const PageParts &page) = 0;
  // The cells from the path's number to its decisions, under location_heads.
  static void add_location(Table &table, const std::string &address, WideNumber id, const PathLabel &row);
  static std::vector<Head> with_location_heads(std::vector<Head> heads, const PathFormatter &formatter);

  static constexpr size_t kListed = 200;
  ListedPaths listed_;
  std::map<size_t, std::set<WideNumber>> programs_;
};

} // namespace pathprof::html

#endif
