// SPDX-License-Identifier: GPL-3.0-or-later
// Printing tables, as wide as they need be or as the terminal is.
#include "pathdump/ui/table.h"

#include <algorithm>
#include <map>

#include "pathdump/ui/text.h"

namespace pathprof {

void Table::add(std::vector<std::string> cells, std::string below) {
  rows_.push_back(std::move(cells));
  below_.push_back(std::move(below));
}

// Where a terminal leaves too little room for the last column, it goes to a line of its own.
std::string Table::row_text(const Output &out, const std::vector<std::string> &cells, const std::vector<size_t> &widths,
                            bool heading) const {
  static constexpr size_t kEnoughRoom = 30, kIndent = 6;
  std::string text;
  size_t used = 0;
  for (size_t i = 0; i < cells.size(); i++) {
    bool last = i + 1 == cells.size();
    size_t width = widths[i];
    if (last && out.width() && used + std::min(width, kEnoughRoom) > out.width()) {
      text.erase(text.find_last_not_of(' ') + 1);
      text += "\n" + std::string(kIndent, ' ');
      used = kIndent;
    }
    if (last && out.width())
      width = std::min(width, std::max(out.width(), used + 1) - used);
    std::string cell = out.width() ? cut_text(cells[i], width) : cells[i];
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

size_t width_of(const std::vector<Column> &columns, size_t i, const std::vector<std::vector<std::string>> &rows,
                bool whole_names) {
  size_t width = columns[i].title.size(), limit = columns[i].limit;
  for (const auto &row : rows)
    width = std::max(width, num_characters(row[i]));
  if (!limit || whole_names)
    return width;
  std::map<std::string, std::string> whole; // by what is left
  bool can_be_cut = std::all_of(rows.begin(), rows.end(), [&](const auto &row) {
    return whole.emplace(cut_text(row[i], limit), row[i]).first->second == row[i];
  });
  return can_be_cut ? std::min(width, limit) : width;
}

void Table::print(Output &out) const {
  std::vector<std::string> titles;
  std::vector<size_t> widths;
  for (size_t i = 0; i < columns_.size(); i++) {
    titles.push_back(columns_[i].title);
    widths.push_back(width_of(columns_, i, rows_, out.whole_names()));
  }
  out.write(row_text(out, titles, widths, true));
  for (size_t r = 0; r < rows_.size(); r++) {
    out.write(row_text(out, rows_[r], widths, false));
    out.write(below_[r]);
  }
}

} // namespace pathprof
