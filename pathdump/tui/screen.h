// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal as a screen, by ncurses.  Nobody else knows ncurses.
#ifndef PATHPROF_PATHDUMP_TUI_SCREEN_H
#define PATHPROF_PATHDUMP_TUI_SCREEN_H

#include <cstddef>
#include <string>

#include "pathdump/tui/pane.h"

namespace pathprof::tui {

enum class Key {
  Character,
  Up,
  Down,
  PageUp,
  PageDown,
  Home,
  End,
  Left,
  Right,
  Enter,
  Back,
  Tab,
  BackTab,
  Escape,
  Resize,
  Closed,
  Other
};

struct Press {
  Key key;
  std::string character; // UTF-8
};

// From the first to the last moment that the terminal is one; it is as before afterwards, also after an error.
class Screen {
public:
  // Throws Failure where the terminal cannot be one.
  explicit Screen(bool colours);
  ~Screen();
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  size_t width() const;
  size_t height() const;
  void clear();
  // What does not fit is left out.  A reversed row is so from edge to edge.
  void draw(size_t line, const Row &row, size_t skip, bool reversed);
  void show();
  Press wait();

private:
  bool colours_;
};

} // namespace pathprof::tui

#endif
