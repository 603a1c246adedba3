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

using Rows = std::vector<std::vector<std::string>>; // of cells

// How wide the columns of the rows are, in characters: as wide as their widest cell, and no wider than their limits,
// unless names are to be whole.
std::vector<size_t> widths_of(const std::vector<Column> &columns, const Rows &rows, bool whole_names);
// Cuts the cells of columns with limits to their widths, except those that different ones would then look like: they
// stay whole, and move the rest of their own rows to the right.
void cut_cells(const std::vector<Column> &columns, const std::vector<size_t> &widths, Rows &rows);

// A table.  On a terminal the last column is cut at its edge.
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // `below` is printed as it is after the row.
  void add(std::vector<std::string> cells, std::string below = {});
  void print(Output &out) const;

private:
  std::string path_label(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                         bool heading) const;

  std::vector<Column> columns_;
  Rows rows_;
  std::vector<std::string> below_;
};

} // namespace pathprof

#endif
