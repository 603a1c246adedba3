// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of paths across iterations: published figures and tables, and random graphs against the definition.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/analysis/edge_counts.h"
#include "core/models/kiter_loop_selection.h"
#include "core/models/kiter_graph.h"
#include "core/models/kiter_loops.h"
#include "core/models/kiter_plan.h"
#include "core/models/models.h"
#include "core/numbering/numbering.h"
#include "core/plan/if_conversion.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/golden.h"
#include "testsuite/unit/counted_loop_trace.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;
using nlohmann::json;

// ---------------------------------------------------------------------------------------------------
// Roy and Srikant 2009, Figures 1 and 5, Tables 1 and 2.

struct Figure1 {
  json data;
  FlowGraph graph{8};

  Figure1() {
    data = golden_file("roy-srikant-figure-1.json");
    graph.add_edge(kEntryBlock, block("1"));
    for (const json &edge : data["edges"])
      graph.add_edge(block(source(edge)), block(target(edge)));
    graph.add_edge(block("6"), kExitBlock);
    mark_cuts(graph);
  }

  // The paper's blocks 1 to 6 are ours from 2 on.
  static int block(const std::string &name) { return std::stoi(name) + 1; }
  static std::string source(const std::string &edge) { return edge.substr(0, edge.find("->")); }
  static std::string target(const std::string &edge) { return edge.substr(edge.find("->") + 2); }

  int edge(const std::string &name) const {
    for (int e = 0; e < graph.num_edges(); e++)
      if (graph.edge(e).src == block(source(name)) && graph.edge(e).dst == block(target(name)))
        return e;
    return -1;
  }

  static std::string spell(const Path &path) {
    std::string text;
    for (int block : path.blocks)
      if (block != kEntryBlock && block != kExitBlock)
        text += (text.empty() ? "" : "-") + std::to_string(block - 1);
    return text;
  }

  PathModel model(uint32_t k, Numbering numbering = Numbering::Paper) const {
    return {Mode::KIter, numbering, k, {{block("2"), k}}};
  }

  // The trace's edges, from ENTRY to EXIT: "1-(2-3-5-2-4-5)x100-6".
  std::vector<int> trace() const {
    ck_assert(data["trace"] == "1-(2-3-5-2-4-5)x100-6");
    std::vector<int> edges{0, edge("1->2")};
    for (int i = 0; i < 100; i++)
      for (const char *name : {"2->3", "3->5", "5->2", "2->4", "4->5", "5->2"})
        edges.push_back(edge(name));
    edges.back() = edge("5->6");
    edges.push_back(graph.num_edges() - 1);
    return edges;
  }
};

static std::map<std::string, uint64_t> spelled_counts(const PathNumbering &numbering, const Counts &counts) {
  std::map<std::string, uint64_t> spelled;
  for (auto &[id, count] : counts)
    spelled[Figure1::spell(*numbering.regenerate(static_cast<uint64_t>(id)))] += count;
  return spelled;
}

START_TEST(figure_1_two_iteration_paths) {
  Figure1 figure;
  PathModel model = figure.model(2);
  PathGraph paths = kiter_path_graph(figure.graph, model);
  PathNumbering numbering(paths);
  ck_assert_uint_eq(numbering.num_paths(), figure.data["two_iteration_paths"].size());
  for (auto &[id, blocks] : figure.data["two_iteration_paths"].items())
    ck_assert_str_eq(Figure1::spell(*numbering.regenerate(std::stoul(id))).c_str(), blocks.get<std::string>().c_str());
}
END_TEST

// k = 1 is acyclic profiling; the totals are those that notes and paper agree on.
START_TEST(figure_1_totals) {
  Figure1 figure;
  std::vector<uint64_t> totals{10, 23, 49, 101, 205};
  for (Numbering of : {Numbering::Register, Numbering::Paper})
    for (uint32_t k = 1; k <= totals.size(); k++)
      ck_assert_uint_eq(PathNumbering(kiter_path_graph(figure.graph, figure.model(k, of))).num_paths(), totals[k - 1]);
  PathGraph acyclic(figure.graph);
  PathNumbering numbering(acyclic);
  std::set<std::string> named, printed;
  for (uint64_t id = 0; id < numbering.num_paths(); id++)
    named.insert(Figure1::spell(*numbering.regenerate(id)));
  for (auto &[id, blocks] : figure.data["acyclic_paths"].items())
    printed.insert(blocks.get<std::string>());
  ck_assert(named == printed);
}
END_TEST

// val, numPaths and cval of Table 1 (and of Figure 5): a path from the head has val − cval on its edges.
START_TEST(table_1_weights) {
  Figure1 figure;
  PathModel model = figure.model(2);
  PathGraph paths = kiter_path_graph(figure.graph, model);
  PathNumbering numbering(paths);
  KIterPlan planned = plan_iterations(figure.graph, model);
  for (const json &row : figure.data["table_1_rows_u_e_i_val_numPaths_cval_invalidPaths"]) {
    std::string name = row[1];
    int i = row[2], val = row[3], cval = row[5];
    bool in_loop = name[0] >= '2' && name[0] <= '5';
    if (name == "5->End" || !in_loop)
      continue; // surrogates and what is outside of the loop: below
    int e = figure.edge(name);
    for (const Op &op : planned.plan.on_edge[e]) {
      auto *accumulate = std::get_if<op::Accumulate>(&op);
      auto *leave = std::get_if<op::Leave>(&op);
      if (!accumulate && !leave)
        continue;
      const WindowWeights &weights = planned.plan.weights[accumulate ? accumulate->weights : leave->weights];
      ck_assert_int_eq(weights.entered[i - 1], val);
      bool is_on_path_from_head = i == 2 || Figure1::target(name) != "6";
      if (is_on_path_from_head)
        ck_assert_int_eq(weights.started[i - 1], val - cval);
    }
  }
  int from_head = 13; // Start->2
  ck_assert_int_eq(planned.plan.windows[0].start, from_head);
  const Ops &around = planned.plan.on_edge[figure.edge("5->2")];
  auto *accumulate = std::get_if<op::Accumulate>(&around[0]);
  ck_assert(accumulate);
  ck_assert_int_eq(planned.plan.weights[accumulate->weights].entered[1], 1); // 5->End
  ck_assert_uint_eq(numbering.num_paths(), 26 - 3);                          // of Start; invalid
}
END_TEST

START_TEST(printed_trace_is_counted_as_printed) {
  Figure1 figure;
  for (Numbering of : {Numbering::Register, Numbering::Paper}) {
    PathModel model = figure.model(2, of);
    PathGraph paths = kiter_path_graph(figure.graph, model);
    PathNumbering numbering(paths);
    Counts counts;
    interpret(figure.graph, plan_iterations(figure.graph, model).plan, figure.trace(), counts);
    std::map<std::string, uint64_t> printed;
    for (auto &[blocks, count] : figure.data["two_iteration_counts"].items())
      printed[blocks] = count;
    ck_assert(spelled_counts(numbering, counts) == printed);
  }
}
END_TEST

// Table 2 has the weights of Start->2 and 5->End pushed onto the edges around: on arrival at 2 the newest window's
// accumulator is less by the first, and on arrival at 5 the oldest one's is more by the second.  The others' first
// entries are not in use yet.
START_TEST(table_2_trace) {
  Figure1 figure;
  PathModel model = figure.model(2);
  KIterPlan planned = plan_iterations(figure.graph, model);
  Counts counts;
  Interpreter interpreter(figure.graph, planned.plan, counts);
  interpreter.traverse(0);
  int taken = 0;
  for (const json &row : figure.data["table_2_trace"]) {
    std::string name = row[0];
    Counts before = counts;
    interpreter.traverse(figure.edge(name));
    bool at_head = Figure1::target(name) == "2";
    int64_t pushed = at_head ? planned.plan.windows[0].start : 0;
    ck_assert_int_eq(interpreter.numbers()[0] - pushed, row[1][0].get<int>());
    taken += name == "5->2";
    if (taken > 0)
      ck_assert_int_eq(interpreter.numbers()[1] + (Figure1::target(name) == "5"), row[1][1].get<int>());
    ck_assert_int_eq(taken > 0, row[2].get<bool>());
    ck_assert_int_eq(std::min(taken, 1), row[3].get<int>());
    if (row[4].is_null()) {
      ck_assert(counts == before);
    } else {
      before[row[4].get<int>()]++;
      ck_assert(counts == before);
    }
  }
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Random graphs.

static constexpr int kGraphs = 6000;
static constexpr size_t kEnumerable = 3000;

// A model of the graph: at most `k` iterations, loops of different k in some, loops around others in some.
static PathModel random_model(const FlowGraph &graph, uint32_t k, Numbering numbering, Random &random) {
  PathModel model{Mode::KIter, numbering, k, {}};
  bool differs = below(random, 3) == 0, collapses = below(random, 2);
  auto wanted = [&](const Loop &) {
    return differs ? 1 + static_cast<uint32_t>(below(random, static_cast<int>(k))) : k;
  };
  auto wanted_around = [&](const Loop &) { return collapses ? k : 1; };
  model.loops = choose_iterations(graph, numbering, 100000, {wanted, wanted_around});
  return model;
}

// The largest natural loops in another, by head.
static std::map<int, std::set<int>> loops_within(const FlowGraph &graph, const Loop &outer) {
  std::map<int, std::set<int>> within;
  std::set<int> inside(outer.blocks.begin() + 1, outer.blocks.end());
  for (const Loop &loop : natural_loops(graph)) {
    if (!inside.count(loop.head()))
      continue;
    for (int block : loop.blocks)
      if (block != loop.head())
        within.erase(block);
    bool is_in_one = false;
    for (const auto &[head, blocks] : within)
      is_in_one = is_in_one || blocks.count(loop.head());
    if (!is_in_one)
      within[loop.head()] = {loop.blocks.begin(), loop.blocks.end()};
  }
  return within;
}

static Spans spans_of(const FlowGraph &graph, const PathModel &model) {
  Spans spans;
  for (const Loop &loop : natural_loops(graph))
    for (const LoopIterations &chosen : model.loops)
      if (chosen.head == loop.head() && chosen.k > 1)
        spans[loop.head()] = {chosen.k, {loop.back_edges.begin(), loop.back_edges.end()}, loops_within(graph, loop)};
  return spans;
}

static bool collapses(const FlowGraph &graph, const PathModel &model) {
  return !kiter_model().collapsed_loops(graph, model).empty();
}

// Numbers are dense, unique and decodable: the decoded set is the enumerated one.
static void check_numbering(const FlowGraph &graph, const PathModel &model) {
  std::set<DefinedPath> defined = all_spanning_paths(graph, spans_of(graph, model), kEnumerable);
  if (defined.size() > kEnumerable)
    return;
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  ck_assert(numbering.fits());
  ck_assert_uint_eq(numbering.num_paths(), defined.size());
  ck_assert(count_paths(paths) == static_cast<unsigned long>(defined.size()));
  std::set<DefinedPath> decoded;
  for (uint64_t id = 0; id < numbering.num_paths(); id++)
    decoded.insert(definition_of(*numbering.regenerate(id)));
  ck_assert(decoded == defined);
}

static std::map<DefinedPath, uint64_t> decoded(const PathNumbering &numbering, const Counts &counts) {
  std::map<DefinedPath, uint64_t> paths;
  for (auto &[id, count] : counts) {
    ck_assert_int_ge(id, 0);
    std::optional<Path> path = numbering.regenerate(static_cast<uint64_t>(id));
    ck_assert(path.has_value());
    paths[definition_of(*path)] += count;
  }
  return paths;
}

// The counters that a plan leaves behind, decoded, are the paths of the definition.
static void check_plan(const FlowGraph &graph, const PathModel &model, Random &random) {
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  if (!numbering.fits())
    return;
  PlacementOptions options;
  options.hoist_counts = below(random, 2);
  options.try_policies = below(random, 2);
  options.counted_loops.assign(static_cast<size_t>(graph.num_blocks()), below(random, 2));
  std::vector<Loop> loops = natural_loops(graph);
  TripCounts trip_counts = random_trip_counts(random, loops);
  Plan plan = plan_iterations(graph, model, options, trip_counts).plan;
  if (below(random, 2))
    choose_before_branches(graph, find_if_conversions(graph), plan);
  std::map<DefinedPath, uint64_t> expected;
  Counts counts;
  for (int activation = 0; activation < 6; activation++) {
    std::vector<int> trace = counted_loop_trace(random, graph, loops, trip_counts);
    int last = graph.edge(trace.back()).dst;
    if (last != kExitBlock && !graph.succs(last).empty())
      continue; // still running
    defined_spanning_paths(graph, spans_of(graph, model), trace, expected);
    interpret(graph, plan, trace, counts);
  }
  ck_assert(decoded(numbering, counts) == expected);
}

static void for_models(int graphs, uint64_t seed, void (*check)(const FlowGraph &, const PathModel &, Random &)) {
  Random random(seed);
  int with_loops = 0, with_collapsed = 0;
  for (int i = 0; i < graphs; i++) {
    FlowGraph graph = graph_number(i, random);
    if (i % 5 == 4)
      cut_to_limit(graph, 1 + static_cast<uint64_t>(below(random, 30)));
    for (Numbering numbering : {Numbering::Register, Numbering::Paper}) {
      PathModel model = random_model(graph, 1 + static_cast<uint32_t>(i % 5), numbering, random);
      with_loops += !model.loops.empty();
      with_collapsed += collapses(graph, model);
      check(graph, model, random);
    }
  }
  ck_assert_int_gt(with_loops, graphs / 3);
  ck_assert_int_gt(with_collapsed, graphs / 100);
}

START_TEST(random_graphs_are_numbered_as_defined) {
  for_models(kGraphs, 2009,
             [](const FlowGraph &graph, const PathModel &model, Random &) { check_numbering(graph, model); });
}
END_TEST

START_TEST(random_plans_count_as_defined) {
  for_models(2 * kGraphs, 9, check_plan);
}
END_TEST

// What is behind the contexts is each traversal once.
static void check_edges(const FlowGraph &graph, const PathModel &model, Random &random) {
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  if (!numbering.fits() ||
      std::any_of(graph.edges().begin(), graph.edges().end(), [](const Edge &edge) { return edge.flags & kAbnormal; }))
    return;
  Plan plan = plan_iterations(graph, model).plan;
  std::vector<double> truth(static_cast<size_t>(graph.num_edges()), 0);
  Counts counts;
  for (int activation = 0; activation < 10; activation++) {
    std::vector<int> trace = random_trace(random, graph, 120);
    int last = graph.edge(trace.back()).dst;
    if (last != kExitBlock && !graph.succs(last).empty())
      continue;
    interpret(graph, plan, trace, counts);
    for (int e : trace)
      truth[static_cast<size_t>(e)]++;
  }
  EdgeCounts edges(graph, false);
  for (auto &[id, count] : counts)
    edges.add(*numbering.regenerate(static_cast<uint64_t>(id)), count);
  std::vector<uint64_t> traversals = edges.traversals(truth);
  ck_assert(std::equal(truth.begin(), truth.end(), traversals.begin()));
}

START_TEST(edges_are_counted_as_traversed) {
  for_models(kGraphs, 19, check_edges);
}
END_TEST

// What acyclic paths need, and some more.
static uint64_t limit_for(const FlowGraph &graph, Random &random) {
  return PathNumbering(PathGraph(graph)).num_paths() + static_cast<uint64_t>(below(random, 60));
}

// The model's own choice holds to its limit, and one more iteration anywhere would not.
START_TEST(iterations_are_chosen_within_a_limit) {
  Random random(60000);
  int lowered = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_number(i, random);
    uint64_t limit = limit_for(graph, random);
    PathModel model{Mode::KIter, Numbering::Register, 4, {}};
    model.loops = choose_iterations(graph, Numbering::Register, limit, {[](const Loop &) { return 4u; }, {}});
    PathNumbering numbering(path_graph_of(graph, model));
    ck_assert_uint_le(numbering.num_paths(), limit);
    for (const Loop &loop : iterable_loops(graph)) {
      PathModel more = model;
      auto same = std::find_if(more.loops.begin(), more.loops.end(),
                               [&](const LoopIterations &chosen) { return chosen.head == loop.head(); });
      if (same == more.loops.end())
        same = more.loops.insert(more.loops.end(), {loop.head(), 1});
      if (same->k == 4)
        continue;
      lowered++;
      same->k++;
      PathNumbering higher(path_graph_of(graph, more));
      ck_assert(!higher.fits() || higher.num_paths() > limit);
    }
  }
  ck_assert_int_gt(lowered, 100);
}
END_TEST

// Loops around others come first.  To collapse what is in them can save paths, so that no k is the largest for sure.
START_TEST(loops_around_others_are_chosen_within_a_limit) {
  Random random(5);
  int chosen = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_number(i, random);
    uint64_t limit = limit_for(graph, random);
    auto four = [](const Loop &) { return 4u; };
    PathModel model{Mode::KIter, Numbering::Register, 4, {}};
    model.loops = choose_iterations(graph, Numbering::Register, limit, {four, four});
    ck_assert_uint_le(PathNumbering(path_graph_of(graph, model)).num_paths(), limit);
    for (const CollapsedLoop &collapsed : kiter_model().collapsed_loops(graph, model)) {
      chosen++;
      for (const LoopIterations &loop : model.loops)
        ck_assert_int_ne(loop.head, collapsed.loop.head());
    }
  }
  ck_assert_int_gt(chosen, 100);
}
END_TEST

// A loop of so many blocks, with one way around it and an exit from its last block.
static FlowGraph large_loop(int num_blocks) {
  FlowGraph graph(num_blocks + 3);
  int last = num_blocks + 2;
  graph.add_edge(kEntryBlock, 2);
  graph.add_edge(2, 3);
  for (int block = 3; block < last; block++)
    graph.add_edge(block, block + 1);
  graph.add_edge(last, 3);
  graph.add_edge(last, kExitBlock);
  mark_cuts(graph);
  return graph;
}

// There are few paths, but their graph would be large.
START_TEST(iterations_are_chosen_within_memory) {
  constexpr int kBlocks = 10000;
  FlowGraph graph = large_loop(kBlocks);
  PathModel model{Mode::KIter, Numbering::Register, 64, {}};
  model.loops = choose_iterations(graph, Numbering::Register, UINT64_MAX, {[](const Loop &) { return 64u; }, {}});
  ck_assert_uint_eq(model.loops.size(), 1);
  ck_assert_uint_eq(model.loops.front().k, kMaxCopies / kBlocks);
  ck_assert(kiter_model().has_room(graph, model));
  model.loops.front().k++;
  ck_assert(!kiter_model().has_room(graph, model));
}
END_TEST

// Loops of one block each, one after another.
static FlowGraph loops_in_a_row(int number) {
  FlowGraph graph(number + 2);
  for (int block = 2; block < number + 2; block++) {
    graph.add_edge(block == 2 ? kEntryBlock : block - 1, block, 0, 1);
    graph.add_edge(block, block, kBack, 9);
  }
  graph.add_edge(number + 1, kExitBlock, 0, 1);
  mark_cuts(graph);
  return graph;
}

// Regression 25: a test of all loops for each loop would take hours.
START_TEST(time_is_not_quadratic_in_the_number_of_loops) {
  const FlowGraph graph = loops_in_a_row(20000);
  ck_assert_uint_eq(natural_loops(graph).size(), 20000);
  const uint64_t limit = uint64_t{1} << 40; // far more than the acyclic paths
  PathModel model{Mode::KIter, Numbering::Register, 1, {}};
  model.loops = choose_iterations(graph, Numbering::Register, limit, {[](const Loop &) { return 2u; }, {}});
  ck_assert_uint_gt(model.loops.size(), 0);
  PathNumbering numbering(kiter_path_graph(graph, model));
  ck_assert(numbering.fits() && numbering.num_paths() <= limit);
}
END_TEST

int main() {
  return run_suite(
      "kiter", {{"figures",
                 {figure_1_two_iteration_paths, figure_1_totals, table_1_weights, printed_trace_is_counted_as_printed,
                  table_2_trace}},
                {"random graphs",
                 {random_graphs_are_numbered_as_defined, random_plans_count_as_defined, edges_are_counted_as_traversed,
                  iterations_are_chosen_within_a_limit, loops_around_others_are_chosen_within_a_limit,
                  iterations_are_chosen_within_memory, time_is_not_quadratic_in_the_number_of_loops},
                 300}});
}
