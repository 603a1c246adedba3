// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump check: is a profile whole, and could a program have run like this?
//
// Inside a path as many executions leave a block as enter it, whatever the counts are.  What can go
// wrong lies between paths: each path that starts where a cut edge arrives follows one that ended
// where a cut edge leaves.  So the counts of ends must be able to flow over the cut edges to the
// counts of starts. Ends that are left over belong to activations that never finished (their last
// path is not counted); starts that are left over came from nowhere.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include <CLI/CLI.hpp>

#include "core/kiter.h"
#include "pathdump/commands.h"
#include "pathdump/common.h"
#include "pathdump/trail.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files;
};

using Amount = unsigned __int128;

// One side of the cut edges: a block where counted paths end, or one where they start.
struct Port {
  Amount count = 0;
  Amount left = 0;            // not matched by the other side
  std::map<int, Amount> flow; // by block of the other side: how much of it goes over the cut edges
  // Over an abnormal edge, or one out of a call, paths may end uncounted: nothing can be told about the ports that it
  // joins.
  bool unknown = false;
  Amount missing = 0;     // paths enter or leave a collapsed loop here that none in it began or ended for
  bool leads_out = false; // of ends: a cut edge goes to EXIT, so that no path follows
};

// The flow over a function's cut edges.
class CutFlow {
public:
  CutFlow(const Function &function, const Decoded &decoded) : decoded_(decoded) {
    find_ports(function);
    find_passed(function.notes);
    spread_unknown();
    if (function.activity)
      add_counts(*function.activity);
    else
      add_counts(function);
    match();
  }

  const std::map<int, Port> &ends() const { return ends_; }
  const std::map<int, Port> &starts() const { return starts_; }
  // True if collapsed loops begin at the block: control comes to it on paths that may not be finished.
  bool is_passed(int start) const { return passed_.count(start) != 0; }
  // True if executed paths lead from ENTRY to the block where others start.
  bool is_led_to(int start) const { return led_to_.count(start) != 0; }
  bool has_saturated_counts() const { return saturated_; }
  // True if a path may end uncounted although the activation goes on.
  bool has_unknown_ends() const { return has_unknown_; }

private:
  static constexpr int kFromEntry = -1;

  void find_passed(const FunctionNotes &notes) {
    if (notes.model.mode == Mode::KIter)
      for (const CollapsedLoop &loop : collapsed_loops(notes.graph, notes.model))
        passed_.insert(loop.loop.head());
  }

  void find_ports(const Function &function) {
    const FlowGraph &flow = function.activity ? function.activity->graph : decoded_.graph.flow();
    const PathGraph acyclic(flow);
    for (const PathEdge &edge : acyclic.edges()) {
      if (edge.kind != PathEdgeKind::End)
        continue;
      for (int cut : edge.via) {
        int to = flow.edge(cut).dst;
        Port &end = ends_[edge.src];
        bool is_abnormal = (flow.edge(cut).flags & kAbnormal) ||
                           (function.activity && function.activity->unwinds[static_cast<size_t>(cut)]);
        end.unknown |= is_abnormal;
        has_unknown_ |= is_abnormal;
        if (to == kExitBlock) {
          end.leads_out = true;
          continue;
        }
        end.flow[to] = 0;
        starts_[to].flow[edge.src] = 0;
      }
    }
  }

  void spread_unknown() {
    std::vector<int> work; // ends
    for (const auto &[block, end] : ends_)
      if (end.unknown)
        work.push_back(block);
    while (!work.empty()) {
      int block = work.back();
      work.pop_back();
      for (const auto &[to, amount] : ends_[block].flow) {
        if (std::exchange(starts_[to].unknown, true))
          continue;
        for (const auto &[from, same] : starts_[to].flow)
          if (!std::exchange(ends_[from].unknown, true))
            work.push_back(from);
      }
    }
  }

  // Which start follows which end is known of functions' own paths only.
  void add_counts(const Activity &activity) {
    const auto &starts = activity.edges.starts(), &ends = activity.edges.ends();
    for (size_t block = 0; block < starts.size(); block++) {
      saturated_ |= std::max(starts[block], ends[block]) >= UINT64_MAX;
      if (starts[block] > 0)
        starts_[static_cast<int>(block)].count = starts[block];
      if (ends[block] > 0)
        ends_[static_cast<int>(block)].count = ends[block];
      led_to_.insert(static_cast<int>(block));
    }
  }

  void add_counts(const Function &function) {
    PathWalk walk(function, decoded_);
    std::map<int, std::set<int>> ends_of; // of paths that start there
    for (const ExecutedPath &path : function.paths) {
      walk.go_to(path.id);
      saturated_ |= path.count == UINT64_MAX;
      int start = walk.begins_activation() ? kFromEntry : walk.first_block();
      if (start != kFromEntry)
        starts_[start].count += path.count;
      if (!walk.leaves_function() && walk.last_block() >= 0) {
        ends_[walk.last_block()].count += path.count;
        ends_of[start].insert(walk.last_block());
      }
      if (!passed_.empty())
        add_passages(*decoded_.regenerate(path.id), start, path.count);
    }
    take_passages();
    for (const ExecutedPath &executed : function.cut_short) {
      Path path = *decoded_.regenerate(executed.id);
      saturated_ |= executed.count == UINT64_MAX;
      if (!path.begins_activation())
        starts_[path.blocks[path.context_blocks]].count += executed.count;
    }
    follow(ends_of);
  }

  // Paths of a collapsed loop begin where others enter it, and end where those leave it.
  void add_passages(const Path &path, int start, uint64_t count) {
    const FlowGraph &flow = decoded_.graph.flow();
    for (const Passage &passage : path.passages) {
      if (passage.edges > path.context_edges) {
        entered_[passage.head] += count;
        passed_on_[start].insert(passage.head);
      }
      if (passage.edges >= path.context_edges && passage.edges < path.edges.size())
        left_[flow.edge(path.edges[passage.edges]).src] += count;
    }
  }

  void take_passages() {
    for (const auto &[block, count] : entered_)
      take(starts_[block], count);
    for (const auto &[block, count] : left_)
      take(ends_[block], count);
  }

  static void take(Port &port, Amount count) {
    port.missing = count - std::min(count, port.count);
    port.count -= std::min(count, port.count);
  }

  // Which starts can be reached: paths from ENTRY, over cut edges, and so on.
  void follow(const std::map<int, std::set<int>> &ends_of) {
    std::vector<int> work{kFromEntry};
    auto reach = [&](int start) {
      if (led_to_.insert(start).second)
        work.push_back(start);
    };
    for (const auto &[block, start] : starts_)
      if (start.unknown)
        reach(block);
    while (!work.empty()) {
      int from = work.back();
      work.pop_back();
      if (auto passed = passed_on_.find(from); passed != passed_on_.end())
        for (int start : passed->second)
          reach(start);
      auto ends = ends_of.find(from);
      if (ends == ends_of.end())
        continue;
      for (int end : ends->second)
        for (const auto &[to, amount] : ends_[end].flow)
          reach(to);
    }
  }

  // A maximum flow from ends to starts: first what goes directly, then along augmenting paths.
  void match() {
    for (auto &[block, start] : starts_)
      start.left = start.count;
    for (auto &[block, end] : ends_) {
      end.left = end.count;
      for (auto &[to, amount] : end.flow)
        send(block, to, std::min(end.left, starts_[to].left));
    }
    for (auto &[block, end] : ends_)
      while (end.left > 0 && augment(block)) {
      }
  }

  void send(int from, int to, Amount amount) {
    ends_[from].flow[to] += amount;
    ends_[from].left -= amount;
    starts_[to].left -= amount;
  }

  // Finds, breadth first, a way to hand more of an end's count to a start that misses some, where
  // starts on the way give back what they had from another end.  False if there is none.
  bool augment(int from) {
    std::map<int, int> came_from; // start → the end before it
    std::map<int, int> gave_back; // end → the start before it
    std::vector<int> work{from};
    gave_back[from] = from;
    for (size_t i = 0; i < work.size(); i++) {
      int end = work[i];
      for (const auto &[to, amount] : ends_[end].flow) {
        if (!came_from.emplace(to, end).second)
          continue;
        if (starts_[to].left > 0) {
          push(from, to, came_from, gave_back);
          return true;
        }
        for (const auto &[other, same] : starts_[to].flow)
          if (ends_[other].flow[to] > 0 && gave_back.emplace(other, to).second)
            work.push_back(other);
      }
    }
    return false;
  }

  void push(int from, int to, std::map<int, int> &came_from, std::map<int, int> &gave_back) {
    Amount amount = std::min(ends_[from].left, starts_[to].left);
    for (int end = came_from[to]; end != from; end = came_from[gave_back[end]])
      amount = std::min(amount, ends_[end].flow[gave_back[end]]);
    starts_[to].left -= amount;
    ends_[from].left -= amount;
    for (int start = to;;) {
      int end = came_from[start];
      ends_[end].flow[start] += amount;
      if (end == from)
        return;
      start = gave_back[end];
      ends_[end].flow[start] -= amount;
    }
  }

  const Decoded &decoded_;
  std::map<int, Port> ends_;
  std::map<int, Port> starts_;
  std::set<int> led_to_;
  std::set<int> passed_;                   // heads of collapsed loops
  std::map<int, Amount> entered_, left_;   // by block: paths that enter or leave one there
  std::map<int, std::set<int>> passed_on_; // by where paths start: which they pass
  bool saturated_ = false;
  bool has_unknown_ = false;
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
  std::string text = fmt::format("{}: block {}", names.function(function.notes.name), block);
  Path alone;
  alone.blocks = {block};
  if (!trail_of(function, alone).empty())
    text += " (" + trail_text(function, alone, names) + ")";
  return text;
}

// A process that began as a fork finishes paths that its parent began.  Counts that were reset, maybe
// by another thread, forget how the paths began that go on.
bool may_start_from_nowhere(const Profile &profile, const Function &function) {
  return profile.resets > 0 || (profile.forks > 0 && (function.notes.flags & kCalls));
}

// Whether activations may never finish.
bool may_stay_open(const Profile &profile, const Function &function) {
  return profile.resets > 0 || profile.sudden_ends > 0 || (function.notes.flags & kCalls);
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
          fmt::format("{}: {} paths that start here were begun before a fork or a reset", where, start.left));
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

// Without calls an activation runs to its end, unless it is a thread's that the program's end
// stopped, or the process was killed.  A path that follows may also have ended at an abnormal edge, where it is not
// counted.
void check_ends(const Profile &profile, const Function &function, const CutFlow &flow, const Names &names,
                Findings &findings) {
  if (flow.has_unknown_ends())
    return;
  for (const auto &[block, end] : flow.ends()) {
    if (end.leads_out || end.left == 0)
      continue;
    findings.unfinished += end.left;
    if (!may_stay_open(profile, function))
      findings.violations.push_back(
          fmt::format("{}: {} paths end here, but only {} of them go on, in a function that makes no "
                      "calls",
                      port_text(function, names, block), end.count, end.count - end.left));
  }
}

// A path in a collapsed loop is counted before the one around it.
void check_passages(const Profile &profile, const Function &function, const CutFlow &flow, const Names &names,
                    Findings &findings) {
  if (may_start_from_nowhere(profile, function))
    return;
  for (const auto *ports : {&flow.starts(), &flow.ends()})
    for (const auto &[block, port] : *ports)
      if (port.missing > 0)
        findings.violations.push_back(fmt::format("{}: {} paths enter or leave a collapsed loop here without one in it",
                                                  port_text(function, names, block), port.missing));
}

// Paths go on behind a call as often at most as they came to it.
void check_calls(const Profile &profile, const Function &function, const Names &names, Findings &findings) {
  const Activity &activity = *function.activity;
  for (size_t call = 0; call < activity.opened.size(); call++) {
    if (activity.resumed[call] <= activity.opened[call])
      continue;
    std::string text = fmt::format("{}: call {} (line {}): paths go on {} times behind it, but came to it {} times",
                                   names.function(function.notes.name), call, function.notes.calls[call].line,
                                   activity.resumed[call], activity.opened[call]);
    bool allowed = profile.forks > 0 || profile.resets > 0;
    (allowed ? findings.notes : findings.violations).push_back(text);
  }
}

void check_function(const Profile &profile, const Function &function, const Decoded &decoded, const Names &names,
                    Findings &findings) {
  findings.functions++;
  findings.paths += function.paths.size() + function.cut_short.size();
  if (function.num_stray_cycles)
    findings.notes.push_back(fmt::format("{}: {} with cycles but without a count: a running program was dumped",
                                         names.function(function.notes.name),
                                         plural(function.num_stray_cycles, "path")));
  CutFlow flow(function, decoded);
  if (flow.has_saturated_counts()) {
    findings.notes.push_back(
        fmt::format("{}: counts are saturated, their flow is not checked", names.function(function.notes.name)));
    return;
  }
  check_passages(profile, function, flow, names, findings);
  if (function.activity)
    check_calls(profile, function, names, findings);
  check_starts(profile, function, flow, names, findings);
  check_ends(profile, function, flow, names, findings);
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

ExitStatus check_file(const std::string &file, const Options &options, Output &out) {
  Profile profile = open_profile(file);
  Names names(options);
  Findings findings;
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && names.selects(function))
      check_function(profile, function, *decode_or_fail(file, function), names, findings);
  for (const Program &program : profile.programs)
    findings.paths += program.paths.size();
  print(file, findings, out);
  return findings.violations.empty() ? kGood : kMissed;
}

// A file that cannot be read does not keep the others from being checked.
int run(const Options &options) {
  std::vector<std::string> files = options.files;
  if (files.empty())
    files.push_back(choose_profile(""));
  Output out(options);
  ExitStatus status = kGood;
  for (const std::string &file : files) {
    ExitStatus found;
    try {
      found = check_file(file, options, out);
    } catch (const Failure &failure) {
      std::cerr << "pathdump: " << failure.what() << "\n";
      found = failure.status();
    }
    status = std::max(status, found);
  }
  out.commit();
  return status;
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
