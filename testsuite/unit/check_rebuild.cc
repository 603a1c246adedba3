// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of what a rebuild knows of a profile: executed paths, each once (core/analysis/measured_paths.h), and
// their counts over copies of blocks (core/analysis/copied_graph.h), against the same runs over the copied graph.
#include <algorithm>
#include <vector>

#include "core/analysis/copied_graph.h"
#include "core/analysis/measured_paths.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

// The acyclic paths that an activation runs through.
std::vector<Path> paths_of(const FlowGraph &graph, const std::vector<int> &trace) {
  std::vector<Path> paths(1);
  paths.back().blocks = {kEntryBlock};
  for (int e : trace) {
    const Edge &edge = graph.edge(e);
    if (edge.is_cut()) {
      paths.back().end = edge.flags & kBack ? PathEnd::BackEdge : PathEnd::Cut;
      paths.emplace_back();
      paths.back().start = PathStart::Loop;
    } else {
      paths.back().edges.push_back(e);
    }
    paths.back().blocks.push_back(edge.dst);
  }
  if (paths.back().blocks.back() != kExitBlock)
    paths.back().end = PathEnd::NoReturn;
  return paths;
}

bool is_finished(const FlowGraph &graph, const std::vector<int> &trace) {
  int last = graph.edge(trace.back()).dst;
  return last == kExitBlock || graph.succs(last).empty();
}

// Runs of a function: its paths, and the traversals of the edges.
struct Runs {
  explicit Runs(const FlowGraph &graph) : graph(graph), counts(static_cast<size_t>(graph.num_edges()), 0) {}

  void add(const std::vector<int> &trace, uint64_t times) {
    size_t before = 0;
    bool is_first = true;
    for (const Path &path : paths_of(graph, trace)) {
      size_t index = paths.add(path, times);
      if (!is_first)
        paths.add_sequence(before, index, times);
      before = index;
      is_first = false;
    }
    for (int e : trace)
      counts[static_cast<size_t>(e)] += times;
    traces.push_back({trace, times});
  }

  // The same runs over the graph with its copies.
  std::vector<uint64_t> run_over(const CopiedGraph &copied) const {
    std::vector<uint64_t> traversals(static_cast<size_t>(copied.num_edges()), 0);
    for (const auto &[trace, times] : traces) {
      int at = kEntryBlock;
      for (int e : trace) {
        int edge = copied.out_edge(at, e);
        traversals[static_cast<size_t>(edge)] += times;
        at = copied.destination(edge);
      }
    }
    return traversals;
  }

  const FlowGraph &graph;
  MeasuredPaths paths;
  std::vector<uint64_t> counts;
  std::vector<std::pair<std::vector<int>, uint64_t>> traces;
};

void check_equal(const std::vector<uint64_t> &replayed, const std::vector<uint64_t> &expected) {
  ck_assert_uint_eq(replayed.size(), expected.size());
  for (size_t e = 0; e < expected.size(); e++)
    ck_assert_uint_eq(replayed[e], expected[e]);
}

// Copies of traversals add up to those of the flow edge.
void check_sums(const CopiedGraph &copied, const std::vector<uint64_t> &replayed, const std::vector<uint64_t> &counts) {
  std::vector<uint64_t> sums(counts.size(), 0);
  for (int e = 0; e < copied.num_edges(); e++)
    sums[static_cast<size_t>(copied.flow_edge(e))] += replayed[static_cast<size_t>(e)];
  check_equal(sums, counts);
}

bool has_several_cut_edges(const FlowGraph &graph) {
  for (int block = 0; block < graph.num_blocks(); block++)
    if (std::count_if(graph.succs(block).begin(), graph.succs(block).end(),
                      [&](int e) { return graph.edge(e).is_cut(); }) > 1)
      return true;
  return false;
}

int num_ways_into(const CopiedGraph &copied, int block) {
  int num = 0;
  for (int e = 0; e < copied.num_edges(); e++)
    num += copied.destination(e) == block;
  return num;
}

// head 2 leads to handlers 3 and 4, or to 6 and out; both handlers lead over 5 back to the head.
FlowGraph interpreter() {
  return flow_graph(7, {{0, 2}, {2, 3}, {2, 4}, {2, 6}, {3, 5}, {4, 5}, {5, 2}, {6, 1}});
}

} // namespace

START_TEST(each_path_is_there_once_and_hot_ones_come_first) {
  FlowGraph graph = interpreter();
  Runs runs(graph);
  runs.add({0, 1, 4, 6, 2, 5, 6, 2, 5, 6, 3, 7}, 10); // 3, 4, 4
  std::vector<MeasuredPath> paths = runs.paths.take();
  ck_assert_uint_eq(paths.size(), 3);
  ck_assert_uint_eq(paths[0].count, 20);
  ck_assert(paths[0].path.edges == std::vector<int>({2, 5}));
  for (size_t i = 1; i < paths.size(); i++)
    ck_assert_uint_eq(paths[i].count, 10);
  // Of the hot path's executions one follows itself, the other what begins at the function's entry.
  uint64_t after_itself = 0, after_others = 0;
  for (auto [before, count] : paths[0].after)
    (before == 0 ? after_itself : after_others) += count;
  ck_assert_uint_eq(after_itself, 10);
  ck_assert_uint_eq(after_others, 10);
  ck_assert(runs.paths.take().empty());
}
END_TEST

START_TEST(paths_across_iterations_are_taken_apart) {
  FlowGraph graph = interpreter();
  Path path;
  path.start = PathStart::Loop;
  path.end = PathEnd::BackEdge;
  path.blocks = {2, 3, 5, 2, 4, 5};
  path.edges = {1, 4, 6, 2, 5};
  path.context_blocks = 3;
  path.context_edges = 3;
  size_t num_context = 0;
  std::vector<Path> pieces = split_at_back_edges(path, graph, num_context);
  ck_assert_uint_eq(pieces.size(), 2);
  ck_assert_uint_eq(num_context, 1);
  ck_assert(pieces[0].edges == std::vector<int>({1, 4}) && pieces[0].end == PathEnd::BackEdge);
  ck_assert(pieces[1].edges == std::vector<int>({2, 5}) && pieces[1].start == PathStart::Loop);
  MeasuredPaths table;
  table.add_iterations(path, graph, 7);
  std::vector<MeasuredPath> paths = table.take();
  ck_assert_uint_eq(paths.size(), 2);
  ck_assert_uint_eq(paths[0].count, 7);
  ck_assert(paths[0].path.edges == pieces[1].edges);
  ck_assert_uint_eq(paths[1].count, 0); // it was counted with the path before
  ck_assert_uint_eq(paths[0].after.size(), 1);
  ck_assert_uint_eq(paths[0].after[0].first, 1);
  ck_assert_uint_eq(paths[0].after[0].second, 7);
}
END_TEST

// The head's copy is where paths start of which it is known what ran before.
START_TEST(a_handler_gets_a_dispatch_of_its_own) {
  FlowGraph graph = interpreter();
  Runs runs(graph);
  runs.add({0, 1, 4, 6, 2, 5, 6, 1, 4, 6, 2, 5, 6, 3, 7}, 100); // 3, 4, 3, 4
  runs.add({0, 2, 5, 6, 2, 5, 6, 3, 7}, 1);                     // 4, 4
  std::vector<char> tells_before(static_cast<size_t>(graph.num_blocks()), 1);
  CopiedGraph copied(graph, runs.counts, runs.paths.take(), tells_before);
  ck_assert(!copied.may_be_copied(2) && copied.start_may_be_copied(2));
  ck_assert(copied.may_be_copied(5));
  ck_assert(!copied.start_may_be_copied(kEntryBlock) && !copied.start_may_be_copied(kExitBlock));
  int join = copied.copy(4); // behind 3
  int head = copied.copy(copied.out_edge(join, 6));
  ck_assert_uint_eq(copied.num_copies(), 2);
  ck_assert_int_eq(copied.original(join), 5);
  ck_assert_int_eq(copied.original(head), 2);
  ck_assert_int_eq(copied.destination(copied.out_edge(head, 2)), 4);
  std::vector<uint64_t> replayed = copied.replay();
  check_equal(replayed, runs.run_over(copied));
  ck_assert_uint_eq(replayed[static_cast<size_t>(copied.out_edge(head, 2))], 200);
  ck_assert_uint_eq(replayed[static_cast<size_t>(copied.out_edge(head, 1))], 0);
}
END_TEST

START_TEST(starts_without_sequences_may_not_be_copied) {
  FlowGraph graph = interpreter();
  Runs runs(graph);
  runs.add({0, 1, 4, 6, 3, 7}, 1);
  CopiedGraph copied(graph, runs.counts, runs.paths.take(),
                     std::vector<char>(static_cast<size_t>(graph.num_blocks()), 0));
  ck_assert(!copied.start_may_be_copied(2));
  ck_assert(copied.may_be_copied(5));
}
END_TEST

// Copies are made at random; the runs then go over the copied graph.
START_TEST(random_runs_are_replayed_over_copies) {
  Random random(5);
  int exact = 0, copies = 0;
  for (int i = 0; i < 1500; i++) {
    FlowGraph graph = graph_number(i, random);
    Runs runs(graph);
    for (int run = 0; run < 6; run++) {
      std::vector<int> trace = random_trace(random, graph);
      if (!trace.empty() && is_finished(graph, trace))
        runs.add(trace, static_cast<uint64_t>(1 + below(random, 50)));
    }
    CopiedGraph copied(graph, runs.counts, runs.paths.take(),
                       std::vector<char>(static_cast<size_t>(graph.num_blocks()), 0));
    for (int attempt = 0; attempt < 20; attempt++) {
      int edge = below(random, copied.num_edges()), to = copied.destination(edge);
      if (copied.may_be_copied(to) && num_ways_into(copied, to) > 1)
        copied.copy(edge);
    }
    copies += static_cast<int>(copied.num_copies());
    std::vector<uint64_t> replayed = copied.replay();
    check_sums(copied, replayed, runs.counts);
    if (has_several_cut_edges(graph))
      continue;
    check_equal(replayed, runs.run_over(copied));
    exact++;
  }
  ck_assert_int_gt(exact, 500);
  ck_assert_int_gt(copies, 500);
}
END_TEST

int main() {
  return run_suite("rebuild",
                   {{"an interpreter",
                     {each_path_is_there_once_and_hot_ones_come_first, paths_across_iterations_are_taken_apart,
                      a_handler_gets_a_dispatch_of_its_own, starts_without_sequences_may_not_be_copied}},
                    {"random graphs", {random_runs_are_replayed_over_copies}, 300}});
}
