// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the entries and exits of each function in its paths.
#include "profile/model/unfinished.h"

#include <algorithm>

#include "core/numbering/saturate.h"

namespace pathprof {

namespace {

// Counts of the entries to a function and of the exits from it.
struct Passes {
  uint64_t entered = 0;
  uint64_t returned = 0;
  uint64_t ended = 0;          // activations that ended at a call that cannot return
  uint64_t caught = 0;         // number of times that an exception handler was reached from a call
  bool is_left_unseen = false; // true if paths can leave the function over an edge that is not counted
};

bool is_dead_end(const FlowGraph &graph, int block) {
  return block != kExitBlock && graph.succs(block).empty();
}

// Returns true if the edge leads to an exception handler from a call that can also return.
bool leaves_call(const FlowGraph &graph, int edge) {
  const std::vector<int> &siblings = graph.succs(graph.edge(edge).src);
  return (graph.edge(edge).flags & kEh) && std::any_of(siblings.begin(), siblings.end(), [&](int other) {
           return !(graph.edge(other).flags & (kEh | kAbnormal));
         });
}

Passes passes_of_program(const Function &function) {
  const Activity &activity = *function.activity;
  Passes passes;
  passes.entered = activity.calls;
  uint64_t ended = 0;
  for (size_t block = 0; block < activity.entered.size(); block++)
    if (is_dead_end(function.notes.graph, static_cast<int>(block)))
      saturating_add(ended, static_cast<uint64_t>(std::min<unsigned __int128>(activity.entered[block], UINT64_MAX)));
  passes.ended = std::min(ended, activity.finished);
  passes.returned = activity.finished - passes.ended;
  return passes;
}

void add_path(Passes &passes, const FlowGraph &graph, const Path &path, uint64_t count) {
  if (path.begins_activation())
    saturating_add(passes.entered, count);
  if (path.end == PathEnd::NoReturn)
    saturating_add(passes.ended, count);
  else if (path.end == PathEnd::Exit || path.end == PathEnd::Call)
    saturating_add(passes.returned, count);
  for (size_t i = path.context_edges; i < path.edges.size(); i++)
    if (leaves_call(graph, path.edges[i]))
      saturating_add(passes.caught, count);
}

Passes passes_of(const Function &function) {
  if (function.in_program)
    return passes_of_program(function);
  Passes passes;
  const FlowGraph &graph = function.notes.graph;
  const std::vector<int> &last = graph.preds(kExitBlock);
  passes.is_left_unseen = std::any_of(last.begin(), last.end(), [&](int e) { return graph.edge(e).is_cut(); });
  const char *reason = nullptr;
  std::unique_ptr<Decoded> decoded = function.decode(&reason);
  if (!decoded)
    return passes;
  for (const ExecutedPath &executed : paths_to_add_up(function, *decoded))
    add_path(passes, graph, *decoded->regenerate(executed.id), executed.count);
  return passes;
}

// Returns true if the number of program runs can be compared with the number of returns from main.  After a fork, they
// cannot be compared, because the child returns from functions that the parent entered.  After a reset, they cannot be
// compared, because counts were discarded.  If there are several modules, they cannot be compared, because the main
// function of a run might not be in the profile.
bool counts_runs(const Profile &profile) {
  return profile.forks == 0 && profile.resets == 0 && profile.modules.size() == 1;
}

class Finder {
public:
  explicit Finder(const Profile &profile) : profile_(profile) {}

  Unfinished find() {
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (!is_left_out(profile_.functions[i]))
        add(i, profile_.functions[i]);
    bool is_evident = found_.num_known || found_.num_caught || profile_.sudden_ends;
    if (!is_evident)
      found_.affected.clear();
    std::stable_sort(found_.known.begin(), found_.known.end(),
                     [](const auto &a, const auto &b) { return a.second > b.second; });
    return std::move(found_);
  }

private:
  void add(size_t index, const Function &function) {
    bool is_basic = !(function.notes.flags & kExactTermination);
    bool is_main = function.notes.name == "main";
    if (is_basic && (function.notes.flags & kCalls))
      found_.affected.push_back(index);
    bool has_run = function.in_program ? function.activity->executions > 0
                                       : !function.paths.empty() || !function.cut_short.empty();
    if (!(function.notes.flags & kCalls) || (function.notes.flags & kCoverageOnly) || !(has_run || is_main))
      return;
    Passes passes = passes_of(function);
    saturating_add(found_.num_caught, is_basic ? passes.caught : 0);
    uint64_t number = is_main ? 0 : passes.ended; // main has no caller that waits for it
    if (is_basic)
      saturating_add(number, open_in(function, passes, is_main));
    if (number)
      found_.known.emplace_back(index, number);
    saturating_add(found_.num_known, number);
  }

  uint64_t open_in(const Function &function, const Passes &passes, bool is_main) const {
    if ((function.notes.flags & kSwitched) || passes.is_left_unseen)
      return 0;
    uint64_t entered = is_main && counts_runs(profile_) ? std::max(passes.entered, profile_.runs) : passes.entered;
    uint64_t left = passes.returned;
    saturating_add(left, passes.ended);
    return entered - std::min(entered, left);
  }

  const Profile &profile_;
  Unfinished found_;
};

} // namespace

Unfinished unfinished_of(const Profile &profile) {
  return Finder(profile).find();
}

} // namespace pathprof
