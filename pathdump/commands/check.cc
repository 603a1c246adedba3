// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump check: is a profile whole, and could a program have run like this?
#include <algorithm>
#include <iostream>

#include <CLI/CLI.hpp>

#include "pathdump/commands/commands.h"
#include "pathdump/model/cut_flow.h"
#include "pathdump/model/returns.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/text.h"
#include "profile/model/saturate.h"
#include "profile/model/unfinished.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files;
};

// What was found in one file.
struct Findings {
  std::vector<std::string> violations;
  std::vector<std::string> notes;
  Amount unfinished = 0;
  uint64_t functions = 0;
  uint64_t paths = 0;
};

std::string port_text(const Function &function, const Names &names, int block) {
  std::string text = fmt::format("{}: block {}", names.full(function.notes.name), block);
  Path alone;
  alone.blocks = {block};
  if (!line_sequence_of(function, alone).empty())
    text += " (" + line_sequence_text(function, alone, names) + ")";
  return text;
}

// A process that began as a fork finishes paths that its parent began.  Counts that were reset, maybe
// by another thread, forget how the paths began that go on.  What ran while a function was switched off is not counted.
bool may_start_from_nowhere(const Profile &profile, const Function &function) {
  return profile.resets > 0 || (function.notes.flags & kSwitched) ||
         (profile.forks > 0 && (function.notes.flags & kCalls));
}

// Whether activations may never finish.
bool may_stay_open(const Profile &profile, const Function &function) {
  return profile.resets > 0 || profile.sudden_ends > 0 || (function.notes.flags & (kCalls | kSwitched));
}

void check_starts(const Profile &profile, const Function &function, const CutFlow &flow, const Names &names,
                  Findings &findings) {
  bool from_nowhere = may_start_from_nowhere(profile, function);
  for (const auto &[block, start] : flow.starts()) {
    if (start.unknown || start.count == 0)
      continue;
    std::string where = port_text(function, names, block);
    bool allowed = from_nowhere || (flow.is_passed(block) && may_stay_open(profile, function));
    if (start.left > 0 && flow.is_passed(block) && allowed)
      continue;
    if (start.left > 0 && allowed)
      findings.notes.push_back(
          fmt::format("{}: {} paths that start here were begun before a fork or a reset, or while it was switched off",
                      where, start.left));
    else if (start.left > 0)
      findings.violations.push_back(
          fmt::format("{}: {} paths start here, but at most {} of those that ended can lead here", where, start.count,
                      start.count - start.left));
    else if (!flow.is_led_to(block) && !allowed)
      findings.violations.push_back(
          fmt::format("{}: {} paths start here, but no executed path leads here from the function's "
                      "entry",
                      where, start.count));
  }
}

// Returns how many activations may have been interrupted for good by a signal whose handler ended the program or jumped
// out: each time, the handler's own activation or a caller of the interrupted function did not finish, either.
uint64_t num_interruptions(const Profile &profile) {
  uint64_t sum = unfinished_of(profile).num_known;
  for (const Function &function : profile.functions)
    for (const auto &path : function.cut_short)
      saturating_add(sum, path.count);
  return sum;
}

// Without calls an activation runs to its end, unless a signal interrupted it, it is a thread's that the program's end
// stopped, or the process was killed; but its last path may go on in its caller, and be lost there.  A path that
// follows may also have ended at an abnormal edge, where it is not counted.
void check_ends(bool may_stay_open, uint64_t interruptions, const Function &function, const CutFlow &flow,
                const Names &names, Findings &findings) {
  if (flow.has_unknown_ends())
    return;
  for (const auto &[block, end] : flow.ends()) {
    if (end.leads_out || end.left == 0)
      continue;
    findings.unfinished += end.left;
    if (!may_stay_open && end.left > interruptions)
      findings.violations.push_back(
          fmt::format("{}: {} paths end here, but only {} of them go on, in a function that makes no "
                      "calls",
                      port_text(function, names, block), end.count, end.count - end.left));
  }
}

// A path in a contracted loop is counted before the one around it.
void check_passages(const Profile &profile, const Function &function, const CutFlow &flow, const Names &names,
                    Findings &findings) {
  if (may_start_from_nowhere(profile, function))
    return;
  for (const auto *ports : {&flow.starts(), &flow.ends()})
    for (const auto &[block, port] : *ports)
      if (port.missing > 0)
        findings.violations.push_back(
            fmt::format("{}: {} paths enter or leave a contracted loop here without one in it",
                        port_text(function, names, block), port.missing));
}

// Paths go on behind a call as often at most as they came to it.
void check_calls(const Profile &profile, const Function &function, const Names &names, Findings &findings) {
  const Activity &activity = *function.activity;
  for (size_t call = 0; call < activity.opened.size(); call++) {
    if (activity.resumed[call] <= activity.opened[call])
      continue;
    std::string text = fmt::format("{}: call {} (line {}): paths go on {} times behind it, but came to it {} times",
                                   names.full(function.notes.name), call, function.notes.calls[call].line,
                                   activity.resumed[call], activity.opened[call]);
    bool allowed = profile.forks > 0 || profile.resets > 0;
    (allowed ? findings.notes : findings.violations).push_back(text);
  }
}

// `is_lost_behind`: a path that runs to the function's end may be in no count.
void check_function(const Profile &profile, const Function &function, bool is_lost_behind, uint64_t interruptions,
                    const Decoded &decoded, const Names &names, Findings &findings) {
  findings.functions++;
  findings.paths += function.paths.size() + function.cut_short.size();
  if (function.num_stray_cycles)
    findings.notes.push_back(fmt::format("{}: {} with cycles but without a count: a running program was dumped",
                                         names.full(function.notes.name), plural(function.num_stray_cycles, "path")));
  CutFlow flow(function, decoded);
  if (flow.has_saturated_counts()) {
    findings.notes.push_back(
        fmt::format("{}: counts are saturated, their flow is not checked", names.full(function.notes.name)));
    return;
  }
  check_passages(profile, function, flow, names, findings);
  if (function.activity)
    check_calls(profile, function, names, findings);
  check_starts(profile, function, flow, names, findings);
  // Paths through calls say which activations were left.
  check_ends(is_lost_behind || may_stay_open(profile, function), function.activity ? 0 : interruptions, function, flow,
             names, findings);
}

void print(const std::string &file, const Findings &findings, Output &out) {
  for (const std::string &text : findings.violations)
    out.print("{}: {}\n", file, paint(out, Colour::Hot, text));
  for (const std::string &text : findings.notes)
    out.print("{}: note: {}\n", file, text);
  if (!findings.violations.empty())
    return;
  out.print("{}: {}, {}, flow conserved at every block", file, plural(findings.functions, "function"),
            plural(findings.paths, "path"));
  if (findings.unfinished > 0)
    out.print("; {} activation{} never finished", findings.unfinished, findings.unfinished == 1 ? "" : "s");
  out.write("\n");
}

ExitStatus check_file(const std::string &file, const Names &names, Selection &selection, Output &out) {
  Profile profile = open_profile(file);
  selection.add(profile, file);
  Findings findings;
  std::vector<char> lost_behind = functions_lost_behind(profile);
  uint64_t interruptions = num_interruptions(profile);
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (!is_left_out(function) && names.selects(function))
      check_function(profile, function, lost_behind[i] != 0, interruptions, *decode_or_fail(file, function), names,
                     findings);
  }
  for (const InterproceduralUnit &program : profile.interprocedural_units)
    findings.paths += program.paths.size();
  print(visible(file), findings, out);
  return findings.violations.empty() ? kGood : kMissed;
}

// A file that cannot be read does not keep the others from being checked.
int run(const Options &options) {
  std::vector<std::string> files = options.files;
  if (files.empty())
    files.push_back(choose_profile(""));
  Names names(options);
  Selection selection(options, names);
  Output out(options);
  ExitStatus status = kGood;
  for (const std::string &file : files) {
    ExitStatus found;
    try {
      found = check_file(file, names, selection, out);
    } catch (const Failure &failure) {
      std::cerr << program_name << ": " << visible(failure.what()) << "\n";
      found = failure.status();
    }
    status = std::max(status, found);
  }
  out.commit();
  return selection.status(status);
}

} // namespace

Run declare_check(CLI::App &command) {
  auto options = std::make_shared<Options>();
  command.add_option("FILE...", options->files,
                     "the profiles ('-': standard input); without one, the only *.pathprof here");
  add_common_options(command, *options, kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
