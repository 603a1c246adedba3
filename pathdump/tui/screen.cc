// SPDX-License-Identifier: GPL-3.0-or-later
// Draws with ncurses and reads keys.
#define NCURSES_NOMACROS 1
#include "pathdump/tui/screen.h"

#include <clocale>
#include <cstdlib>
#include <cstring>
#include <cwchar>

#include <langinfo.h>
#include <unistd.h>

#include <fmt/format.h>
#include <ncursesw/curses.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/program.h"

namespace pathprof::tui {

// Selects a UTF-8 locale, because all text is UTF-8 and ncurses encodes its output according to the locale.
static void choose_locale() {
  std::setlocale(LC_CTYPE, "");
  if (std::strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
    std::setlocale(LC_CTYPE, "C.UTF-8");
}

Screen::Screen(bool colours) {
  if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
    throw Failure(kWrongUse, fmt::format("tui: standard input or output is not a terminal; "
                                         "use '{0} report' or '{0} show' to print the same data",
                                         program_name));
  choose_locale();
  const char *name = std::getenv("TERM");
  if (!newterm(nullptr, stdout, stdin))
    throw Failure(kWrongUse,
                  fmt::format("tui: terminal type '{0}' (TERM) is unknown or does not support cursor movement; "
                              "use '{1} report' or '{1} show' to print the same data",
                              name ? name : "", program_name));
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  set_escdelay(50);
  curs_set(0);
  colours_ = colours && has_colors();
  if (!colours_)
    return;
  start_color();
  use_default_colors();
  init_pair(1, COLOR_RED, -1);
  init_pair(2, COLOR_CYAN, -1);
  init_pair(3, COLOR_GREEN, -1);
}

Screen::~Screen() {
  endwin();
}

size_t Screen::width() const {
  return static_cast<size_t>(getmaxx(stdscr));
}

size_t Screen::height() const {
  return static_cast<size_t>(getmaxy(stdscr));
}

void Screen::clear() {
  erase();
}

static attr_t attributes_of(Colour colour, bool colours) {
  switch (colour) {
  case Colour::None:
    return A_NORMAL;
  case Colour::Heading:
    return A_BOLD;
  case Colour::Hot:
    return colours ? COLOR_PAIR(1) : A_BOLD;
  case Colour::Name:
    return colours ? COLOR_PAIR(2) : A_NORMAL;
  case Colour::Place:
    return colours ? COLOR_PAIR(3) : A_NORMAL;
  case Colour::Faint:
    return colours ? A_DIM : A_NORMAL;
  }
  return A_NORMAL;
}

void Screen::draw(size_t line, const Row &row, size_t skip, bool reversed) {
  if (line >= height())
    return;
  attr_t base = reversed ? A_REVERSE : A_NORMAL;
  size_t column = 0, seen = 0; // column of the screen, column of the row
  for (const Span &span : row.spans) {
    attrset(static_cast<int>(base | (reversed ? A_NORMAL : attributes_of(span.colour, colours_))));
    std::mbstate_t state = {};
    for (const char *at = span.text.data(), *end = at + span.text.size(); at < end;) {
      wchar_t c = L'?';
      size_t length = std::mbrtowc(&c, at, static_cast<size_t>(end - at), &state);
      if (length == 0 || length > 4) // cannot happen, because all text has been made displayable
        length = 1, c = L'?', state = {};
      at += length;
      auto wide = static_cast<size_t>(std::max(0, wcwidth(c)));
      seen += wide;
      if (seen <= skip)
        continue;
      if (column + wide > width())
        break;
      wchar_t text[] = {c, 0};
      mvaddwstr(static_cast<int>(line), static_cast<int>(column), text);
      column += wide;
    }
  }
  attrset(static_cast<int>(base));
  for (; reversed && column < width(); column++)
    mvaddch(static_cast<int>(line), static_cast<int>(column), ' ');
  attrset(A_NORMAL);
}

void Screen::show() {
  refresh();
}

static Key key_of(wint_t code) {
  switch (code) {
  case KEY_UP:
    return Key::Up;
  case KEY_DOWN:
    return Key::Down;
  case KEY_PPAGE:
    return Key::PageUp;
  case KEY_NPAGE:
    return Key::PageDown;
  case KEY_HOME:
    return Key::Home;
  case KEY_END:
    return Key::End;
  case KEY_LEFT:
    return Key::Left;
  case KEY_RIGHT:
    return Key::Right;
  case KEY_ENTER:
    return Key::Enter;
  case KEY_BACKSPACE:
    return Key::Back;
  case KEY_BTAB:
    return Key::BackTab;
  case KEY_RESIZE:
    return Key::Resize;
  default:
    return Key::Other;
  }
}

Press Screen::wait() {
  wint_t code = 0;
  int kind = get_wch(&code);
  if (kind == ERR) // the terminal was closed, or a signal arrived
    return {isatty(STDIN_FILENO) && errno == EINTR ? Key::Resize : Key::Closed, ""};
  if (kind == KEY_CODE_YES)
    return {key_of(code), ""};
  switch (code) {
  case '\r':
  case '\n':
    return {Key::Enter, ""};
  case '\t':
    return {Key::Tab, ""};
  case 27:
    return {Key::Escape, ""};
  case 8:
  case 127:
    return {Key::Back, ""};
  default:
    break;
  }
  char text[16] = {};
  std::mbstate_t state = {};
  size_t length = std::wcrtomb(text, static_cast<wchar_t>(code), &state);
  if (code < ' ' || length > sizeof text)
    return {Key::Other, ""};
  return {Key::Character, std::string(text, length)};
}

} // namespace pathprof::tui
