// SPDX-License-Identifier: GPL-3.0-or-later
// Records one or several running processes and writes the sum of their profiles.
#include "pathdump/workflow/recorder.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "pathdump/ui/builds.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/workflow/attach.h"
#include "profile/format/merge.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

// Blocks termination signals during the lifetime of the object. wait() waits for the blocked signals.
class EndSignals {
public:
  EndSignals() {
    sigemptyset(&set_);
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
      sigaddset(&set_, signal);
    sigprocmask(SIG_BLOCK, &set_, &before_);
  }
  ~EndSignals() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  EndSignals(const EndSignals &) = delete;
  EndSignals &operator=(const EndSignals &) = delete;

  // Returns true if a termination signal arrives within `seconds`.
  bool wait(double seconds) const {
    timespec time = {};
    time.tv_sec = static_cast<time_t>(seconds);
    time.tv_nsec = static_cast<long>((seconds - std::floor(seconds)) * 1e9);
    return sigtimedwait(&set_, nullptr, &time) > 0;
  }

private:
  sigset_t set_, before_;
};

// Accumulates profiles in memory.
class Sum {
public:
  Sum() = default;
  ~Sum() { pathprof_buffer_free(&sum_); }
  Sum(const Sum &) = delete;
  Sum &operator=(const Sum &) = delete;

  void add(const std::string &profile, const std::string &name) {
    pathprof_image image = {}, before = {};
    pathprof_error error = {};
    const auto *bytes = reinterpret_cast<const unsigned char *>(profile.data());
    if (!pathprof_image_open(&image, bytes, profile.size(), &error))
      throw Failure(kBadData, fmt::format("record: {} returned an invalid profile: {}", name, error.reason));
    builds_.add(image, name, num_++);
    pathprof_buffer merged = {};
    bool in_second = false;
    bool ok = sum_.size ? pathprof_image_open(&before, sum_.data, sum_.size, &error) &&
                              pathprof_merge(&before, 1, &image, 1, &merged, &error, &in_second)
                        : pathprof_merge(&image, 1, &image, 0, &merged, &error, &in_second);
    if (!ok)
      throw Failure(kBadData, fmt::format("record: cannot merge the profile of {} with the other profiles: {}", name,
                                          error.reason));
    pathprof_buffer_free(&sum_);
    sum_ = merged;
  }

  void write(const std::string &file) const {
    if (std::string conflict = builds_.conflict(); !conflict.empty())
      throw Failure(kBadData, "record: " + conflict);
    CommonOptions options;
    options.output = file;
    Output out(options);
    out.write({reinterpret_cast<const char *>(sum_.data), sum_.size});
    out.commit();
  }

  size_t num() const { return num_; }

private:
  pathprof_buffer sum_ = {};
  Builds builds_;
  size_t num_ = 0;
};

using Recordings = std::vector<std::unique_ptr<Recording>>;

void warn(const std::string &message) {
  std::cerr << program_name << ": warning: " << visible(message) << "\n";
}

// Calls `what` for each recording. If one of several recordings fails, it is removed with a warning. Throws Failure if
// no recording is left or if the only recording fails.
template <typename Do>
void for_all(Recordings &recordings, Do what) {
  std::string last;
  bool are_several = recordings.size() > 1;
  for (auto &recording : recordings)
    try {
      what(*recording);
    } catch (const Failure &failure) {
      if (!are_several)
        throw;
      warn(failure.what());
      recording = nullptr;
    }
  recordings.erase(std::remove(recordings.begin(), recordings.end(), nullptr), recordings.end());
  if (recordings.empty())
    throw Failure(kBadData, "record: all recordings failed; see the warnings above");
}

Recordings find(const WhatToRecord &what) {
  Recordings recordings;
  if (what.pid) {
    recordings.push_back(std::make_unique<Recording>(what.pid));
    return recordings;
  }
  std::vector<pid_t> found = processes_of(what.name);
  if (found.empty())
    throw Failure(kWrongUse, fmt::format("record: no process is running a program named '{}'", what.name));
  for (pid_t pid : found)
    try {
      recordings.push_back(std::make_unique<Recording>(pid));
    } catch (const Failure &failure) {
      if (found.size() == 1)
        throw;
      warn(failure.what());
    }
  if (recordings.empty())
    throw Failure(kBadData,
                  fmt::format("record: none of the {} processes named '{}' can be recorded", found.size(), what.name));
  return recordings;
}

// Returns the duration of a lease in seconds. The recorded process ends the recording when the lease expires. The lease
// of a short recording exceeds the duration of the recording by one minute. The lease of a long or unlimited recording
// has a fixed duration and is renewed periodically.
uint32_t lease_for(double seconds) {
  static constexpr double kMost = 600, kMore = 60;
  return static_cast<uint32_t>(seconds > 0 && seconds < kMost ? seconds + kMore : kMore);
}

// Waits until `seconds` have passed, a termination signal arrives, or all recordings have ended.
void wait(Recordings &recordings, double seconds, const EndSignals &signals) {
  static constexpr double kLook = 0.25;
  auto begin = Recording::Clock::now();
  for (;;) {
    double passed = std::chrono::duration<double>(Recording::Clock::now() - begin).count();
    double left = seconds > 0 ? seconds - passed : kLook;
    if (left <= 0 || signals.wait(std::min(left, kLook)))
      return;
    bool goes_on = false;
    for (auto &recording : recordings)
      if (recording->goes_on()) {
        recording->renew(lease_for(seconds));
        goes_on = true;
      }
    if (!goes_on)
      return;
  }
}

} // namespace

std::string record_processes(const WhatToRecord &what) {
  Recordings recordings = find(what);
  std::string program = recordings.front()->process().name();
  std::string file = what.file.empty() ? program + ".recorded.pathprof" : what.file;
  Sum sum;
  double longest = 0;
  EndSignals signals;
  for_all(recordings, [&](Recording &recording) { recording.begin(lease_for(what.seconds)); });
  wait(recordings, what.seconds, signals);
  for_all(recordings, [&](Recording &recording) {
    sum.add(recording.end(), recording.process().title());
    longest = std::max(longest, recording.seconds());
  });
  sum.write(file);
  std::cerr << program_name << ": "
            << visible(fmt::format("{} recorded for {:.3f} s in {}",
                                   sum.num() == 1 ? recordings.front()->process().title()
                                                  : fmt::format("{} processes ({})", sum.num(), program),
                                   longest, file))
            << "\n";
  return file;
}

} // namespace pathprof
