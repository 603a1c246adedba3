// SPDX-License-Identifier: GPL-3.0-or-later
// Controls the terminal through ncurses. Only screen.cc includes ncurses.
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
  std::string character; // the character in UTF-8, if `key` is Character
};

// The terminal in full-screen mode. The destructor restores the previous state of the terminal.
class Screen {
public:
  // Throws Failure if the terminal does not support full-screen mode.
  explicit Screen(bool colours);
  ~Screen();
  Screen(const Screen &) = delete;
  Screen &operator=(const Screen &) = delete;

  size_t width() const;
  size_t height() const;
  void clear();
  // Draws a row without its first `skip` columns. The row is clipped at the right edge of the screen. If `reversed` is
  // set, the whole row is highlighted.
  void draw(size_t line, const Row &row, size_t skip, bool reversed);
  void show();
  Press wait();

private:
  bool colours_;
};

} // namespace pathprof::tui

#endif
