// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the base class of the list at the start of a page: the changes or the suspicious paths. Each row is a path;
// the list also adds columns to the other path tables of the page.
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

// Parts of the page that a list uses.
struct PageParts {
  Glossary &glossary;
  PathFormatter &formatter;
  Decoder &decoder;
  std::function<std::string(const HotPath &)>
      address; // returns the address of a path in the page, or an empty string if the page does not show the path
};

// Compressed data in the page.
struct PackedData {
  const char *kind; // "function" or "unit"
  std::string key;
  Json json;
};

class LeadingList {
public:
  virtual ~LeadingList() = default;

  // Identifier and heading of the section.
  virtual const char *id() const = 0;
  virtual const char *title() const = 0;
  // Returns the number of statements of each listed path, keyed by function and path ID. Functions and path IDs refer
  // to the page's profile. Paths that were not executed in this profile are included.
  const ListedPaths &listed() const { return listed_; }
  // Adds to `of_program` the IDs of the listed interprocedural paths that were executed in the page's profile.
  void note_programs(std::map<size_t, std::set<WideNumber>> &of_program) const;

  // Returns the titles of the added columns.
  virtual std::vector<std::string> columns() const = 0;
  // Returns the path's cells in the added columns.
  virtual std::vector<std::string> cells(const HotPath &hot) const = 0;
  // Adds the cells of the added columns to each path in `json`, the result of Details::function().
  void add(Json &json, const RankedFunction &ranked) const;

  // Returns the views of functions and paths that are not in the page's profile. Callers must call data() before
  // section().
  virtual std::vector<PackedData> data(SourceFiles &files);
  // Returns the markup of the section.
  std::string section(const PageParts &page);

protected:
  // Returns the contents of the section.
  virtual std::string contents(const PageParts &page) = 0;
  // Adds the cells for the columns that with_location_heads() appends: the columns from the path ID to the decisions.
  static void add_location(Table &table, const std::string &address, WideNumber id, const PathLabel &row);
  static std::vector<Head> with_location_heads(std::vector<Head> heads, const PathFormatter &formatter);

  static constexpr size_t kListed = 200;
  ListedPaths listed_;
  std::map<size_t, std::set<WideNumber>> programs_;
};

} // namespace pathprof::html

#endif
