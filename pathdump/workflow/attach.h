// SPDX-License-Identifier: GPL-3.0-or-later
// Records a running process; implements the tool's side of the protocol in profile/format/recording.h.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_ATTACH_H
#define PATHPROF_PATHDUMP_WORKFLOW_ATTACH_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "pathdump/workflow/process.h"
#include "profile/format/recording.h"

namespace pathprof {

// A recording of a running process. Sends signals only to a process that has announced that it handles them.
class Recording {
public:
  using Clock = std::chrono::steady_clock;

  // Throws Failure with the reason if the process cannot be recorded.
  explicit Recording(pid_t pid);

  // Switches counting on. Counting stops after `lease` seconds unless the lease is renewed. Throws Failure if counting
  // cannot be switched on.
  void begin(uint32_t lease);
  // Renews the lease if at least half of its duration has passed.
  void renew(uint32_t lease);
  // Returns true if the recording is still active. A recording also ends when the process ends or executes another
  // program.
  bool goes_on() const;
  // Ends the recording and returns the profile.  Throws Failure if there is no profile.
  std::string end();

  const Process &process() const { return process_; }
  // Returns the number of seconds for which counting was switched on, as reported by the process.
  double seconds() const;

private:
  [[noreturn]] void fail(const std::string &why) const;
  int announced_signal() const;
  std::string why_not_announced() const;
  void wait_until_admitted() const;
  Descriptor find_recording() const;
  void end_what_was_left() const;
  bool read_state(pathprof_recording *state) const;
  void request(enum pathprof_request what, uint32_t lease) const;
  std::string read_profile(uint64_t size) const;

  Process process_;
  int signal_;
  Descriptor file_;
  Clock::time_point renew_at_;
};

} // namespace pathprof

#endif
