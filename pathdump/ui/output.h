// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the output of commands: standard output, a pager or a file, with optional colours.
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

// The output of a command. It is written to standard output, to a pager if text is printed on a terminal, or to a file.
// The file appears under its final name only when it is complete.
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
  // Completes the output. Throws Failure if any output could not be written, or ClosedPipe if the reader of the output
  // has closed the pipe.
  void commit();

  bool colours() const { return colours_; }
  // Returns the number of columns of the terminal, or 0 if the output is not a terminal.
  size_t width() const { return width_; }
  // Returns the number of columns to which the rows of tables are shortened: the width of the terminal or, if standard
  // output is not a terminal, the value of COLUMNS. Returns 0 if the rows are not shortened.
  size_t row_width() const { return row_width_; }
  // Returns true if function names must not be truncated.
  bool whole_names() const { return whole_names_; }

private:
  void open_temporary();
  void open_pager();
  void hold(std::string_view text);
  [[noreturn]] void fail(int error);

  std::string name_;      // name of the output file, or empty for standard output
  std::string temporary_; // name of the temporary file, or empty if the output is written directly
  std::FILE *stream_ = nullptr;
  std::unique_ptr<Pager> pager_;
  size_t room_ = 0; // height of the terminal in lines until the need for a pager is decided, then 0
  std::string held_;
  bool colours_ = false;
  size_t width_ = 0, row_width_ = 0;
  bool whole_names_ = false;
};

enum class Colour { None, Heading, Hot, Name, Place, Faint };
// Returns true if --color=CHOICE and the environment enable colours.
bool wants_colours(const std::string &choice, bool is_terminal);
std::string paint(const Output &out, Colour colour, const std::string &text);
// Paints the text in one of six colours, so that adjacent elements of a series can be distinguished.
std::string paint_series(const Output &out, size_t index, const std::string &text);

// Prints a sentence on one line. On a terminal, the text is wrapped at the terminal's width.
void print_remark(const std::string &text, Output &out);

} // namespace pathprof

#endif
