// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the calls that paths go through.
#include "pathdump/model/calls.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pathprof {

size_t num_whole_calls(const Function &function) {
  const std::vector<CallNotes> &calls = function.notes.calls;
  return static_cast<size_t>(
      std::count_if(calls.begin(), calls.end(), [](const CallNotes &call) { return call.cut == CallCut::None; }));
}

std::string calls_text(const Function &function) {
  return function.in_program ? fmt::format("{}/{}", num_whole_calls(function), function.notes.calls.size()) : "-";
}

std::string sites_text(const Function &function, const Names &names) {
  std::string text;
  for (size_t i = 0; i < function.notes.calls.size(); i++) {
    const CallNotes &call = function.notes.calls[i];
    const std::string &callee = function.callees[i];
    text += fmt::format("          {:>4} line {:<5} {}: {}{}\n", i, call.line,
                        !callee.empty()                 ? names.function(callee)
                        : call.cut == CallCut::Indirect ? "(indirect)"
                                                        : "(external)",
                        to_string(call.cut),
                        call.kind == CallKind::Ended ? ", paths end at this call and start after it" : "");
  }
  return text;
}

std::string reasons_text(const Profile &profile, const InterproceduralUnit &unit) {
  uint64_t number[kNumCallCuts] = {};
  for (size_t function : unit.functions)
    for (const CallNotes &call : profile.functions[function].notes.calls)
      number[static_cast<size_t>(call.cut)]++;
  std::vector<std::string> parts;
  for (int cut = 0; cut < kNumCallCuts; cut++)
    if (number[cut] || cut == 0)
      parts.push_back(fmt::format("{} {}", number[cut], to_string(static_cast<CallCut>(cut))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

DirectCalls::DirectCalls(const Profile &profile, const InterproceduralUnit &unit) {
  for (size_t function : unit.functions)
    add(profile.functions[function]);
}

double DirectCalls::share_of_sites() const {
  return sites ? 100.0 * static_cast<double>(whole_sites) / static_cast<double>(sites) : 100;
}

double DirectCalls::share_of_executions() const {
  return executions > 0 ? 100 * whole_executions / executions : 100;
}

// The first call in a block is executed as often as the block is entered.  Each later call is executed as often as the
// preceding call returns.
void DirectCalls::add(const Function &function) {
  const Activity &activity = *function.activity;
  double come = 0;
  for (size_t i = 0; i < function.notes.calls.size(); i++) {
    const CallNotes &call = function.notes.calls[i];
    if (i == 0 || call.block != function.notes.calls[i - 1].block)
      come = static_cast<double>(activity.entered[call.block]);
    bool is_whole = call.kind == CallKind::Traversed;
    if (!function.callees[i].empty()) {
      sites++;
      whole_sites += is_whole;
      executions += come;
      whole_executions += is_whole ? come : 0;
    }
    if (call.kind != CallKind::SteppedOver)
      come = static_cast<double>(activity.resumed[i]);
  }
}

} // namespace pathprof
