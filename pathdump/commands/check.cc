// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump check`: verifies that profiles are intact and that their counts are consistent with an
// execution.
#include <algorithm>
#include <iostream>

#include "core/numbering/saturate.h"
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
#include "profile/model/unfinished.h"
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files;
};

// Results for one file.
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

// Returns true if a path may have been counted even though the preceding path was not counted.  There are three
// possible causes: a forked child finishes paths that its parent started, a reset discards the counts of preceding
// paths, or counting is switched off for some time.
bool may_start_from_nowhere(const Profile &profile, const Function &function) {
  return profile.resets > 0 || (function.notes.flags & kSwitched) ||
         (profile.forks > 0 && (function.notes.flags & kCalls));
}

// Returns true if some activations of the function may not have finished.
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
          fmt::format("{}: {} of the paths that start here follow a path that was executed before a fork or a reset, "
                      "or while counting was switched off",
                      where, start.left));
    else if (start.left > 0)
      findings.violations.push_back(fmt::format(
          "{}: the number of paths that start here ({}) exceeds the number of paths that can lead here ({})", where,
          start.count, start.count - start.left));
    else if (!flow.is_led_to(block) && !allowed)
      findings.violations.push_back(
          fmt::format("{}: paths start here (count {}), but no executed path leads here from the function's entry",
                      where, start.count));
  }
}

// Returns an upper bound on the number of activations that never finished because a signal handler interrupted them and
// then ended the program or called longjmp.  The bound is the number of all activations that are known to be
// unfinished.  This number is an upper bound because each such handler leaves at least one of these activations
// unfinished: its own activation or the activation of a caller.
uint64_t num_interruptions(const Profile &profile) {
  uint64_t sum = unfinished_of(profile).num_known;
  for (const Function &function : profile.functions)
    for (const auto &path : function.cut_short)
      saturating_add(sum, path.count);
  return sum;
}

// Checks that every path that ends inside the function is followed by another path of the same activation.  If
// `may_stay_open` is true, a missing next path is not an error: the activation may not have finished, or its next path
// may have continued in the caller and ended there without being counted.  `interruptions` is an upper bound on the
// number of activations that signal handlers left unfinished.  In a function without calls, all other activations
// finish.
void check_ends(bool may_stay_open, uint64_t interruptions, const Function &function, const CutFlow &flow,
                const Names &names, Findings &findings) {
  if (flow.has_unknown_ends())
    return;
  for (const auto &[block, end] : flow.ends()) {
    if (end.leads_out || end.left == 0)
      continue;
    findings.unfinished += end.left;
    if (!may_stay_open && end.left > interruptions)
      findings.violations.push_back(fmt::format("{}: the number of paths that end here ({}) exceeds the number of "
                                                "paths that follow ({}), even though the function contains no calls",
                                                port_text(function, names, block), end.count, end.count - end.left));
  }
}

// Checks that for each counted path that enters or leaves a collapsed loop, a path inside the loop was also counted.
// The path inside the loop is counted first.
void check_passages(const Profile &profile, const Function &function, const CutFlow &flow, const Names &names,
                    Findings &findings) {
  if (may_start_from_nowhere(profile, function))
    return;
  for (const auto *ports : {&flow.starts(), &flow.ends()})
    for (const auto &[block, port] : *ports)
      if (port.missing > 0)
        findings.violations.push_back(fmt::format(
            "{}: for {} of the paths that enter or leave a collapsed loop here, no path inside the loop was counted",
            port_text(function, names, block), port.missing));
}

// Checks that the number of paths that continue after a call does not exceed the number of paths that reached the call.
void check_calls(const Profile &profile, const Function &function, const Names &names, Findings &findings) {
  const Activity &activity = *function.activity;
  for (size_t call = 0; call < activity.opened.size(); call++) {
    if (activity.resumed[call] <= activity.opened[call])
      continue;
    std::string text = fmt::format("{}: call {} (line {}): the number of paths that continue after the call ({}) "
                                   "exceeds the number of paths that reached the call ({})",
                                   names.full(function.notes.name), call, function.notes.calls[call].line,
                                   activity.resumed[call], activity.opened[call]);
    bool allowed = profile.forks > 0 || profile.resets > 0;
    (allowed ? findings.notes : findings.violations).push_back(text);
  }
}

// Checks one function.  `is_lost_behind` is true if paths that reach the end of the function may continue in the caller
// and end there without being counted.
void check_function(const Profile &profile, const Function &function, bool is_lost_behind, uint64_t interruptions,
                    const Decoded &decoded, const Names &names, Findings &findings) {
  findings.functions++;
  findings.paths += function.paths.size() + function.cut_short.size();
  if (function.num_stray_cycles)
    findings.notes.push_back(
        fmt::format("{}: {} with cycles but no count, because the profile was written while the program was running",
                    names.full(function.notes.name), plural(function.num_stray_cycles, "path")));
  CutFlow flow(function, decoded);
  if (flow.has_saturated_counts()) {
    findings.notes.push_back(
        fmt::format("{}: flow not checked because counts are {}", names.full(function.notes.name),
                    function.notes.flags & kCoverageOnly ? "only coverage (counters=bit)" : "saturated"));
    return;
  }
  check_passages(profile, function, flow, names, findings);
  if (function.activity)
    check_calls(profile, function, names, findings);
  check_starts(profile, function, flow, names, findings);
  // For interprocedural paths, signal handlers need no special treatment, because the exact number of unfinished
  // activations is known.
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
  for (const InterproceduralUnit &unit : profile.interprocedural_units)
    findings.paths += unit.paths.size();
  print(visible(file), findings, out);
  return findings.violations.empty() ? kGood : kMissed;
}

// Checks all files, even if some of them cannot be read.
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

Run declare_check(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_operand("FILE...", options->files,
                      "profiles to check ('-': standard input; default: the only *.pathprof in the working directory)");
  add_common_options(command, *options, kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
