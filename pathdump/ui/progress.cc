// SPDX-License-Identifier: GPL-3.0-or-later
// Prints and erases the progress line of long operations.
#include "pathdump/ui/progress.h"

#include <cstdio>

#include <unistd.h>

#include <fmt/format.h>

namespace pathprof {

static constexpr std::chrono::milliseconds kFirst{1000}, kBetween{100};

Progress::Progress(uint64_t total, std::string what)
    : total_(total), what_(std::move(what)), is_wanted_(total > 1 && isatty(STDERR_FILENO)),
      next_(Clock::now() + kFirst) {}

Progress::~Progress() {
  if (is_shown_)
    fmt::print(stderr, "\r\033[K");
}

void Progress::advance(uint64_t steps) {
  uint64_t done = done_ += steps;
  if (is_wanted_)
    show(done);
}

void Progress::show(uint64_t done) {
  std::unique_lock<std::mutex> lock(mutex_, std::try_to_lock);
  if (!lock || Clock::now() < next_)
    return;
  next_ = Clock::now() + kBetween;
  is_shown_ = true;
  fmt::print(stderr, "\r\033[K{} of {} {}", done, total_, what_);
  std::fflush(stderr);
}

} // namespace pathprof
