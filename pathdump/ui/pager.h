// SPDX-License-Identifier: GPL-3.0-or-later
// The program that text for a terminal goes through, as git's does.
#ifndef PATHPROF_PATHDUMP_UI_PAGER_H
#define PATHPROF_PATHDUMP_UI_PAGER_H

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include <sys/types.h>

namespace pathprof {

// A running pager.  While it runs, standard error goes through it too where that is the terminal, and keys that would
// interrupt are the pager's.
class Pager {
public:
  // Whether there is a variable that says which.
  static bool is_asked_for();
  // Starts $PATHPROF_PAGER, $PAGER or less; nothing where the first of these that is set is empty or "cat", or there is
  // none.  Says on standard error where one that was asked for cannot be run.
  static std::unique_ptr<Pager> start();
  ~Pager() { finish(); }
  Pager(const Pager &) = delete;
  Pager &operator=(const Pager &) = delete;

  std::FILE *stream() const { return stream_; }
  // Ends what it reads, and waits until whoever reads it has seen enough.
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
