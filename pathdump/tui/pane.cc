// SPDX-License-Identifier: GPL-3.0-or-later
// Moves the cursor, searches rows, and aligns their cells in columns.
#include "pathdump/tui/pane.h"

#include <algorithm>
#include <cctype>

#include "pathdump/describe/path_text.h"
#include "pathdump/ui/text.h"

namespace pathprof::tui {

std::string Row::text() const {
  std::string all;
  for (const Span &span : spans)
    all += span.text;
  return all;
}

std::vector<Row> Row::lines(size_t width) const {
  static constexpr size_t kEnoughRoom = 50, kIndent = 6;
  size_t used = 0;
  for (size_t i = 0; i + 1 < spans.size(); i++)
    used += num_characters(spans[i].text);
  if (items.empty() || used + num_characters(spans.back().text) <= width)
    return {*this};
  size_t indent = used + kEnoughRoom > width ? kIndent : used;
  bool is_below = indent != used;
  std::vector<Row> lines = {*this};
  lines.front().spans.pop_back();
  std::vector<std::string> texts = wrapped(items, width - std::min(width, indent), width - std::min(width, indent));
  for (const std::string &text : texts) {
    if (&text != &texts.front() || is_below)
      lines.push_back({{{std::string(indent, ' '), Colour::None}}, target});
    lines.back().spans.push_back({text, spans.back().colour});
  }
  return lines;
}

void Pane::move(long by) {
  long last = static_cast<long>(rows.size()) - 1;
  cursor = static_cast<size_t>(std::max(0L, std::min(last, static_cast<long>(cursor) + by)));
}

void Pane::scroll_to_cursor(size_t height, size_t width) {
  // Returns the first row of a screen that ends with the row `last`.
  auto first_before = [&](size_t last) {
    size_t first = last, used = rows[last].lines(width).size();
    while (first > 0 && (used += rows[first - 1].lines(width).size()) <= height)
      first--;
    return first;
  };
  if (rows.empty())
    return;
  top = std::clamp(top, first_before(cursor), cursor);
  top = std::min(top, first_before(rows.size() - 1)); // after the screen has grown
}

static std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool Pane::find(const std::string &text, bool backward, bool from_here) {
  std::string wanted = lower(text);
  for (size_t step = from_here ? 0 : 1; step < rows.size() + (from_here ? 0 : 1); step++) {
    size_t row = (backward ? cursor + rows.size() - step : cursor + step) % rows.size();
    if (lower(rows[row].text()).find(wanted) == std::string::npos)
      continue;
    cursor = row;
    return true;
  }
  return false;
}

static Row aligned(const std::vector<Column> &columns, const std::vector<size_t> &widths,
                   const std::vector<std::string> &cells, bool is_heading) {
  Row row;
  for (size_t i = 0; i < cells.size(); i++) {
    bool last = i + 1 == cells.size();
    std::string cell = cells[i];
    std::string padding(widths[i] - std::min(widths[i], num_characters(cell)), ' ');
    cell = columns[i].right ? padding + cell : last ? cell : cell + padding;
    row.spans.push_back({cell + (last ? "" : "  "), is_heading ? Colour::Heading : columns[i].colour});
  }
  return row;
}

void align(Pane &pane, const std::vector<Column> &columns, Rows cells, bool whole_names) {
  std::vector<size_t> widths = widths_of(columns, cells, whole_names);
  cut_cells(columns, widths, cells);
  std::vector<std::string> titles;
  for (const Column &column : columns)
    titles.push_back(column.title);
  pane.heading = aligned(columns, widths, titles, true);
  for (const auto &row : cells)
    pane.rows.push_back(aligned(columns, widths, row, false));
}

} // namespace pathprof::tui
