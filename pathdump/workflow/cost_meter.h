// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the cost of runs with perf or callgrind, for `pathprof record --cost`.
#ifndef PATHPROF_PATHDUMP_WORKFLOW_COST_METER_H
#define PATHPROF_PATHDUMP_WORKFLOW_COST_METER_H

#include <string>
#include <vector>

#include "pathdump/model/costs.h"
#include "pathdump/workflow/folder.h"
#include "profile/model/profile.h"

namespace pathprof {

class CostMeter {
public:
  // Selects the measuring tool: "perf", "callgrind", "cycles" (perf with the processor's cycle counter) or "auto",
  // which selects perf with the cycle counter, perf with the software clock or callgrind, in this order. Throws Failure
  // if the tool cannot be used.
  explicit CostMeter(const std::string &tool);

  // Returns the command that runs the program under the measuring tool. Each call is one run. Throws Failure if the
  // program cannot be executed.
  std::vector<std::string> measured(const std::vector<std::string> &program);

  // Returns the cost of all runs for a profile that they wrote. Throws Failure if nothing was measured.
  Measurement read(const Profile &profile);

private:
  // Returns an empty string if perf can measure the event, and otherwise the reason why it cannot.
  std::string why_not(const std::string &event) const;
  std::string select_perf(bool only_cycles);
  std::string text_of_run(size_t run) const;
  void convert(size_t run) const;
  Measurement read_perf_runs(const Profile &profile);
  Measurement read_callgrind_runs(const Profile &profile) const;

  ScratchFolder scratch_;
  std::string event_; // event that perf measures; empty for callgrind
  size_t num_runs_ = 0;
  bool is_converted_ = false; // true if perf's data were converted to text
};

} // namespace pathprof

#endif
