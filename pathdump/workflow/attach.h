// SPDX-License-Identifier: GPL-3.0-or-later
// Recording a running process: the tool's side of profile/format/recording.h.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_ATTACH_H
#define PATHPROF_PATHDUMP_WORKFLOW_ATTACH_H

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "pathdump/workflow/process.h"
#include "profile/format/recording.h"

namespace pathprof {

// A process that is recorded.  Nothing is sent to one that does not expect it.
class Recording {
public:
  using Clock = std::chrono::steady_clock;

  // Throws Failure where the process cannot be recorded, and says why.
  explicit Recording(pid_t pid);

  // Switches it on, for at most so many seconds unless that is renewed.  Throws Failure.
  void begin(uint32_t lease);
  // Asks for more time where little is left.
  void renew(uint32_t lease);
  // Whether it still goes on: the process may end, or execute another program.
  bool goes_on() const;
  // Ends it, and returns the profile.  Throws Failure where there is none.
  std::string end();

  const Process &process() const { return process_; }
  // For how long the process was switched on, as it says.
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
