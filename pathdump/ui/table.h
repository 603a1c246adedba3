// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of text.
#ifndef PATHPROF_PATHDUMP_UI_TABLE_H
#define PATHPROF_PATHDUMP_UI_TABLE_H

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/ui/output.h"

namespace pathprof {

struct Column {
  std::string title;
  bool right = false;
  Colour colour = Colour::None;
  size_t limit = 0; // no wider than so many characters (names of functions); 0: as wide as need be
  Colour (*colour_of)(const std::string &cell) = nullptr; // where cells differ in colour
};

// How wide the i-th column of the rows must be: no wider than its limit, unless names are to be whole, or two different
// cells would look alike.
size_t width_of(const std::vector<Column> &columns, size_t i, const std::vector<std::vector<std::string>> &rows,
                bool whole_names);

// A table whose columns are as wide as their widest cell.  On a terminal the last column is cut at
// its edge.
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // `below` is printed as it is after the row.
  void add(std::vector<std::string> cells, std::string below = {});
  void print(Output &out) const;

private:
  std::string row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                       bool heading) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> below_;
};

} // namespace pathprof

#endif
