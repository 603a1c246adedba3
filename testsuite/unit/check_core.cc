// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/: published figures, and random graphs against the definition.
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "core/numbering/cut.h"
#include "core/analysis/edge_counts.h"
#include "core/models/forest.h"
#include "core/numbering/numbering.h"
#include "core/plan/call_stores.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/numbering/prefix.h"
#include "core/plan/if_conversion.h"
#include "core/plan/register_counters.h"
#include "testsuite/unit/check_context.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/golden.h"
#include "testsuite/unit/counted_loop_trace.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;
using nlohmann::json;

// ---------------------------------------------------------------------------------------------------
// Ball and Larus 1996, Figures 1, 6, 7 and section 3.5.

struct Figure6 {
  json data;
  std::map<std::string, int> block;
  std::map<int, std::string> letter;
  std::map<std::string, int> edge; // "AB" → flow edge
  FlowGraph graph{6};

  Figure6() {
    data = golden_file("ball-larus-figure-6.json");
    int next = 2;
    for (auto &[name, succs] : data["successors_in_order"].items())
      block[name] = name == data["entry"] ? kEntryBlock : name == data["exit"] ? kExitBlock : next++;
    for (auto &[name, index] : block)
      letter[index] = name;
    for (auto &[name, succs] : data["successors_in_order"].items())
      for (const json &succ : succs)
        edge[name + succ.get<std::string>()] = graph.add_edge(block[name], block[succ]);
    mark_cuts(graph);
  }
};

START_TEST(figure_6_numbering) {
  Figure6 figure;
  PathGraph paths(figure.graph);
  PathNumbering numbering(paths);
  for (auto &[name, count] : figure.data["num_paths"].items())
    ck_assert_uint_eq(numbering.num_paths_from(figure.block[name]), count.get<unsigned>());
  for (auto &[name, val] : figure.data["val"].items())
    ck_assert_int_eq(numbering.val(figure.edge[name]), val.get<int>());
  for (auto &[id, blocks] : figure.data["paths"].items()) {
    std::string spelled;
    Path path = *numbering.regenerate(std::stoul(id));
    for (int block : path.blocks)
      spelled += figure.letter[block];
    ck_assert(spelled == blocks.get<std::string>());
  }
  ck_assert(!numbering.regenerate(numbering.num_paths()).has_value());
}
END_TEST

// Figure 7's spanning tree is A→B, C→D, D→F, E→F; Figure 9's placement follows from it.
START_TEST(figures_7_and_9_placement) {
  Figure6 figure;
  PathGraph paths(figure.graph);
  PathNumbering numbering(paths);
  std::vector<char> in_tree(paths.num_edges(), 0);
  for (const char *name : {"AB", "CD", "DF", "EF"})
    in_tree[figure.edge[name]] = 1;
  std::vector<int64_t> increments = chord_increments(paths, in_tree, numbering.vals()).of_edge;
  ck_assert_int_eq(increments[figure.edge["BD"]], figure.data["chord_increment_in_figure_7"]["B->D"].get<int>());
  Plan plan = place(paths, in_tree, increments);
  auto is = [&](const char *name, Ops ops) { return plan.on_edge[figure.edge[name]] == ops; };
  ck_assert(is("AC", {op::Set{0}}));
  ck_assert(is("BC", {op::Set{2}}));
  ck_assert(is("BD", {op::Set{4}}));
  ck_assert(is("DE", {op::CountAt{1}}));
  ck_assert(is("DF", {op::CountAt{0}}));
  for (const char *name : {"AB", "CD", "EF"})
    ck_assert(is(name, {}));
}
END_TEST

// Section 4: the four kinds of paths through one loop, A → B ⇄ C, B → D.
START_TEST(one_loop_has_four_kinds_of_paths) {
  FlowGraph graph = flow_graph(5, {{kEntryBlock, 2}, {2, 3}, {3, 2}, {2, 4}, {4, kExitBlock}});
  ck_assert_uint_eq(graph.edge(2).flags, kBack);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  ck_assert_uint_eq(numbering.num_paths(), 4);
  std::set<std::string> kinds;
  for (uint64_t id = 0; id < 4; id++) {
    Path path = *numbering.regenerate(id);
    kinds.insert(std::string(to_string(path.start)) + "-" + to_string(path.end));
  }
  ck_assert(kinds == (std::set<std::string>{"entry-exit", "entry-backedge", "loop-backedge", "loop-exit"}));
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Random graphs.

static constexpr int kGraphs = 12000;
static constexpr size_t kEnumerable = 3000;

// Numbers are dense, unique and decodable: the decoded set is the enumerated one.
static void check_numbering(const FlowGraph &graph) {
  std::set<DefinedPath> defined = all_paths(graph, kEnumerable);
  mpz_class exact = count_paths(graph);
  if (defined.size() > kEnumerable)
    return;
  ck_assert(exact == static_cast<unsigned long>(defined.size()));
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  ck_assert(numbering.fits());
  ck_assert_uint_eq(numbering.num_paths(), defined.size());
  std::set<DefinedPath> decoded;
  for (uint64_t id = 0; id < numbering.num_paths(); id++)
    decoded.insert(definition_of(*numbering.regenerate(id)));
  ck_assert(decoded == defined);
}

// Makes choices of operations in some of the if-conversion candidates.  Returns in how many that could be done.
static int choose(const FlowGraph &graph, Random &random, Plan &plan) {
  std::vector<IfConversion> if_conversions = find_if_conversions(graph);
  if_conversions.erase(std::remove_if(if_conversions.begin(), if_conversions.end(),
                                      [&](const IfConversion &) { return below(random, 4) == 0; }),
                       if_conversions.end());
  return choose_before_branches(graph, if_conversions, plan);
}

static std::vector<char> some_blocks(const FlowGraph &graph, Random &random) {
  std::vector<char> some;
  for (int block = 0; block < graph.num_blocks(); block++)
    some.push_back(below(random, 3) == 0);
  return some;
}

// The counters that a plan leaves behind, decoded, are the paths of the definition.
// Returns in how many if-conversion candidates operations are chosen before the branch.
static int check_plan(const FlowGraph &graph, Random &random, bool hoist) {
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  if (!numbering.fits())
    return 0;
  PlacementOptions options;
  options.hoist_counts = hoist;
  if (!hoist)
    options.copied = some_blocks(graph, random);
  std::vector<char> in_tree = maximum_spanning_tree(paths, {}, {}, options.copied);
  Plan plan = place(paths, in_tree, chord_increments(paths, in_tree, numbering.vals()).of_edge, options);
  int chosen = choose(graph, random, plan);
  std::map<DefinedPath, uint64_t> expected, actual;
  Counts counts;
  for (int activation = 0; activation < 6; activation++) {
    std::vector<int> trace = random_trace(random, graph);
    int last = graph.edge(trace.back()).dst;
    if (last != kExitBlock && !graph.succs(last).empty())
      continue; // still running: hoisted counts may or may not have seen its last path
    defined_paths(graph, trace, expected);
    interpret(graph, plan, trace, counts);
  }
  for (auto &[id, count] : counts) {
    ck_assert_int_ge(id, 0);
    std::optional<Path> path = numbering.regenerate(id);
    ck_assert(path.has_value());
    actual[definition_of(*path)] += count;
  }
  ck_assert(actual == expected);
  return chosen;
}

// A plan that works at the ends of paths measures all of each path, and nothing else.
static void check_lengths(const FlowGraph &graph, Random &random) {
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  if (!numbering.fits())
    return;
  PlacementOptions options;
  options.hoist_counts = below(random, 2);
  options.at_ends = true;
  if (below(random, 2))
    options.calls.assign(static_cast<size_t>(graph.num_blocks()), 1);
  Plan plan = plan_with_register_counters(paths, numbering.vals(), {}, 0, options).plan;
  for (int activation = 0; activation < 6; activation++) {
    Counts once;
    Interpreter interpreter(graph, plan, once);
    std::vector<int> trace = random_trace(random, graph);
    for (int e : trace)
      interpreter.traverse(e);
    if (graph.succs(graph.edge(trace.back()).dst).empty())
      interpreter.end(graph.edge(trace.back()).dst);
    for (auto &[id, count] : once) {
      const std::vector<int> blocks = numbering.regenerate(id)->blocks;
      uint64_t real = static_cast<uint64_t>(std::count_if(
          blocks.begin(), blocks.end(), [](int block) { return block != kEntryBlock && block != kExitBlock; }));
      ck_assert_uint_eq(interpreter.lengths().at(id), count * real);
    }
  }
}

struct Checked {
  size_t loops = 0; // counted in register counters
  size_t counted_loops = 0;
  size_t nests = 0;  // loops that are counted at their exits around one that does
  size_t chosen = 0; // if-conversion candidates with register counters chosen before the branch
};

static size_t num_increment_selects(const Plan &plan) {
  return static_cast<size_t>(std::count_if(plan.selects.begin(), plan.selects.end(), [](const SelectOps &selects) {
    return std::any_of(selects.begin(), selects.end(),
                       [](const SelectOp &choice) { return std::holds_alternative<Either<op::Increment>>(choice); });
  }));
}

// Counting loops in register counters, or where control leaves them, counts what the definition says.
static Checked check_register_counters(const FlowGraph &graph, Random &random, bool hoist) {
  size_t max_counters = 1 + static_cast<size_t>(below(random, 6));
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  std::vector<Loop> candidates = natural_loops(graph);
  candidates.erase(
      std::remove_if(candidates.begin(), candidates.end(), [&](const Loop &) { return below(random, 4) == 0; }),
      candidates.end());
  if (!numbering.fits())
    return {};
  TripCounts trip_counts = random_trip_counts(random, candidates);
  RegisterCounterPlan planned =
      plan_with_register_counters(paths, numbering.vals(), candidates, max_counters, {true, hoist}, trip_counts);
  choose(planned.peeled.graph, random, planned.plan);
  std::map<DefinedPath, uint64_t> expected, actual;
  Counts counts;
  for (int activation = 0; activation < 6; activation++) {
    std::vector<int> trace = counted_loop_trace(random, graph, candidates, trip_counts);
    int last = graph.edge(trace.back()).dst;
    if (last != kExitBlock && !graph.succs(last).empty())
      continue;
    defined_paths(graph, trace, expected);
    interpret(planned.peeled.graph, planned.plan, follow(planned.peeled, trace), counts);
  }
  for (auto &[id, count] : counts) {
    std::optional<Path> path = numbering.regenerate(id);
    ck_assert(id >= 0 && path.has_value());
    if (count)
      actual[definition_of(*path)] += count;
  }
  ck_assert(actual == expected);
  size_t nests = 0;
  for (const Loop &loop : candidates)
    if (std::count(planned.counted_loops.begin(), planned.counted_loops.end(), loop.head()))
      nests += std::any_of(planned.counted_loops.begin(), planned.counted_loops.end(),
                           [&](int head) { return head != loop.head() && loop.contains(head); });
  return {planned.peeled.copies.size(), planned.counted_loops.size(), nests, num_increment_selects(planned.plan)};
}

// Exact termination on one graph: some blocks have calls, at which paths may be cut short.
class ExactRun {
public:
  ExactRun(const FlowGraph &graph, Random &random, bool hoist)
      : graph_(graph), random_(random), paths_(graph), numbering_(paths_), calls_(random_calls()),
        prefixes_(numbering_.num_paths(), calls_),
        increments_(chord_increments(paths_, maximum_spanning_tree(paths_), numbering_.vals())),
        plan_(place(paths_, maximum_spanning_tree(paths_), increments_.of_edge,
                    {false, hoist, {calls_.begin(), calls_.end()}})),
        stores_(call_stores(graph, plan_, {calls_.begin(), calls_.end()})) {}

  bool fits() const { return numbering_.fits() && prefixes_.fits(); }

  // Counts an activation that is cut short at the last call of its trace, or ends there.  Returns what ran.
  std::vector<int> run(std::vector<int> trace, std::map<DefinedPath, uint64_t> &expected) {
    while (trace.size() > 1 && !calls_[last_of(trace)] && !ends_at(last_of(trace)))
      trace.pop_back();
    int last = last_of(trace);
    if (!calls_[last] && !ends_at(last))
      return {};
    defined_exact_paths(graph_, trace, expected);
    Interpreter interpreter(graph_, plan_, counts_);
    stored_ = kNothing;
    for (int e : trace) {
      if ((graph_.edge(e).flags & kAbnormal) && goes_on(graph_.edge(e).src))
        cut_short(graph_.edge(e).src);
      interpreter.traverse(e);
      store(interpreter, graph_.edge(e).dst);
    }
    if (last != kExitBlock && graph_.succs(last).empty())
      interpreter.end(last);
    else if (last != kExitBlock)
      cut_short(last);
    return trace;
  }

  const PathGraph &paths() const { return paths_; }
  // How often control came to a block with calls, and how often the register was stored there.
  uint64_t num_calls() const { return num_calls_; }
  uint64_t num_stores() const { return num_stores_; }

  std::vector<std::pair<Path, uint64_t>> decoded() const {
    std::vector<std::pair<Path, uint64_t>> executed;
    for (auto &[id, count] : counts_) {
      std::optional<PrefixNumbering::Prefix> prefix = prefixes_.locate(static_cast<uint64_t>(id));
      std::optional<Path> path = prefix ? numbering_.regenerate_prefix(prefix->sum, prefix->block, prefix->call)
                                        : numbering_.regenerate(static_cast<uint64_t>(id));
      ck_assert(path.has_value());
      executed.emplace_back(*path, count);
    }
    return executed;
  }

  std::map<DefinedPath, uint64_t> counted() const {
    std::map<DefinedPath, uint64_t> actual;
    for (auto &[path, count] : decoded())
      actual[definition_of(path)] += count;
    return actual;
  }

private:
  // Where an abnormal edge leaves beside ordinary ones, a call is the reason.
  std::vector<uint32_t> random_calls() {
    std::vector<uint32_t> calls(static_cast<size_t>(graph_.num_blocks()), 0);
    for (int block = 2; block < graph_.num_blocks(); block++)
      if (below(random_, 2) || (graph_.has_succ_with(block, kAbnormal) && goes_on(block)))
        calls[block] = 1 + static_cast<uint32_t>(below(random_, 3));
    return calls;
  }

  int last_of(const std::vector<int> &trace) const { return graph_.edge(trace.back()).dst; }
  bool ends_at(int block) const { return block == kExitBlock || graph_.succs(block).empty(); }

  bool goes_on(int block) const {
    const std::vector<int> &succs = graph_.succs(block);
    return std::any_of(succs.begin(), succs.end(), [&](int e) { return !(graph_.edge(e).flags & kAbnormal); });
  }

  // Before the calls of a block.
  void store(const Interpreter &interpreter, int block) {
    if (stores_[block].is_needed)
      stored_ = interpreter.path_register();
    num_calls_ += calls_[block] > 0;
    num_stores_ += stores_[block].is_needed;
  }

  // What an unwinder, or the process's end, counts comes from what is known of the register, or from what was stored.
  void cut_short(int block) {
    uint64_t sum = static_cast<uint64_t>(stores_[block].known.value_or(stored_) + increments_.deficit_at[block]);
    uint32_t call = static_cast<uint32_t>(below(random_, static_cast<int>(calls_[block])));
    uint64_t id = prefixes_.id_of(sum, prefixes_.index_of_call(block, call));
    std::optional<PrefixNumbering::Prefix> found = prefixes_.locate(id);
    ck_assert(found.has_value());
    ck_assert_int_eq(found->block, block);
    ck_assert_uint_eq(found->call, call);
    counts_[static_cast<int64_t>(id)]++;
  }

  const FlowGraph &graph_;
  Random &random_;
  PathGraph paths_;
  PathNumbering numbering_;
  std::vector<uint32_t> calls_;
  PrefixNumbering prefixes_;
  Increments increments_;
  Plan plan_;
  std::vector<CallStore> stores_;
  static constexpr int64_t kNothing = INT64_MIN / 2; // no path's sum
  int64_t stored_ = kNothing;
  uint64_t num_calls_ = 0, num_stores_ = 0;
  Counts counts_;
};

START_TEST(random_graphs_are_numbered_as_defined) {
  Random random(1996);
  for (int i = 0; i < kGraphs; i++)
    check_numbering(graph_number(i, random));
}
END_TEST

START_TEST(random_plans_count_as_defined) {
  Random random(96);
  int chosen = 0;
  for (int i = 0; i < kGraphs; i++)
    chosen += check_plan(graph_number(i, random), random, i % 2);
  ck_assert_int_gt(chosen, kGraphs / 50);
}
END_TEST

START_TEST(random_plans_measure_whole_paths) {
  Random random(12);
  for (int i = 0; i < kGraphs; i++)
    check_lengths(graph_number(i, random), random);
}
END_TEST

START_TEST(random_loops_count_in_registers) {
  Random random(2026);
  Checked all;
  for (int i = 0; i < 4 * kGraphs; i++) {
    Checked one = check_register_counters(graph_number(i, random), random, i % 2);
    all.loops += one.loops;
    all.counted_loops += one.counted_loops;
    all.nests += one.nests;
    all.chosen += one.chosen;
  }
  ck_assert_uint_gt(all.loops, kGraphs / 10);
  ck_assert_uint_gt(all.counted_loops, 200);
  ck_assert_uint_gt(all.nests, 20);
  ck_assert_uint_gt(all.chosen, 20);
}
END_TEST

START_TEST(random_plans_count_what_is_cut_short) {
  Random random(1994);
  uint64_t calls = 0, stores = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_number(i, random);
    ExactRun exact(graph, random, i % 2);
    if (!exact.fits())
      continue;
    std::map<DefinedPath, uint64_t> expected;
    for (int activation = 0; activation < 6; activation++)
      exact.run(random_trace(random, graph, 1 + below(random, 60)), expected);
    ck_assert(exact.counted() == expected);
    calls += exact.num_calls();
    stores += exact.num_stores();
  }
  ck_assert_uint_gt(stores, 0);
  ck_assert_uint_lt(stores, calls);
}
END_TEST

// A beginning that is none is not taken for one.
START_TEST(wrong_prefixes_are_refused) {
  Random random(62);
  int refused = 0;
  for (int i = 0; i < 300; i++) {
    FlowGraph graph = graph_number(i, random);
    PathGraph paths(graph);
    PathNumbering numbering(paths);
    for (uint64_t id = 0; id < std::min<uint64_t>(numbering.num_paths(), 200); id++) {
      Path path = *numbering.regenerate(id);
      for (int block = 0; block < graph.num_blocks(); block++) {
        std::optional<Path> prefix = numbering.regenerate_prefix(id, block, 0);
        refused += !prefix;
        if (!prefix)
          continue;
        ck_assert(prefix->blocks.back() == block);
        ck_assert(std::equal(prefix->blocks.begin(), prefix->blocks.end(), path.blocks.begin()));
      }
    }
    ck_assert(!numbering.regenerate_prefix(numbering.num_paths(), 2, 0));
    ck_assert(!numbering.regenerate_prefix(0, kEntryBlock, 0));
    ck_assert(!numbering.regenerate_prefix(0, kExitBlock, 0));
  }
  ck_assert_int_gt(refused, 1000);
}
END_TEST

START_TEST(random_graphs_cut_to_a_limit) {
  Random random(53);
  int cut = 0, impossible = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_number(i, random);
    uint64_t limit = 1 + below(random, 40);
    std::vector<Edge> before = graph.edges();
    int cuts = cut_to_limit(graph, limit);
    if (cuts < 0) {
      impossible++;
      for (int e = 0; e < graph.num_edges(); e++)
        ck_assert_uint_eq(graph.edge(e).flags, before[e].flags);
      continue;
    }
    cut += cuts > 0;
    ck_assert(count_paths(graph) <= static_cast<unsigned long>(limit));
    check_numbering(graph);
    check_plan(graph, random, i % 2);
  }
  ck_assert_int_gt(cut, 500);
  ck_assert_int_gt(impossible, 100);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Edge counts.

using Executed = std::vector<std::pair<Path, uint64_t>>;

static std::vector<uint64_t> traversals(const PathGraph &paths, bool exact, const Executed &executed,
                                        const std::vector<double> &estimate) {
  EdgeCounts counts(paths.flow(), exact);
  for (auto &[path, count] : executed)
    counts.add(path, count);
  return counts.traversals(estimate);
}

static std::vector<double> random_estimate(Random &random, size_t size) {
  std::vector<double> estimate(size);
  for (double &value : estimate)
    value = below(random, 4) ? below(random, 1000) : 0;
  return estimate;
}

static int num_cut(const FlowGraph &graph, const std::vector<int> &edges) {
  return static_cast<int>(std::count_if(edges.begin(), edges.end(), [&](int e) { return graph.edge(e).is_cut(); }));
}

// Whether one end of a cut edge has no other: then paths tell its count, unless it is abnormal and its end
// is not counted.
static bool stands_alone(const FlowGraph &graph, int e) {
  const Edge &edge = graph.edge(e);
  return num_cut(graph, graph.preds(edge.dst)) == 1 ||
         (!(edge.flags & kAbnormal) && num_cut(graph, graph.succs(edge.src)) == 1);
}

static uint64_t sum_of_cuts(const FlowGraph &graph, const std::vector<int> &edges,
                            const std::vector<uint64_t> &counts) {
  uint64_t sum = 0;
  for (int e : edges)
    sum += graph.edge(e).is_cut() ? counts[e] : 0;
  return sum;
}

// `truth` was counted edge by edge.  With any estimate: what is not cut, what paths tell of single cut edges,
// and how much leaves a block over ordinary cut edges.  With the truth as the estimate: everything.
static void check_edge_counts(const PathGraph &paths, bool exact, const Executed &executed,
                              const std::vector<uint64_t> &truth, Random &random) {
  const FlowGraph &graph = paths.flow();
  std::vector<uint64_t> counts = traversals(paths, exact, executed, random_estimate(random, truth.size()));
  for (int e = 0; e < graph.num_edges(); e++)
    if (!graph.edge(e).is_cut() || stands_alone(graph, e))
      ck_assert_uint_eq(counts[e], truth[e]);
  for (int block = 0; block < graph.num_blocks(); block++)
    if (!graph.has_succ_with(block, kAbnormal))
      ck_assert_uint_eq(sum_of_cuts(graph, graph.succs(block), counts), sum_of_cuts(graph, graph.succs(block), truth));
  ck_assert(traversals(paths, exact, executed, {truth.begin(), truth.end()}) == truth);
}

// Whether the paths of an activation are all counted: it came to an end, and left no block over an abnormal
// edge where that is not seen.
static bool is_fully_counted(const FlowGraph &graph, const std::vector<int> &trace) {
  int last = graph.edge(trace.back()).dst;
  return (last == kExitBlock || graph.succs(last).empty()) && std::all_of(trace.begin(), trace.end(), [&](int e) {
           return !graph.edge(e).is_cut() || end_is_countable(graph, e);
         });
}

static FlowGraph graph_with_cuts(int index, Random &random) {
  FlowGraph graph = graph_number(index, random);
  if (index % 2)
    cut_to_limit(graph, 1 + static_cast<uint64_t>(below(random, 30)));
  return graph;
}

// Executes random traces whose paths are all counted. Returns the counted paths, and adds the traversals of each edge
// to `truth`. Returns nothing if the graph has too many paths.
static Executed execute(const FlowGraph &graph, Random &random, int activations, std::vector<uint64_t> &truth) {
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  Executed executed;
  truth.assign(static_cast<size_t>(graph.num_edges()), 0);
  if (!numbering.fits())
    return executed;
  std::vector<char> in_tree = maximum_spanning_tree(paths);
  Plan plan = place(paths, in_tree, chord_increments(paths, in_tree, numbering.vals()).of_edge);
  Counts counts;
  for (int activation = 0; activation < activations; activation++) {
    std::vector<int> trace = random_trace(random, graph);
    if (!is_fully_counted(graph, trace))
      continue;
    interpret(graph, plan, trace, counts);
    for (int e : trace)
      truth[e]++;
  }
  for (auto &[id, count] : counts)
    executed.emplace_back(*numbering.regenerate(static_cast<uint64_t>(id)), count);
  return executed;
}

START_TEST(edges_are_counted_as_traversed) {
  Random random(1997);
  uint64_t with_abnormal = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_with_cuts(i, random);
    std::vector<uint64_t> truth;
    Executed executed = execute(graph, random, 20, truth);
    for (int e = 0; e < graph.num_edges(); e++)
      with_abnormal += graph.edge(e).flags & kAbnormal ? truth[e] : 0;
    check_edge_counts(PathGraph(graph), false, executed, truth, random);
  }
  ck_assert_uint_gt(with_abnormal, 1000);
}
END_TEST

// Some executions of paths are not counted, so the counts of edges are lower bounds.
START_TEST(least_counts_of_edges_hold_if_paths_are_lost) {
  Random random(1999);
  int num_taken = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_with_cuts(i, random);
    std::vector<uint64_t> truth;
    EdgeCounts edges(graph, false);
    for (auto &[path, count] : execute(graph, random, 10, truth))
      edges.add(path, static_cast<uint64_t>(below(random, static_cast<int>(count) + 1)));
    std::vector<uint64_t> least = edges.least_traversals();
    for (int e = 0; e < graph.num_edges(); e++) {
      ck_assert_uint_le(least[e], truth[e]);
      num_taken += graph.edge(e).is_cut() && least[e] > 0;
    }
  }
  ck_assert_int_gt(num_taken, 1000);
}
END_TEST

START_TEST(edges_of_paths_cut_short_are_counted_as_traversed) {
  Random random(1998);
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = graph_with_cuts(i, random);
    ExactRun exact(graph, random, i % 2);
    if (!exact.fits())
      continue;
    std::vector<uint64_t> truth(static_cast<size_t>(graph.num_edges()), 0);
    std::map<DefinedPath, uint64_t> ignored;
    for (int activation = 0; activation < 20; activation++)
      for (int e : exact.run(random_trace(random, graph, 1 + below(random, 60)), ignored))
        truth[e]++;
    check_edge_counts(exact.paths(), true, exact.decoded(), truth, random);
  }
}
END_TEST

// Blocks 4 and 5 each jump back to the loop heads 2 and 3: the estimate says how often which, as far as what
// ends and starts leaves a choice.
START_TEST(shared_cut_edges_are_split_by_the_estimate) {
  FlowGraph graph(6);
  graph.add_edge(kEntryBlock, 2);
  int edge23 = graph.add_edge(2, 3), edge34 = graph.add_edge(3, 4), edge35 = graph.add_edge(3, 5);
  int back[2][2];
  for (int from : {4, 5})
    for (int to : {2, 3})
      back[from - 4][to - 2] = graph.add_edge(from, to);
  graph.add_edge(4, kExitBlock);
  mark_cuts(graph);
  PathGraph paths(graph);
  auto round = [](std::vector<int> blocks, std::vector<int> edges) {
    return Path{PathStart::Loop, PathEnd::BackEdge, std::move(blocks), std::move(edges)};
  };
  Executed executed{
      {round({2, 3, 4}, {edge23, edge34}), 20}, {round({3, 4}, {edge34}), 10}, {round({3, 5}, {edge35}), 10}};
  std::vector<double> estimate(static_cast<size_t>(graph.num_edges()), 1);
  auto counts_are = [&](uint64_t to2_from4, uint64_t to3_from4, uint64_t to2_from5, uint64_t to3_from5) {
    std::vector<uint64_t> counts = traversals(paths, false, executed, estimate);
    ck_assert_uint_eq(counts[back[0][0]], to2_from4);
    ck_assert_uint_eq(counts[back[0][1]], to3_from4);
    ck_assert_uint_eq(counts[back[1][0]], to2_from5);
    ck_assert_uint_eq(counts[back[1][1]], to3_from5);
  };
  counts_are(15, 15, 5, 5);
  estimate[back[0][0]] = 0;
  counts_are(10, 20, 10, 0); // only 20 paths start at head 3
  estimate[back[0][0]] = 9;
  counts_are(20, 10, 0, 10); // 20 paths start at head 2
}
END_TEST

// Sums stay at the largest number.
START_TEST(edge_counts_saturate) {
  FlowGraph graph = flow_graph(3, {{kEntryBlock, 2}, {2, kExitBlock}});
  PathGraph paths(graph);
  Path path = *PathNumbering(paths).regenerate(0);
  Executed executed{{path, UINT64_MAX - 1}, {path, 5}};
  ck_assert(traversals(paths, false, executed, {1, 1}) == (std::vector<uint64_t>{UINT64_MAX, UINT64_MAX}));
}
END_TEST

// GMP has no limit, and the numbering reports if it does not fit.
START_TEST(huge_counts_are_exact) {
  FlowGraph graph = diamonds(500);
  mpz_class expected;
  mpz_ui_pow_ui(expected.get_mpz_t(), 2, 500);
  ck_assert(count_paths(graph) == expected);
  PathGraph paths(graph);
  ck_assert(!PathNumbering(paths).fits());
  ck_assert(!PathNumbering(paths).regenerate(0).has_value());
  ck_assert_int_gt(cut_to_limit(graph, 60000), 0);
  ck_assert(count_paths(graph) <= 60000);
  PathGraph cut(graph);
  ck_assert(PathNumbering(cut).fits());
}
END_TEST

// Cold edges are cut, and hot ones need not be.
START_TEST(cutting_spares_the_hot_path) {
  for (uint64_t limit : {200, 500, 2000}) {
    FlowGraph graph = diamonds(12);
    for (int e = 0; e < graph.num_edges(); e++)
      graph.edge(e).frequency = graph.edge(e).flags & kFalse ? 1 : 1000;
    ck_assert_int_gt(cut_to_limit(graph, limit), 0);
    for (const Edge &edge : graph.edges())
      ck_assert(!(edge.flags & kCut) || edge.frequency == 1);
  }
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Forests of sequences.

using Gram = std::vector<uint64_t>;
using Grams = std::map<Gram, uint64_t>;

// All nodes of a forest by the labels that lead to them.
static Grams nodes_of(const Forest &forest) {
  std::vector<Gram> labels;
  Grams nodes;
  for (const ForestNode &node : forest) {
    Gram gram = node.parent == ForestNode::kNone ? Gram() : labels[node.parent];
    gram.push_back(node.id);
    ck_assert_uint_eq(node.depth, gram.size());
    ck_assert(nodes.emplace(gram, node.count).second);
    labels.push_back(std::move(gram));
  }
  return nodes;
}

// The definition: every window of at most k numbers of every stream.
static Grams grams_of(const std::vector<Gram> &streams, size_t k) {
  Grams grams;
  for (const Gram &stream : streams)
    for (size_t first = 0; first < stream.size(); first++)
      for (size_t n = 1; n <= k && first + n <= stream.size(); n++)
        grams[Gram(stream.begin() + first, stream.begin() + first + n)]++;
  return grams;
}

static Forest slabs_of(const std::vector<Gram> &streams, uint32_t k) {
  SlabBuilder builder(k);
  for (const Gram &stream : streams) {
    builder.begin();
    for (uint64_t id : stream)
      builder.process(id);
  }
  return builder.forest();
}

static Grams golden_nodes(const json &nodes) {
  Grams grams;
  for (auto &[labels, count] : nodes.items()) {
    Gram gram;
    std::istringstream words(labels);
    for (uint64_t id; words >> id;)
      gram.push_back(id);
    grams[gram] = count;
  }
  return grams;
}

// Stores the visited nodes of a k-IPF.
class Collector : public PrefixVisitor {
public:
  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    uint32_t parent = open_.empty() ? ForestNode::kNone : open_.back();
    open_.push_back(static_cast<uint32_t>(forest.size()));
    forest.push_back({parent, static_cast<uint32_t>(open_.size()), id, count});
    return true;
  }
  void leave() override { open_.pop_back(); }

  Forest forest;

private:
  std::vector<uint32_t> open_;
};

static Forest prefix_forest(const Forest &slabs, uint32_t k) {
  Collector collector;
  walk_prefix_forest(slabs, k, collector);
  return std::move(collector.forest);
}

START_TEST(published_forests) {
  json data = golden_file("delia-demetrescu-example.json");
  std::vector<Gram> streams;
  for (const json &item : data["stream"]) {
    if (item == "*")
      streams.emplace_back();
    else
      streams.back().push_back(item);
  }
  uint32_t k = data["k"];
  Forest slabs = slabs_of(streams, k);
  ck_assert_uint_eq(slabs.size(), 23);
  ck_assert(nodes_of(slabs) == golden_nodes(data["k_sf_nodes"]));
  uint64_t sum = 0;
  for (const ForestNode &node : slabs)
    sum += node.count;
  ck_assert_uint_eq(sum, data["stated_in_the_paper"]["sum of all k-SF counters"].get<uint64_t>());
  Grams sequences = nodes_of(prefix_forest(slabs, k));
  ck_assert_uint_eq(sequences.size(), 22);
  ck_assert(sequences == golden_nodes(data["k_ipf_nodes"]));
  Gram roots;
  for (const auto &[gram, count] : sequences)
    if (gram.size() == 1)
      roots.push_back(gram.front());
  ck_assert(roots == data["stated_in_the_paper"]["roots"].get<Gram>());
  ck_assert_uint_eq(sequences[Gram({2, 0, 0, 2})], 3);
  ck_assert_uint_eq(sequences[Gram({0, 0})], 3);
}
END_TEST

// Streams that repeat themselves here and there.
static std::vector<Gram> random_streams(Random &random) {
  std::vector<Gram> streams(static_cast<size_t>(1 + below(random, 5)));
  int num_ids = 1 + below(random, 5);
  for (Gram &stream : streams) {
    size_t length = static_cast<size_t>(below(random, 60));
    while (stream.size() < length) {
      size_t back = static_cast<size_t>(1 + below(random, 4));
      if (below(random, 3) && back <= stream.size())
        stream.push_back(stream[stream.size() - back]);
      else
        stream.push_back(static_cast<uint64_t>(below(random, num_ids)));
    }
  }
  return streams;
}

START_TEST(random_streams_have_the_sequences_of_the_definition) {
  for (unsigned seed = 0; seed < 2000; seed++) {
    Random random(seed);
    std::vector<Gram> streams = random_streams(random);
    uint32_t k = static_cast<uint32_t>(1 + below(random, 8));
    Forest slabs = slabs_of(streams, k);
    for (const ForestNode &node : slabs)
      ck_assert_uint_le(node.depth, slab_depth(k));
    ck_assert(nodes_of(prefix_forest(slabs, k)) == grams_of(streams, k));
    Grams paths;
    for (auto [id, count] : path_counts(slabs))
      paths[{id}] = count;
    ck_assert(paths == grams_of(streams, 1));
  }
}
END_TEST

// Sums of forests are forests of all streams.
START_TEST(conversion_is_linear) {
  for (unsigned seed = 0; seed < 300; seed++) {
    Random random(seed);
    uint32_t k = static_cast<uint32_t>(1 + below(random, 8));
    std::vector<Gram> a = random_streams(random), b = random_streams(random), both = a;
    both.insert(both.end(), b.begin(), b.end());
    Grams sum = nodes_of(slabs_of(a, k));
    for (auto &[gram, count] : nodes_of(slabs_of(b, k)))
      sum[gram] += count;
    ck_assert(sum == nodes_of(slabs_of(both, k)));
  }
}
END_TEST

// The paths of an activation, in the order in which they ended.
static std::vector<DefinedPath> defined_stream(const FlowGraph &graph, const std::vector<int> &trace) {
  std::vector<DefinedPath> stream;
  for (size_t n = 1; n <= trace.size(); n++) {
    std::map<DefinedPath, uint64_t> before, after;
    std::vector<int> start(trace.begin(), trace.begin() + static_cast<ptrdiff_t>(n) - 1);
    std::vector<int> longer(trace.begin(), trace.begin() + static_cast<ptrdiff_t>(n));
    if (n > 1)
      defined_paths(graph, start, before);
    defined_paths(graph, longer, after);
    for (const auto &[path, count] : after)
      for (uint64_t i = before[path]; i < count; i++)
        stream.push_back(path);
  }
  return stream;
}

// A plan for sequences counts the paths of an activation one after the other.
static void check_order(const FlowGraph &graph, Random &random) {
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  if (!numbering.fits())
    return;
  PlacementOptions options;
  options.hoist_counts = false;
  if (below(random, 2))
    options.copied = some_blocks(graph, random);
  Plan plan = plan_with_register_counters(paths, numbering.vals(), {}, 0, options).plan;
  choose(graph, random, plan);
  std::vector<int> trace = random_trace(random, graph);
  Counts counts, before;
  Interpreter interpreter(graph, plan, counts);
  std::vector<DefinedPath> stream;
  auto note = [&] {
    for (auto [id, count] : counts)
      for (uint64_t i = before[id]; i < count; i++)
        stream.push_back(definition_of(*numbering.regenerate(static_cast<uint64_t>(id))));
    before = counts;
  };
  int last = graph.edge(trace.back()).dst;
  for (size_t i = 0; i < trace.size(); i++) {
    interpreter.traverse(trace[i]);
    if (i + 1 == trace.size() && last != kExitBlock && graph.succs(last).empty())
      interpreter.end(last);
    note();
  }
  std::vector<DefinedPath> wanted = defined_stream(graph, trace);
  ck_assert(stream == wanted || (last != kExitBlock && !graph.succs(last).empty() &&
                                 stream.size() == wanted.size() + 1)); // chosen before a branch
}

// An interpreter: three operations, of which one has a branch, jump from one block.
START_TEST(jumps_that_are_copied_count_nothing) {
  FlowGraph graph(8);
  const int jump = 3, way_there = 2, operations[] = {4, 5, 6};
  graph.add_edge(kEntryBlock, way_there, 0, 1);
  graph.add_edge(way_there, jump, 0, 1000);
  for (int operation : operations)
    graph.add_edge(jump, operation, kAbnormal, 333);
  graph.add_edge(4, way_there, 0, 333);
  graph.add_edge(5, 7, 0, 100);
  graph.add_edge(5, way_there, 0, 233);
  graph.add_edge(7, way_there, 0, 100);
  graph.add_edge(6, way_there, 0, 332);
  graph.add_edge(6, kExitBlock, 0, 1);
  mark_cuts(graph);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  PlacementOptions options;
  options.hoist_counts = false;
  auto is_busy = [&] {
    Plan plan = plan_with_register_counters(paths, numbering.vals(), {}, 0, options).plan;
    return !plan.before_end[jump].empty() || !plan.at_start[jump].empty() ||
           !plan.on_edge[graph.preds(jump).front()].empty();
  };
  ck_assert(is_busy());
  options.copied.assign(static_cast<size_t>(graph.num_blocks()), 0);
  options.copied[jump] = options.copied[way_there] = 1;
  ck_assert(!is_busy());
}
END_TEST

START_TEST(random_plans_count_in_order) {
  for (unsigned seed = 0; seed < kGraphs / 4; seed++) {
    Random random(seed);
    FlowGraph graph = random_graph(random);
    mark_cuts(graph);
    check_order(graph, random);
  }
}
END_TEST

int main() {
  return run_suite(
      "core", {{"figures",
                {figure_6_numbering, figures_7_and_9_placement, one_loop_has_four_kinds_of_paths,
                 jumps_that_are_copied_count_nothing}},
               {"random graphs",
                {random_graphs_are_numbered_as_defined, random_plans_count_as_defined, random_plans_measure_whole_paths,
                 random_loops_count_in_registers, random_plans_count_what_is_cut_short, wrong_prefixes_are_refused,
                 random_graphs_cut_to_a_limit, edges_are_counted_as_traversed,
                 edges_of_paths_cut_short_are_counted_as_traversed, least_counts_of_edges_hold_if_paths_are_lost},
                300},
               {"forests",
                {published_forests, random_streams_have_the_sequences_of_the_definition, conversion_is_linear,
                 random_plans_count_in_order},
                300},
               {"edge counts", {shared_cut_edges_are_split_by_the_estimate, edge_counts_saturate}},
               {"limits", {huge_counts_are_exact, cutting_spares_the_hot_path}},
               context_tests()});
}
