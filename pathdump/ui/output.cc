// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the output of commands to standard output, to a pager or to a file that is replaced when it is complete, and
// colours text.
#include "pathdump/ui/output.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/color.h>

#include "pathdump/ui/failure.h"
#include "pathdump/ui/text.h"

namespace pathprof {

static bool environment_has(const char *name) {
  const char *value = std::getenv(name);
  return value && *value;
}

bool wants_colours(const std::string &choice, bool is_terminal) {
  if (choice != "auto")
    return choice == "always";
  auto is = [](const char *name, const char *value) {
    return environment_has(name) && std::strcmp(std::getenv(name), value) == 0;
  };
  if (environment_has("NO_COLOR"))
    return false;
  if (environment_has("CLICOLOR_FORCE") && !is("CLICOLOR_FORCE", "0"))
    return true;
  return is_terminal && !is("CLICOLOR", "0") && !is("TERM", "dumb");
}

// Returns the size of the terminal, or zeros if the size is unknown.
static winsize terminal_size() {
  winsize size = {};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

// Returns the value of COLUMNS, or 0 if it is not a number.
static size_t width_of_environment() {
  static constexpr unsigned long kMost = 100000;
  const char *text = std::getenv("COLUMNS");
  char *end = nullptr;
  unsigned long width = text && std::isdigit(static_cast<unsigned char>(*text)) ? std::strtoul(text, &end, 10) : 0;
  return end && !*end && width <= kMost ? width : 0;
}

Output::Output(const CommonOptions &options) {
  if (options.output != "-") {
    name_ = options.output;
    open_temporary();
  } else {
    stream_ = stdout;
  }
  bool is_terminal = name_.empty() && isatty(STDOUT_FILENO);
  colours_ = wants_colours(options.color, is_terminal);
  winsize size = terminal_size();
  if (is_terminal)
    width_ = size.ws_col ? size.ws_col : 80;
  row_width_ = name_.empty() && !is_terminal ? width_of_environment() : width_;
  whole_names_ = options.full_names;
  if (!is_terminal || !options.is_text || options.json || options.no_pager)
    return;
  if (Pager::is_asked_for())
    open_pager();
  else
    room_ = size.ws_row;
}

void Output::open_pager() {
  room_ = 0;
  std::fflush(stdout);
  pager_ = Pager::start();
  if (pager_)
    stream_ = pager_->stream();
}

// Buffers the output, and starts the pager when the output and the shell prompt no longer fit on the screen.
void Output::hold(std::string_view text) {
  held_ += text;
  if (static_cast<size_t>(std::count(held_.begin(), held_.end(), '\n')) < room_)
    return;
  open_pager();
  write(std::exchange(held_, {}));
}

// Opens a temporary file for the output. Devices and pipes are written directly. If the name is a symbolic link, its
// target is replaced. A new file gets the permissions that open() would set; an existing file keeps its permissions.
void Output::open_temporary() {
  std::string target = name_;
  if (char *real = realpath(name_.c_str(), nullptr)) {
    target = real;
    std::free(real);
  }
  struct stat status;
  bool exists = stat(target.c_str(), &status) == 0;
  if (exists && !S_ISREG(status.st_mode)) {
    stream_ = S_ISDIR(status.st_mode) ? nullptr : std::fopen(target.c_str(), "w");
    if (!stream_)
      fail(S_ISDIR(status.st_mode) ? EISDIR : errno);
    return;
  }
  std::string pattern = target + ".XXXXXX";
  int fd = mkstemp(pattern.data());
  if (fd < 0)
    fail(errno);
  temporary_ = pattern;
  mode_t mask = umask(0);
  umask(mask);
  if (fchmod(fd, exists ? status.st_mode & 0777 : 0666 & ~mask) != 0 || !(stream_ = fdopen(fd, "w"))) {
    int error = errno;
    close(fd);
    fail(error);
  }
  name_ = target;
}

void Output::fail(int error) {
  if (stream_ && stream_ != stdout && !pager_)
    std::fclose(stream_);
  stream_ = nullptr;
  pager_.reset();
  if (!temporary_.empty())
    unlink(temporary_.c_str());
  temporary_.clear();
  if (error == EPIPE)
    throw ClosedPipe();
  throw Failure(kWrongUse,
                fmt::format("{}: cannot write: {}", name_.empty() ? "standard output" : name_, std::strerror(error)));
}

Output::~Output() {
  if (stream_ && stream_ != stdout && !pager_)
    std::fclose(stream_);
  if (!temporary_.empty())
    unlink(temporary_.c_str());
  if (!held_.empty()) // print the buffered text before an error message
    std::fwrite(held_.data(), 1, held_.size(), stdout);
}

void Output::write(std::string_view text) {
  if (room_) {
    hold(text);
    return;
  }
  // If a pager is running, write errors are ignored, because they occur when the user quits the pager early.
  if (std::fwrite(text.data(), 1, text.size(), stream_) != text.size() && !pager_)
    fail(errno);
}

void Output::commit() {
  room_ = 0;
  write(std::exchange(held_, {}));
  if (pager_) {
    pager_.reset();
    stream_ = nullptr;
    return;
  }
  if (std::fflush(stream_) != 0)
    fail(errno);
  if (stream_ == stdout)
    return;
  int result = std::fclose(stream_);
  stream_ = nullptr;
  if (result != 0 || (!temporary_.empty() && std::rename(temporary_.c_str(), name_.c_str()) != 0))
    fail(errno);
  temporary_.clear();
}

std::string paint(const Output &out, Colour colour, const std::string &text) {
  if (!out.colours() || colour == Colour::None || text.empty())
    return text;
  fmt::text_style style;
  switch (colour) {
  case Colour::None:
    break;
  case Colour::Heading:
    style = fmt::emphasis::bold;
    break;
  case Colour::Hot:
    style = fmt::fg(fmt::terminal_color::red);
    break;
  case Colour::Name:
    style = fmt::fg(fmt::terminal_color::cyan);
    break;
  case Colour::Place:
    style = fmt::fg(fmt::terminal_color::green);
    break;
  case Colour::Faint:
    style = fmt::emphasis::faint;
    break;
  }
  return fmt::format(style, "{}", text);
}

std::string paint_series(const Output &out, size_t index, const std::string &text) {
  static constexpr fmt::terminal_color colours[] = {fmt::terminal_color::red,     fmt::terminal_color::green,
                                                    fmt::terminal_color::yellow,  fmt::terminal_color::blue,
                                                    fmt::terminal_color::magenta, fmt::terminal_color::cyan};
  return out.colours() ? fmt::format(fmt::fg(colours[index % std::size(colours)]), "{}", text) : text;
}

void print_remark(const std::string &text, Output &out) {
  size_t begin = 0;
  while (out.width() && num_characters(text.substr(begin)) > out.width()) {
    size_t at = begin, end = std::string::npos; // position of the last space that fits, or npos
    while ((at = text.find(' ', at + 1)) != std::string::npos &&
           num_characters(text.substr(begin, at - begin)) <= out.width())
      end = at;
    if (end == std::string::npos)
      break;
    out.print("{}\n", text.substr(begin, end - begin));
    begin = end + 1;
  }
  out.print("{}\n", text.substr(begin));
}

} // namespace pathprof
