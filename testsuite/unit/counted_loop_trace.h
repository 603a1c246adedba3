// SPDX-License-Identifier: GPL-3.0-or-later
// Traces of loops with known trip counts and of peeled loops, for tests.
#ifndef PATHPROF_TESTSUITE_COUNTED_LOOP_TRACE_H
#define PATHPROF_TESTSUITE_COUNTED_LOOP_TRACE_H

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

#include "core/plan/counted_loops.h"
#include "core/plan/peel.h"
#include "testsuite/unit/random_graph.h"

namespace pathprof::testing {

// Trip counts of some of these loops.
inline TripCounts random_trip_counts(Random &random, const std::vector<Loop> &loops) {
  TripCounts trip_counts;
  for (const Loop &loop : loops)
    if (loop.back_edges.size() == 1 && below(random, 4))
      trip_counts[loop.head()] = 1 + static_cast<uint64_t>(below(random, 5));
  return trip_counts;
}

// Goes around each of these loops as often as it must; stops where it cannot go on.
inline std::vector<int> counted_loop_trace(Random &random, const FlowGraph &graph, const std::vector<Loop> &loops,
                                           const TripCounts &trip_counts) {
  std::map<int, uint64_t> trips;
  auto is_around = [](const Loop &loop, int e) { return loop.back_edges.front() == e; };
  auto is_allowed = [&](int e) {
    return std::all_of(loops.begin(), loops.end(), [&](const Loop &loop) {
      auto wanted = trip_counts.find(loop.head());
      if (wanted == trip_counts.end() || !loop.contains(graph.edge(e).src))
        return true;
      bool is_done = trips[loop.head()] == wanted->second;
      return is_around(loop, e) ? !is_done : loop.contains(graph.edge(e).dst) || is_done;
    });
  };
  std::vector<int> trace;
  for (int block = kEntryBlock; block != kExitBlock && trace.size() < 300; block = graph.edge(trace.back()).dst) {
    std::vector<int> ways;
    for (int e : graph.succs(block))
      if (is_allowed(e))
        ways.push_back(e);
    if (ways.empty())
      break;
    trace.push_back(ways[static_cast<size_t>(below(random, static_cast<int>(ways.size())))]);
    for (const Loop &loop : loops)
      if (loop.head() == graph.edge(trace.back()).dst)
        trips[loop.head()] = loop.contains(block) ? trips[loop.head()] + 1 : 0;
  }
  return trace;
}

// Returns the trace of the same run through the graph whose loops are peeled.
inline std::vector<int> follow(const Peeled &peeled, const std::vector<int> &trace) {
  std::vector<int> followed;
  int block = kEntryBlock;
  for (int e : trace) {
    const std::vector<int> &succs = peeled.graph.succs(block);
    auto copy = std::find_if(succs.begin(), succs.end(), [&](int succ) { return peeled.edge_of[succ] == e; });
    if (copy == succs.end())
      throw std::logic_error("the peeled graph has no copy of the edge");
    followed.push_back(*copy);
    block = peeled.graph.edge(*copy).dst;
  }
  return followed;
}

} // namespace pathprof::testing

#endif
