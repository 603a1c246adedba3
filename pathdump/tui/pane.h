// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the contents of a screen: rows of coloured text with a cursor.
#ifndef PATHPROF_PATHDUMP_TUI_PANE_H
#define PATHPROF_PATHDUMP_TUI_PANE_H

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "pathdump/ui/output.h"
#include "pathdump/ui/table.h"

namespace pathprof::tui {

struct Span {
  std::string text;
  Colour colour = Colour::None;
};

// The target of the Enter key: a function (index into Contents' listings) and optionally one of its paths (index into
// Listing::paths).
struct Target {
  size_t listing = 0;
  std::optional<size_t> path;
};

struct Row {
  std::vector<Span> spans;
  std::optional<Target> target;
  std::vector<std::string> items = {}; // the text of the last span, in items between which it can be broken into lines

  std::string text() const;
  // Returns the lines in which the row is drawn on a screen of this width: several if the row does not fit and its last
  // span can be broken.
  std::vector<Row> lines(size_t width) const;
};

struct Pane {
  std::string title;
  Row heading; // always visible above the rows; may be empty
  std::vector<Row> rows;
  size_t cursor = 0, top = 0; // indices of the selected row and of the first visible row

  // Moves the cursor by the given number of rows.
  void move(long rows);
  // Scrolls so that the row at the cursor is among the rows that fit on a screen of `height` lines.
  void scroll_to_cursor(size_t height, size_t width);
  // Moves the cursor to the next or previous row that contains the text, ignoring case and wrapping around at the ends.
  // Returns false if no row contains the text.
  bool find(const std::string &text, bool backward, bool from_here);
};

// Adds the rows to the pane, with the cells aligned in columns, and uses the column titles as the heading.
void align(Pane &pane, const std::vector<Column> &columns, Rows cells, bool whole_names);

} // namespace pathprof::tui

#endif
