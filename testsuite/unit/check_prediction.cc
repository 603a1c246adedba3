// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/analysis/prediction.h: random runs over random graphs, where each execution of a branch is looked
// at by itself; and of what sums over paths depend on (core/analysis/flow_decomposition.h).
#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "core/analysis/edge_counts.h"
#include "core/analysis/edge_profile.h"
#include "core/analysis/flow_decomposition.h"
#include "core/numbering/cut.h"
#include "core/numbering/numbering.h"
#include "core/analysis/prediction.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

// What a predictor knows, and what came then.
template <typename Known>
using Outcomes = std::map<std::pair<int, Known>, std::map<int, uint64_t>>;

template <typename Known>
uint64_t missed(const Outcomes<Known> &outcomes, int branch) {
  uint64_t sum = 0;
  for (const auto &[where, ways] : outcomes) {
    uint64_t all = 0, most = 0;
    for (auto [way, count] : ways) {
      all += count;
      most = std::max(most, count);
    }
    sum += where.first == branch ? all - most : 0;
  }
  return sum;
}

bool is_branch(const FlowGraph &graph, int block) {
  int ways = 0;
  for (int e : graph.succs(block))
    ways += !(graph.edge(e).flags & (kEh | kAbnormal));
  return ways > 1;
}

// Walks activations, and notes at each branch what there is to know.  All cut edges of a block are one way.
struct Run {
  using Steps = std::vector<int>;
  const FlowGraph &graph;
  Outcomes<int> edges = {};
  Outcomes<std::pair<int, Steps>> paths = {};               // first block, branches' ways since
  Outcomes<std::tuple<DefinedPath, int, Steps>> pairs = {}; // and the path before
  std::map<std::pair<DefinedPath, DefinedPath>, uint64_t> followed = {};
  std::map<DefinedPath, uint64_t> counts = {};

  void walk(const Steps &trace) {
    DefinedPath none{-1, {}}, before = none, path;
    Steps ways;
    auto end = [&](bool cut_off, int next) {
      path.cut_off = cut_off;
      counts[path]++;
      followed[{before, path}]++;
      before = path;
      path = {next, {}};
      ways.clear();
    };
    int block = kEntryBlock;
    for (int e : trace) {
      const Edge &edge = graph.edge(e);
      int way = edge.is_cut() ? graph.num_edges() + edge.src : e;
      if (is_branch(graph, edge.src)) {
        edges[{edge.src, 0}][way]++;
        paths[{edge.src, {path.first, ways}}][way]++;
        pairs[{edge.src, {before, path.first, ways}}][way]++;
        ways.push_back(way);
      }
      block = edge.dst;
      if (edge.is_cut())
        end(true, block);
      else
        path.edges.push_back(e);
    }
    if (block == kExitBlock || graph.succs(block).empty())
      end(block != kExitBlock, block);
  }
};

// Traces that come to an end: what stops in the middle counts no last path.
std::vector<int> whole_trace(Random &random, const FlowGraph &graph) {
  for (int attempt = 0; attempt < 100; attempt++) {
    std::vector<int> trace = random_trace(random, graph, 200);
    int last = trace.empty() ? kEntryBlock : graph.edge(trace.back()).dst;
    if (last == kExitBlock || graph.succs(last).empty())
      return trace;
  }
  return {};
}

FlowGraph plain_graph(Random &random) {
  FlowGraph graph = random_graph(random);
  mark_cuts(graph);
  return graph;
}

} // namespace

START_TEST(misses_are_those_of_the_run) {
  Random random(1);
  int gained = 0, gained_more = 0;
  for (int round = 0; round < 2000; round++) {
    FlowGraph graph = plain_graph(random);
    PathGraph path_graph(graph);
    PathNumbering numbering(path_graph);
    Run run{graph};
    for (int i = 0; i < 20; i++)
      run.walk(whole_trace(random, graph));
    std::map<DefinedPath, std::pair<uint64_t, Path>> by_definition;
    for (uint64_t id = 0; numbering.num_paths() < 5000 && id < numbering.num_paths(); id++) {
      Path path = path_graph.make_path(numbering.walk_of(id));
      by_definition[definition_of(path)] = {id, path};
    }
    if (by_definition.empty())
      continue;
    BranchPredictor edges_and_paths(graph), all(graph);
    for (const auto &[path, count] : run.counts) {
      edges_and_paths.add(by_definition.at(path).second, count);
      all.add(by_definition.at(path).second, count);
    }
    for (const auto &[paths, count] : run.followed) {
      auto before = by_definition.find(paths.first);
      all.add_behind(by_definition.at(paths.second).second,
                     before == by_definition.end() ? std::nullopt : std::optional(before->second.first), count);
    }
    for (const auto &[block, found] : all.branches()) {
      ck_assert_uint_eq(found.by_edges, missed(run.edges, block));
      ck_assert_uint_eq(found.by_paths, missed(run.paths, block));
      ck_assert_uint_eq(found.by_pairs, missed(run.pairs, block));
      ck_assert(found.by_pairs <= found.by_paths && found.by_paths <= found.by_edges);
      ck_assert_uint_eq(edges_and_paths.branches().at(block).by_pairs, found.by_paths);
      gained += found.by_paths < found.by_edges;
      gained_more += found.by_pairs < found.by_paths;
    }
  }
  ck_assert_int_gt(gained, 100);
  ck_assert_int_gt(gained_more, 100);
}
END_TEST

// if (a) …; if (b) …; if (a) …: the first branch says what the last one does, the second says nothing.
START_TEST(a_branch_is_decided_by_an_earlier_one) {
  FlowGraph graph(11);
  graph.add_edge(kEntryBlock, 2, 0, 1);
  for (int block : {2, 5, 8}) {
    graph.add_edge(block, block + 1, kTrue, 1);
    graph.add_edge(block, block + 2, kFalse, 1);
    int join = block == 8 ? static_cast<int>(kExitBlock) : block + 3;
    graph.add_edge(block + 1, join, 0, 1);
    graph.add_edge(block + 2, join, 0, 1);
  }
  mark_cuts(graph);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  BranchPredictor predictor(graph);
  for (uint64_t id = 0; id < numbering.num_paths(); id++) {
    Path path = paths.make_path(numbering.walk_of(id));
    auto passes = [&](int block) { return std::count(path.blocks.begin(), path.blocks.end(), block) > 0; };
    if (passes(3) == passes(9))
      predictor.add(path, 10);
  }
  Mispredictions last = predictor.branches().at(8);
  ck_assert_uint_eq(last.executions, 40);
  ck_assert_uint_eq(last.by_edges, 20);
  ck_assert_uint_eq(last.by_paths, 0);
  ck_assert_int_eq(predictor.decided_by(8)->block, 2);
  ck_assert_uint_eq(predictor.decided_by(8)->missed, 0);
  ck_assert_uint_eq(predictor.decided_by(5)->missed, 20);
  ck_assert(!predictor.decided_by(2));
}
END_TEST

// if (a) { if (b) …; } if (c) …: what c is after each outcome of b, and where control did not come to b.
START_TEST(outcomes_after_an_earlier_branch) {
  FlowGraph graph(8);
  graph.add_edge(kEntryBlock, 2, 0, 1);
  int a = graph.add_edge(2, 3, kTrue, 1);
  graph.add_edge(2, 5, kFalse, 1);
  int b = graph.add_edge(3, 4, kTrue, 1), not_b = graph.add_edge(3, 5, kFalse, 1);
  graph.add_edge(4, 5, 0, 1);
  int c = graph.add_edge(5, 6, kTrue, 1), not_c = graph.add_edge(5, 7, kFalse, 1);
  graph.add_edge(6, 7, 0, 1);
  graph.add_edge(7, kExitBlock, 0, 1);
  mark_cuts(graph);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  BranchPredictor predictor(graph);
  for (uint64_t id = 0; id < numbering.num_paths(); id++) {
    Path path = paths.make_path(numbering.walk_of(id));
    auto takes = [&](int edge) { return std::count(path.edges.begin(), path.edges.end(), edge) > 0; };
    predictor.add(path, takes(b) ? (takes(c) ? 7 : 2) : takes(not_b) ? (takes(c) ? 0 : 5) : takes(c) ? 1 : 3);
  }
  std::map<int, BranchPredictor::Outcomes> after = predictor.outcomes_after(3, 5);
  ck_assert_uint_eq(after[b][c], 7);
  ck_assert_uint_eq(after[b][not_c], 2);
  ck_assert_uint_eq(after[not_b].count(c) ? after[not_b][c] : 0, 0);
  ck_assert_uint_eq(after[not_b][not_c], 5);
  ck_assert_uint_eq(after[BranchPredictor::kNotPassed][c], 1);
  ck_assert_uint_eq(after[BranchPredictor::kNotPassed][not_c], 3);
  ck_assert_uint_eq(predictor.outcomes_after(2, 3)[a][b], 9);
  ck_assert(predictor.outcomes_after(5, 3).empty());
}
END_TEST

// Ball and Larus 1996, Figure 1: A … F are 2 … 7.  The most frequent path is ABCDEF, but always taking the more
// frequent edge leads along ACDEF.  The text has the counts of ACDF, ACDEF and ABCDEF.
START_TEST(edges_predict_the_wrong_path) {
  FlowGraph graph = flow_graph(8, {{kEntryBlock, 2, kFallthru},
                                   {2, 4},
                                   {2, 3},
                                   {3, 4},
                                   {3, 5},
                                   {4, 5},
                                   {5, 7},
                                   {5, 6},
                                   {6, 7},
                                   {7, kExitBlock, kFallthru}});
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  const std::map<std::vector<int>, uint64_t> profile = {{{2, 4, 5, 7}, 90},   {{2, 4, 5, 6, 7}, 60},
                                                        {{2, 3, 4, 5, 7}, 0}, {{2, 3, 4, 5, 6, 7}, 100},
                                                        {{2, 3, 5, 7}, 20},   {{2, 3, 5, 6, 7}, 0}};
  EdgeCounts counts(graph, false);
  std::map<std::vector<int>, Path> by_blocks;
  for (uint64_t id = 0; id < numbering.num_paths(); id++) {
    Path path = *numbering.regenerate(id);
    std::vector<int> blocks(path.blocks.begin() + 1, path.blocks.end() - 1);
    counts.add(path, profile.at(blocks));
    by_blocks[blocks] = path;
  }
  std::vector<uint64_t> traversals = counts.traversals(std::vector<double>(graph.num_edges(), 1));
  EdgePredictor predictor(graph, traversals);
  for (const auto &[blocks, path] : by_blocks)
    ck_assert_int_eq(predictor.follow(path).is_correct, blocks == std::vector<int>({2, 4, 5, 6, 7}));
  ck_assert_uint_eq(predictor.follow(by_blocks.at({2, 4, 5, 6, 7})).edges, 6);
  ck_assert_uint_eq(predictor.follow(by_blocks.at({2, 4, 5, 7})).edges, 3);       // D→F is not E
  ck_assert_uint_eq(predictor.follow(by_blocks.at({2, 3, 4, 5, 6, 7})).edges, 1); // A→B is not C
  // The tree leaves out A→C, B→C, B→D and D→F.
  ck_assert_uint_eq(static_cast<uint64_t>(edge_increments(graph, traversals, 270)), 150 + 100 + 20 + 110);
}
END_TEST

// Every walk is predicted as far as its edges are the most frequent ones, each looked at by itself.
START_TEST(predictions_are_those_of_each_edge) {
  Random random(5);
  int correct = 0, wrong = 0;
  for (int round = 0; round < 500; round++) {
    FlowGraph graph = plain_graph(random);
    PathGraph path_graph(graph);
    PathNumbering numbering(path_graph);
    std::vector<uint64_t> traversals;
    for (int e = 0; e < graph.num_edges(); e++)
      traversals.push_back(static_cast<uint64_t>(below(random, 4)));
    EdgePredictor predictor(graph, traversals);
    auto most = [&](int block) {
      uint64_t count = 0;
      for (int e : graph.succs(block))
        count = std::max(count, traversals[static_cast<size_t>(e)]);
      return count;
    };
    for (uint64_t id = 0; id < std::min<uint64_t>(numbering.num_paths(), 50); id++) {
      Path path = *numbering.regenerate(id);
      EdgePredictor::Prediction found = predictor.follow(path);
      for (size_t i = 0; i < found.edges; i++)
        ck_assert_uint_eq(traversals[static_cast<size_t>(path.edges[i])], most(graph.edge(path.edges[i]).src));
      ck_assert(!found.is_correct || found.edges == path.edges.size());
      correct += found.is_correct;
      wrong += !found.is_correct;
    }
  }
  ck_assert_int_gt(correct, 100);
  ck_assert_int_gt(wrong, 100);
}
END_TEST

// The least over all sets of edges that leave a tree.
START_TEST(increments_are_the_fewest) {
  Random random(6);
  for (int round = 0; round < 300; round++) {
    RandomGraphOptions options;
    options.max_blocks = 4;
    options.max_extra_edges = 3;
    options.dead_code = false;
    FlowGraph graph = random_graph(random, options);
    std::vector<uint64_t> traversals;
    for (int e = 0; e < graph.num_edges(); e++)
      traversals.push_back(static_cast<uint64_t>(below(random, 20)));
    uint64_t calls = static_cast<uint64_t>(below(random, 20)), least = UINT64_MAX;
    int num = graph.num_edges() + 1;
    ck_assert_int_lt(num, 14);
    for (int chords = 0; chords < 1 << num; chords++) {
      uint64_t sum = 0;
      std::vector<int> component(static_cast<size_t>(graph.num_blocks()));
      for (int block = 0; block < graph.num_blocks(); block++)
        component[static_cast<size_t>(block)] = block;
      bool is_forest = true;
      for (int e = 0; e < num; e++) {
        bool is_call = e + 1 == num;
        if (chords >> e & 1) {
          sum += is_call ? calls : traversals[static_cast<size_t>(e)];
          continue;
        }
        int a = component[static_cast<size_t>(is_call ? kExitBlock : graph.edge(e).src)];
        int b = component[static_cast<size_t>(is_call ? kEntryBlock : graph.edge(e).dst)];
        is_forest &= a != b;
        std::replace(component.begin(), component.end(), a, b);
      }
      if (is_forest)
        least = std::min(least, sum);
    }
    ck_assert_uint_eq(static_cast<uint64_t>(edge_increments(graph, traversals, calls)), least);
  }
}
END_TEST

using Amount = unsigned __int128;

std::vector<Amount> sums_over_edges(const PathGraph &graph, const PathNumbering &numbering,
                                    const std::vector<CountedPath> &paths) {
  std::vector<Amount> sums(static_cast<size_t>(graph.num_edges()), 0);
  for (auto [id, count] : paths)
    for (int edge : numbering.walk_of(id))
      sums[static_cast<size_t>(edge)] += count;
  return sums;
}

START_TEST(few_paths_add_up_to_the_same) {
  Random random(7);
  size_t fewer = 0;
  for (int round = 0; round < 2000; round++) {
    RandomGraphOptions options;
    options.abnormal_percent = 20;
    options.max_extra_edges = 16;
    FlowGraph flow = random_graph(random, options);
    mark_cuts(flow);
    PathGraph graph(flow);
    PathNumbering numbering(graph);
    std::vector<CountedPath> all;
    int dense = 1 + below(random, 4);
    for (uint64_t id = 0; id < numbering.num_paths() && id < 500; id++)
      if (below(random, dense) == 0) // some are saturated, some have no count
        all.emplace_back(id, below(random, 20) == 0 ? UINT64_MAX : static_cast<uint64_t>(below(random, 1000)));
    FlowDecomposition equal(graph, numbering);
    ck_assert(equal.holds());
    size_t saturated = 0;
    for (auto [id, count] : all) {
      equal.add(id, count);
      saturated += count == UINT64_MAX;
    }
    std::vector<CountedPath> few = equal.paths();
    ck_assert(sums_over_edges(graph, numbering, few) == sums_over_edges(graph, numbering, all));
    ck_assert_uint_le(few.size(), static_cast<size_t>(graph.num_edges()) + saturated);
    fewer += few.size() < all.size();
  }
  ck_assert_uint_gt(fewer, 200);
}
END_TEST

int main() {
  return run_suite("prediction",
                   {{"branches",
                     {misses_are_those_of_the_run, a_branch_is_decided_by_an_earlier_one,
                      outcomes_after_an_earlier_branch, edges_predict_the_wrong_path,
                      predictions_are_those_of_each_edge, increments_are_the_fewest, few_paths_add_up_to_the_same},
                     300}});
}
