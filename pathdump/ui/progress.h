// SPDX-License-Identifier: GPL-3.0-or-later
// Declares the progress display of long operations.
#ifndef PATHPROF_PATHDUMP_UI_PROGRESS_H
#define PATHPROF_PATHDUMP_UI_PROGRESS_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <string>

namespace pathprof {

// Displays progress such as "12 of 1000 profiles" on standard error if standard error is a terminal and the work takes
// longer than a second. The line is erased when the work is done. Several threads may call advance().
class Progress {
public:
  Progress(uint64_t total, std::string what); // `what` is a plural noun such as "profiles"
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  void advance(uint64_t steps = 1);

private:
  using Clock = std::chrono::steady_clock;
  void show(uint64_t done);

  const uint64_t total_;
  const std::string what_;
  const bool is_wanted_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_; // protects `next_` and `is_shown_`
  Clock::time_point next_;
  bool is_shown_ = false;
};

} // namespace pathprof

#endif
