// SPDX-License-Identifier: GPL-3.0-or-later
// Navigates between lists and functions, searches, and draws the screen.
#include "pathdump/tui/browser.h"

#include <algorithm>

namespace pathprof::tui {

Browser::Browser(Contents &contents, Screen &screen) : contents_(contents), screen_(screen) {
  show(View::HotPaths);
}

Pane Browser::make(View view) {
  switch (view) {
  case View::HotPaths:
    return contents_.hot_paths();
  case View::Functions:
    return contents_.functions(all_);
  case View::Source:
    return contents_.source(target_.listing, target_.path);
  case View::Graph:
    return contents_.graph(target_.listing, target_.path);
  case View::Paths:
    return contents_.paths(target_.listing);
  }
  return {};
}

void Browser::show(View view) {
  if (!is_in_function())
    cursors_[static_cast<int>(view_)] = pane_.cursor;
  view_ = view;
  pane_ = make(view);
  if (!is_in_function())
    pane_.cursor = std::min(cursors_[static_cast<int>(view)], pane_.rows.size() - 1);
  if (view == View::Paths && target_.path)
    pane_.cursor = *target_.path;
  skip_ = 0;
}

// Opens the source of the function in the current row. If the row represents a path, the path is marked in the source.
void Browser::open() {
  const std::optional<Target> target = pane_.rows[pane_.cursor].target;
  if (!target) {
    if (!is_in_function())
      message_ = "no function to open in this row";
    return;
  }
  if (!is_in_function())
    list_ = view_;
  target_ = *target;
  show(View::Source);
}

// Closes a function and displays the list from which it was opened. Returns false if the current view is a list.
bool Browser::back() {
  if (!is_in_function())
    return false;
  show(list_);
  return true;
}

// Switches to the next or previous list or, within a function, to the next or previous view of the function.
void Browser::turn(int by) {
  int first = static_cast<int>(is_in_function() ? View::Source : View::HotPaths), number = is_in_function() ? 3 : 2;
  show(static_cast<View>(first + (static_cast<int>(view_) - first + by + number) % number));
}

size_t Browser::rows_shown() const {
  size_t others = 3; // rows for the title, the heading and the keys
  return screen_.height() > others ? screen_.height() - others : 1;
}

void Browser::search(bool backward, bool from_here) {
  if (wanted_.empty())
    message_ = "no previous search; press '/' to start a search";
  else if (!pane_.find(wanted_, backward, from_here))
    message_ = "text not found: " + wanted_;
}

void Browser::press_in_search(const Press &press) {
  switch (press.key) {
  case Key::Character:
    wanted_ += press.character;
    break;
  case Key::Back:
    while (!wanted_.empty() && (wanted_.back() & 0xc0) == 0x80)
      wanted_.pop_back();
    if (!wanted_.empty())
      wanted_.pop_back();
    break;
  case Key::Enter:
    is_typing_ = false;
    search(false, true);
    break;
  case Key::Escape:
    is_typing_ = false;
    break;
  default:
    break;
  }
}

// Handles a character key. Returns false if the key quits the browser.
bool Browser::press_character(const std::string &character) {
  char c = character.size() == 1 ? character[0] : '\0';
  switch (c) {
  case 'q':
    return back();
  case 'Q':
    return false;
  case 'j':
    pane_.move(1);
    break;
  case 'k':
    pane_.move(-1);
    break;
  case ' ':
    pane_.move(static_cast<long>(std::max<size_t>(rows_drawn_, 1)));
    break;
  case 'b':
    pane_.move(-static_cast<long>(std::max<size_t>(rows_drawn_, 1)));
    break;
  case '/':
    is_typing_ = true;
    wanted_.clear();
    break;
  case 'n':
  case 'N':
    search(c == 'N', false);
    break;
  case 'a':
    if (view_ == View::Functions) {
      all_ = !all_;
      show(View::Functions);
    }
    break;
  case 's':
  case 'g':
  case 'p':
    if (is_in_function())
      show(c == 's' ? View::Source : c == 'g' ? View::Graph : View::Paths);
    break;
  default:
    break;
  }
  return true;
}

bool Browser::press(const Press &press) {
  static constexpr size_t kStep = 8;
  message_.clear();
  if (press.key == Key::Closed)
    return false;
  if (is_typing_) {
    press_in_search(press);
    return true;
  }
  long page = static_cast<long>(std::max<size_t>(rows_drawn_, 1)), far = static_cast<long>(pane_.rows.size());
  switch (press.key) {
  case Key::Character:
    return press_character(press.character);
  case Key::Up:
  case Key::Down:
    pane_.move(press.key == Key::Up ? -1 : 1);
    break;
  case Key::PageUp:
  case Key::PageDown:
    pane_.move(press.key == Key::PageUp ? -page : page);
    break;
  case Key::Home:
  case Key::End:
    pane_.move(press.key == Key::Home ? -far : far);
    break;
  case Key::Left:
    skip_ -= std::min(skip_, kStep);
    break;
  case Key::Right:
    skip_ += kStep;
    break;
  case Key::Enter:
    open();
    break;
  case Key::Tab:
  case Key::BackTab:
    turn(press.key == Key::Tab ? 1 : -1);
    break;
  case Key::Escape:
  case Key::Back:
    back();
    break;
  default:
    break;
  }
  return true;
}

std::string Browser::keys() const {
  if (is_typing_)
    return "/" + wanted_;
  if (!message_.empty())
    return message_;
  std::string keys = is_in_function() ? "s source  g graph  p paths  " : "Enter open  Tab ";
  if (view_ == View::HotPaths)
    keys += "functions  ";
  else if (view_ == View::Functions)
    keys += all_ ? "hot paths  a executed only  " : "hot paths  a all  ";
  else if (view_ == View::Paths)
    keys += "Enter mark  ";
  return keys + "/ search  n N next  <- -> scroll  " + (is_in_function() ? "q back  Q quit" : "q quit");
}

void Browser::draw() {
  screen_.clear();
  size_t height = screen_.height(), shown = rows_shown();
  pane_.scroll_to_cursor(shown, screen_.width());
  if (height > 2)
    screen_.draw(0, {{{pane_.title, Colour::Heading}}, std::nullopt}, 0, false);
  if (height > 3)
    screen_.draw(1, pane_.heading, skip_, false);
  size_t first = height > 3 ? 2 : height > 2 ? 1 : 0;
  size_t drawn = 0; // number of lines
  for (rows_drawn_ = 0; drawn < shown && pane_.top + rows_drawn_ < pane_.rows.size(); rows_drawn_++) {
    size_t row = pane_.top + rows_drawn_;
    for (const Row &line : pane_.rows[row].lines(screen_.width()))
      if (drawn < shown)
        screen_.draw(first + drawn++, line, skip_, row == pane_.cursor);
  }
  if (height > 1)
    screen_.draw(height - 1, {{{keys(), Colour::Heading}}, std::nullopt}, 0, false);
  screen_.show();
}

void Browser::run() {
  do
    draw();
  while (press(screen_.wait()));
}

} // namespace pathprof::tui
