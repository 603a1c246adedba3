// SPDX-License-Identifier: GPL-3.0-or-later
// Formats tables of text.
#ifndef PATHPROF_PATHDUMP_UI_TABLE_H
#define PATHPROF_PATHDUMP_UI_TABLE_H

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "pathdump/ui/output.h"

namespace pathprof {

struct Column {
  std::string title;
  bool right = false;
  Colour colour = Colour::None;
  size_t limit = 0; // maximum width in characters (for function names), or 0 if the width is unlimited
  Colour (*colour_of)(const std::string &cell) = nullptr; // chooses the colour of each cell, if not null
};

using Rows = std::vector<std::vector<std::string>>; // one vector of cells per row

// Returns the width of each column in characters: the width of its widest cell, up to the column's limit unless
// `whole_names` is set.
std::vector<size_t> widths_of(const std::vector<Column> &columns, const Rows &rows, bool whole_names);
// Shortens the cells in columns with a width limit to the given widths. A cell is not shortened if this would make two
// different cells look identical. In this case, the rest of the row is shifted to the right.
void cut_cells(const std::vector<Column> &columns, const std::vector<size_t> &widths, Rows &rows);

// A table that is printed as text. On a terminal, the last column is cut off at the right edge, unless it is shortened
// by the function that is passed to fit_last_column().
class Table {
public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // Adds a row. `below` is text that is printed unchanged after the row.
  void add(std::vector<std::string> cells, std::string below = {});
  // Shortens the last column so that rows fit in Output::row_width. `fit` returns the cells of the column, with
  // lines of at most `width` characters.
  void fit_last_column(std::function<std::vector<std::string>(size_t width)> fit) { fit_ = std::move(fit); }
  void print(Output &out) const;

private:
  std::string coloured(const Output &out, size_t column, const std::string &cell, bool heading) const;
  std::string first_cells(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                          bool heading, size_t &used) const;
  std::string row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                       bool heading) const;
  std::string fitted_row(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                         size_t used, bool is_below, bool heading) const;
  void print_fitted(Output &out, const std::vector<std::string> &titles, const std::vector<size_t> &widths,
                    Rows shown) const;

  std::vector<Column> columns_;
  Rows rows_;
  std::vector<std::string> below_;
  std::function<std::vector<std::string>(size_t width)> fit_;
};

} // namespace pathprof

#endif
