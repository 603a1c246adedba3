// SPDX-License-Identifier: GPL-3.0-or-later
// Composes the warning about activations that never finished.
#include "pathdump/ui/unfinished.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/models/model.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/text.h"

namespace pathprof {

std::string ExecutedFunctions::text() const {
  return fmt::format("{}{}", is_lower_bound ? "at least " : "", number);
}

ExecutedFunctions executed_functions(const Profile &profile, const Unfinished &unfinished) {
  std::set<size_t> executed, affected(unfinished.affected.begin(), unfinished.affected.end());
  for (const auto &[index, number] : unfinished.known)
    executed.insert(index);
  bool is_lower_bound = false;
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (is_left_out(function))
      continue;
    if (!function.paths.empty() || !function.cut_short.empty() || (function.activity && function.activity->executions))
      executed.insert(i);
    else if (!executed.count(i))
      is_lower_bound |= profile.sudden_ends > 0 || affected.count(i);
  }
  return {executed.size(), is_lower_bound};
}

// Formats pairs of function index and number of activations as "f (3), g (1) and 2 more functions". Numbers that are 0
// are omitted.
static std::string some_names(const Profile &profile, const std::vector<std::pair<size_t, uint64_t>> &functions) {
  constexpr size_t kMost = 3;
  std::string text;
  for (size_t i = 0; i < std::min(functions.size(), kMost); i++) {
    auto [index, number] = functions[i];
    bool is_last = i > 0 && i + 1 == functions.size();
    text += is_last ? " and " : i ? ", " : "";
    text += cxx_name(demangle(profile.functions[index].notes.name), NameDetail::Short);
    text += number ? fmt::format(" ({})", number) : "";
  }
  if (functions.size() > kMost)
    text += " and " + plural(functions.size() - kMost, "more function");
  return text;
}

std::string evidence_text(const Profile &profile, const Unfinished &unfinished) {
  if (!unfinished)
    return "";
  if (unfinished.num_known)
    return fmt::format("at least {} never finished (exit, longjmp, an exception or a kill), in {}",
                       plural(unfinished.num_known, "activation"), some_names(profile, unfinished.known));
  return unfinished.num_caught
             ? "exceptions propagated out of called functions and may have ended activations of their callers"
             : "a process was killed, and its open activations never finished";
}

// Formats the functions that were compiled with termination=basic and whose counts may be wrong.
static std::string affected_names(const Profile &profile, const Unfinished &unfinished) {
  std::vector<std::pair<size_t, uint64_t>> affected;
  for (size_t index : unfinished.affected)
    affected.emplace_back(index, 0);
  return some_names(profile, affected);
}

std::string unfinished_text(const Profile &profile, const Unfinished &unfinished) {
  if (!unfinished || !(unfinished.num_known || unfinished.num_caught))
    return "";
  if (std::all_of(unfinished.affected.begin(), unfinished.affected.end(),
                  [&](size_t index) { return (profile.functions[index].notes.flags & kFreestanding) != 0; }))
    return fmt::format("at least {} had not finished when the counters were written, or never finished, in {}; code "
                       "before the call that did not return may be shown as never executed",
                       plural(unfinished.num_known, "activation"), some_names(profile, unfinished.known));
  // True if the modes of all affected functions support exact termination.
  bool has_exact = std::all_of(unfinished.affected.begin(), unfinished.affected.end(), [&](size_t index) {
    return model_of(profile.functions[index].notes.model).has(Feature::ExactTermination);
  });
  return fmt::format("{}; in functions compiled with termination=basic ({}), code after a call that did not return may "
                     "be shown as executed, and code before it as never executed; for exact counts, compile with "
                     "-fplugin-arg-pathprof-termination=exact{}",
                     evidence_text(profile, unfinished), affected_names(profile, unfinished),
                     has_exact ? "" : " and mode=acyclic");
}

std::string killed_text(const Profile &profile, const Unfinished &unfinished) {
  if (!profile.sudden_ends)
    return "";
  std::string text =
      fmt::format("{} killed or ended without running exit handlers; functions that were active at that moment may be "
                  "missing or shown as never called, and the lines that they executed are shown as not executed",
                  profile.sudden_ends == 1 ? "1 process was" : fmt::format("{} processes were", profile.sudden_ends));
  if (unfinished && !unfinished.num_known && !unfinished.num_caught)
    text += fmt::format("; in functions compiled with termination=basic ({}), code after the last call may be shown as "
                        "executed",
                        affected_names(profile, unfinished));
  return text;
}

} // namespace pathprof
