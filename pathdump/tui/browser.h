// SPDX-License-Identifier: GPL-3.0-or-later
// Which screen is shown, and what keys do.
#ifndef PATHPROF_PATHDUMP_TUI_BROWSER_H
#define PATHPROF_PATHDUMP_TUI_BROWSER_H

#include <optional>
#include <string>

#include "pathdump/tui/contents.h"
#include "pathdump/tui/screen.h"

namespace pathprof::tui {

class Browser {
public:
  // Keeps references.
  Browser(Contents &contents, Screen &screen);

  // Until 'q' or the end of the terminal.
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
  View view_ = View::HotPaths, list_ = View::HotPaths; // the list that a function was opened from
  Pane pane_;
  size_t cursors_[2] = {}; // of the lists
  Target target_;          // the function that is open, and the path that is marked
  bool all_ = false;
  size_t skip_ = 0; // columns to the left of the screen
  bool is_typing_ = false;
  std::string wanted_, message_;
};

} // namespace pathprof::tui

#endif
