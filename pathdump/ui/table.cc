// SPDX-License-Identifier: GPL-3.0-or-later
// Prints tables as wide as their cells require, or as wide as the terminal.
#include "pathdump/ui/table.h"

#include <algorithm>
#include <map>
#include <set>

#include "pathdump/ui/text.h"

namespace pathprof {

void Table::add(std::vector<std::string> cells, std::string below) {
  rows_.push_back(std::move(cells));
  below_.push_back(std::move(below));
}

static constexpr size_t kIndent = 6; // indentation of last cells on separate lines

static void remove_last_blanks(std::string &text) {
  text.erase(text.find_last_not_of(' ') + 1);
}

std::string Table::coloured(const Output &out, size_t column, const std::string &cell, bool heading) const {
  Colour colour = columns_[column].colour_of ? columns_[column].colour_of(cell) : columns_[column].colour;
  return paint(out, heading ? Colour::Heading : colour, cell);
}

// Returns all cells of a row except the last cell, aligned in columns. Adds the number of characters to `used`.
std::string Table::first_cells(const Output &out, const std::vector<std::string> &cells,
                               const std::vector<size_t> &widths, bool heading, size_t &used) const {
  std::string text;
  for (size_t i = 0; i + 1 < columns_.size(); i++) {
    size_t length = num_characters(cells[i]), width = std::max(widths[i], length);
    std::string padding(width - length, ' '), cell = coloured(out, i, cells[i], heading);
    text += (columns_[i].right ? padding + cell : cell + padding) + "  ";
    used += width + 2;
  }
  return text;
}

// Returns a row as text. If the terminal is too narrow for the last column, the last cell is placed on a separate line.
std::string Table::row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                            bool heading) const {
  static constexpr size_t kEnoughRoom = 30;
  size_t used = 0, last = columns_.size() - 1, width = widths[last];
  std::string text = first_cells(out, cells, widths, heading, used), cell = cells[last];
  if (out.width()) {
    if (used + std::min(width, kEnoughRoom) > out.width()) {
      remove_last_blanks(text);
      text += "\n" + std::string(kIndent, ' ');
      used = kIndent;
    }
    width = std::min(width, std::max(out.width(), used + 1) - used);
    cell = cut_text(cell, width);
  }
  if (columns_[last].right)
    text.append(width - std::min(width, num_characters(cell)), ' ');
  text += coloured(out, last, cell, heading);
  remove_last_blanks(text);
  return text + "\n";
}

// Returns a row whose last cell consists of several lines. If `is_below` is set, the last cell begins on a separate
// line. Otherwise, its lines begin at the column `used`.
std::string Table::fitted_row(const Output &out, const std::vector<std::string> &cells,
                              const std::vector<size_t> &widths, size_t used, bool is_below, bool heading) const {
  size_t length = 0, indent = is_below ? kIndent : used;
  std::string text = first_cells(out, cells, widths, heading, length);
  const std::string &last = cells.back();
  if (is_below || length > used) {
    remove_last_blanks(text);
    text += "\n" + std::string(indent, ' ');
  }
  for (size_t begin = 0, end; begin <= last.size(); begin = end + 1) {
    end = std::min(last.find('\n', begin), last.size());
    text += (begin ? "\n" + std::string(indent, ' ') : "") +
            coloured(out, columns_.size() - 1, last.substr(begin, end - begin), heading);
  }
  remove_last_blanks(text);
  return text + "\n";
}

std::vector<size_t> widths_of(const std::vector<Column> &columns, const Rows &rows, bool whole_names) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns.size(); i++) {
    size_t width = num_characters(columns[i].title);
    for (const auto &row : rows)
      width = std::max(width, num_characters(row[i]));
    bool limited = columns[i].limit && !whole_names;
    widths.push_back(limited ? std::min(width, columns[i].limit) : width);
  }
  return widths;
}

void cut_cells(const std::vector<Column> &columns, const std::vector<size_t> &widths, Rows &rows) {
  for (size_t i = 0; i < columns.size(); i++) {
    if (!columns[i].limit)
      continue;
    std::map<std::string, std::set<std::string>> whole; // full cell texts, by shortened text
    for (const auto &row : rows)
      whole[cut_text(row[i], widths[i])].insert(row[i]);
    for (auto &row : rows)
      if (std::string cut = cut_text(row[i], widths[i]); whole[cut].size() == 1)
        row[i] = cut;
  }
}

void Table::print_fitted(Output &out, const std::vector<std::string> &titles, const std::vector<size_t> &widths,
                         Rows shown) const {
  static constexpr size_t kEnoughRoom = 50;
  size_t used = 2 * (columns_.size() - 1);
  for (size_t i = 0; i + 1 < columns_.size(); i++)
    used += widths[i];
  size_t room = std::max(out.row_width(), used) - used;
  bool is_below = room < std::min(widths.back(), kEnoughRoom);
  std::vector<std::string> cells = fit_(is_below ? std::max(out.row_width(), 2 * kIndent) - kIndent : room);
  out.write(fitted_row(out, titles, widths, used, is_below, true));
  for (size_t r = 0; r < shown.size(); r++) {
    shown[r].back() = cells[r];
    out.write(fitted_row(out, shown[r], widths, used, is_below, false));
    out.write(below_[r]);
  }
}

void Table::print(Output &out) const {
  std::vector<std::string> titles;
  for (const Column &column : columns_)
    titles.push_back(column.title);
  std::vector<size_t> widths = widths_of(columns_, rows_, out.whole_names());
  Rows shown = rows_;
  bool is_fitted = fit_ && out.row_width();
  if (out.width() || is_fitted)
    cut_cells(columns_, widths, shown);
  if (is_fitted)
    return print_fitted(out, titles, widths, std::move(shown));
  out.write(row_text(out, titles, widths, true));
  for (size_t r = 0; r < shown.size(); r++) {
    out.write(row_text(out, shown[r], widths, false));
    out.write(below_[r]);
  }
}

} // namespace pathprof
