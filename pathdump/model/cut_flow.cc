// SPDX-License-Identifier: GPL-3.0-or-later
// Counts the ends and starts of paths, and matches them by a maximum flow.
#include "pathdump/model/cut_flow.h"

#include <algorithm>
#include <vector>

#include "core/models/model.h"
#include "pathdump/describe/line_sequence.h"

namespace pathprof {

CutFlow::CutFlow(const Function &function, const Decoded &decoded) : decoded_(decoded) {
  find_ports(function);
  find_passed(function.notes);
  spread_unknown();
  if (function.activity)
    add_counts(*function.activity);
  else
    add_counts(function);
  match();
}

void CutFlow::find_passed(const FunctionNotes &notes) {
  for (const CollapsedLoop &loop : model_of(notes.model).collapsed_loops(notes.graph, notes.model))
    passed_.insert(loop.loop.head());
}

void CutFlow::find_ports(const Function &function) {
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

void CutFlow::spread_unknown() {
  std::vector<int> work; // blocks at which paths end
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

// Adds the counts of interprocedural paths. The profile does not show at which blocks a path can start after a given
// path has ended, so all blocks are treated as reachable.
void CutFlow::add_counts(const Activity &activity) {
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

// Returns the smallest count that can be smaller than the number of executions.
static uint64_t least_saturated(const FunctionNotes &notes) {
  return notes.flags & kCoverageOnly ? 1 : notes.flags & kCounters32 ? UINT32_MAX : UINT64_MAX;
}

void CutFlow::add_counts(const Function &function) {
  uint64_t saturated = least_saturated(function.notes);
  PathWalk walk(function, decoded_);
  std::map<int, std::set<int>> ends_of; // ends of paths, by start
  for (const ExecutedPath &path : function.paths) {
    walk.go_to(path.id);
    saturated_ |= path.count >= saturated;
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
    saturated_ |= executed.count >= saturated;
    if (!path.begins_activation())
      starts_[path.blocks[path.context_blocks]].count += executed.count;
  }
  follow(ends_of);
}

// Adds the collapsed loops that a path traverses. Paths within a collapsed loop start where the surrounding path enters
// the loop, and end where the surrounding path leaves the loop.
void CutFlow::add_passages(const Path &path, int start, uint64_t count) {
  const FlowGraph &flow = decoded_.graph.flow();
  for (const CollapsedLoopVisit &visit : path.loop_visits) {
    if (visit.edges > path.context_edges) {
      entered_[visit.head] += count;
      passed_on_[start].insert(visit.head);
    }
    if (visit.edges >= path.context_edges && visit.edges < path.edges.size())
      left_[flow.edge(path.edges[visit.edges]).src] += count;
  }
}

void CutFlow::take_passages() {
  for (const auto &[block, count] : entered_)
    take(starts_[block], count);
  for (const auto &[block, count] : left_)
    take(ends_[block], count);
}

void CutFlow::take(Port &port, Amount count) {
  port.missing = count - std::min(count, port.count);
  port.count -= std::min(count, port.count);
}

// Finds the path starts that are reachable from ENTRY through executed paths and truncation points.
void CutFlow::follow(const std::map<int, std::set<int>> &ends_of) {
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

// Computes a maximum flow from path ends to path starts: first directly, then along augmenting paths.
void CutFlow::match() {
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

void CutFlow::send(int from, int to, Amount amount) {
  ends_[from].flow[to] += amount;
  ends_[from].left -= amount;
  starts_[to].left -= amount;
}

// Searches breadth-first for an augmenting path from a path end with excess count to a path start with unmatched count,
// and sends flow along it. Each path start within the augmenting path gives back flow that it received from another
// path end. Returns false if there is no augmenting path.
bool CutFlow::augment(int from) {
  std::map<int, int> came_from; // start → preceding end
  std::map<int, int> gave_back; // end → preceding start
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

void CutFlow::push(int from, int to, std::map<int, int> &came_from, std::map<int, int> &gave_back) {
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

} // namespace pathprof
