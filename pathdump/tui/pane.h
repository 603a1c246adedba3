// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen shows: rows of coloured text, of which one is chosen.
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

// Where Enter leads: a function (an index into Contents' listings), and maybe one of its paths (into Listing::paths).
struct Target {
  size_t listing = 0;
  std::optional<size_t> path;
};

struct Row {
  std::vector<Span> spans;
  std::optional<Target> target;

  std::string text() const;
};

struct Pane {
  std::string title;
  Row heading; // stays above the rows; may be empty
  std::vector<Row> rows;
  size_t cursor = 0, top = 0; // rows: chosen, and the first one on the screen

  // Moves the cursor by so many rows.
  void move(long rows);
  // The screen shows `height` rows, the chosen one among them.
  void scroll_to_cursor(size_t height);
  // The cursor goes to the next row, or the one before, that has the text, in whatever case; around the end, too.
  // False where there is none.
  bool find(const std::string &text, bool backward, bool from_here);
};

// The cells of rows below each other, with titles as heading.
void align(Pane &pane, const std::vector<Column> &columns, Rows cells, bool whole_names);

} // namespace pathprof::tui

#endif
