// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a pager for text that is printed to a terminal, as git does.
#ifndef PATHPROF_PATHDUMP_UI_PAGER_H
#define PATHPROF_PATHDUMP_UI_PAGER_H

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <sys/types.h>

namespace pathprof {

// A running pager. While the pager is running, standard error is redirected to the pager if standard error is a
// terminal, and only the pager responds to keyboard interrupts.
class Pager {
public:
  // Returns true if an environment variable selects a pager.
  static bool is_asked_for();
  // Starts the pager named by $PATHPROF_PAGER or $PAGER, or less if neither is set. Returns null if the command is
  // empty or "cat", or if it cannot be run. Prints a message to standard error if the pager named by a variable cannot
  // be run.
  static std::unique_ptr<Pager> start();
  ~Pager() { finish(); }
  Pager(const Pager &) = delete;
  Pager &operator=(const Pager &) = delete;

  std::FILE *stream() const { return stream_; }
  // Closes the pager's input and waits until the user has quit the pager.
  void finish();

private:
  Pager() = default;
  bool spawn(const std::string &command);

  std::FILE *stream_ = nullptr;
  pid_t process_ = -1;
  int kept_stderr_ = -1;
  struct sigaction kept_[3] = {};
};

} // namespace pathprof

#endif
