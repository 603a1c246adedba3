// SPDX-License-Identifier: GPL-3.0-or-later
// Where commands print: text and colours.
#ifndef PATHPROF_PATHDUMP_UI_OUTPUT_H
#define PATHPROF_PATHDUMP_UI_OUTPUT_H

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "pathdump/ui/options.h"
#include "pathdump/ui/pager.h"

namespace pathprof {

// Standard output, a pager before it where that is a terminal and text is printed, or a file that appears under its
// name only when it is complete.
class Output {
public:
  explicit Output(const CommonOptions &options);
  ~Output();
  Output(const Output &) = delete;
  Output &operator=(const Output &) = delete;

  void write(std::string_view text);
  template <typename... T>
  void print(fmt::format_string<T...> format, T &&...args) {
    write(fmt::format(format, std::forward<T>(args)...));
  }
  // Throws Failure where something could not be written.
  void commit();

  bool colours() const { return colours_; }
  // Columns of the terminal, 0 where the output is not one.
  size_t width() const { return width_; }
  // Names of functions are not to be cut.
  bool whole_names() const { return whole_names_; }

private:
  void open_temporary();
  void open_pager();
  void hold(std::string_view text);
  [[noreturn]] void fail(int error);

  std::string name_;      // empty: standard output
  std::string temporary_; // empty: written directly
  std::FILE *stream_ = nullptr;
  std::unique_ptr<Pager> pager_;
  size_t room_ = 0; // lines of the terminal, as long as it is open whether a pager is needed
  std::string held_;
  bool colours_ = false;
  size_t width_ = 0;
  bool whole_names_ = false;
};

enum class Colour { None, Heading, Hot, Name, Place, Faint };
// Whether --color=CHOICE and the environment ask for colours.
bool wants_colours(const std::string &choice, bool is_terminal);
std::string paint(const Output &out, Colour colour, const std::string &text);
// One of a few colours that tell neighbours in a series apart.
std::string paint_series(const Output &out, size_t index, const std::string &text);

// A line of prose; on a terminal as many as it needs.
void print_remark(const std::string &text, Output &out);

} // namespace pathprof

#endif
