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

// Returns a row as text. If the terminal is too narrow for the last column, the last cell is placed on a separate line.
std::string Table::path_label(const Output &out, const std::vector<std::string> &cells,
                              const std::vector<size_t> &widths, bool heading) const {
  static constexpr size_t kEnoughRoom = 30, kIndent = 6;
  std::string text;
  size_t used = 0;
  for (size_t i = 0; i < cells.size(); i++) {
    bool last = i + 1 == cells.size();
    size_t width = std::max(widths[i], last ? 0 : num_characters(cells[i]));
    if (last && out.width() && used + std::min(width, kEnoughRoom) > out.width()) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n" + std::string(kIndent, ' ');
      used = kIndent;
    }
    if (last && out.width())
      width = std::min(width, std::max(out.width(), used + 1) - used);
    std::string cell = last && out.width() ? cut_text(cells[i], width) : cells[i];
    std::string padding(width - std::min(width, num_characters(cell)), ' ');
    if (columns_[i].right)
      text += padding;
    Colour colour = columns_[i].colour_of ? columns_[i].colour_of(cells[i]) : columns_[i].colour;
    text += paint(out, heading ? Colour::Heading : colour, cell);
    if (!last)
      text += (columns_[i].right ? "" : padding) + "  ";
    used += width + 2;
  }
  text.erase(text.find_last_not_of(' ') + 1);
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

void Table::print(Output &out) const {
  std::vector<std::string> titles;
  for (const Column &column : columns_)
    titles.push_back(column.title);
  std::vector<size_t> widths = widths_of(columns_, rows_, out.whole_names());
  Rows shown = rows_;
  if (out.width())
    cut_cells(columns_, widths, shown);
  out.write(path_label(out, titles, widths, true));
  for (size_t r = 0; r < shown.size(); r++) {
    out.write(path_label(out, shown[r], widths, false));
    out.write(below_[r]);
  }
}

} // namespace pathprof
