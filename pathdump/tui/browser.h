// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the controller of `pathdump tui`: the current view and the reactions to keys.
#ifndef PATHPROF_PATHDUMP_TUI_BROWSER_H
#define PATHPROF_PATHDUMP_TUI_BROWSER_H

#include <optional>
#include <string>

#include "pathdump/tui/contents.h"
#include "pathdump/tui/screen.h"

namespace pathprof::tui {

class Browser {
public:
  // Keeps references to the arguments.
  Browser(Contents &contents, Screen &screen);

  // Handles keys until the user quits the browser or the terminal is closed.
  void run();

private:
  enum class View { HotPaths, Functions, Source, Graph, Paths };

  bool is_in_function() const { return view_ >= View::Source; }
  Pane make(View view);
  void show(View view);
  void open();
  bool back();
  void turn(int by);
  bool press(const Press &press);
  bool press_character(const std::string &character);
  void press_in_search(const Press &press);
  void search(bool backward, bool from_here);
  void draw();
  std::string keys() const;
  size_t rows_shown() const;

  Contents &contents_;
  Screen &screen_;
  View view_ = View::HotPaths, list_ = View::HotPaths; // `list_` is the list from which the current function was opened
  Pane pane_;
  size_t cursors_[2] = {}; // cursor positions in the two lists
  Target target_;          // the displayed function and the marked path
  bool all_ = false;
  size_t skip_ = 0;       // number of columns scrolled out on the left
  size_t rows_drawn_ = 1; // number of rows on the screen
  bool is_typing_ = false;
  std::string wanted_, message_;
};

} // namespace pathprof::tui

#endif
