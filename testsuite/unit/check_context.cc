// SPDX-License-Identifier: GPL-3.0-or-later
// Intraprocedural context paths: a worked example, and random graphs against the definition.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/models/intracontext.h"
#include "core/numbering/cut.h"
#include "core/analysis/edge_counts.h"
#include "core/graph/irreducible.h"
#include "core/graph/loop.h"
#include "core/models/model.h"
#include "core/numbering/numbering.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/plan/if_conversion.h"
#include "core/plan/register_counters.h"
#include "testsuite/unit/check_context.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/graphs.h"
#include "testsuite/unit/oracle_context.h"

#include <check.h> // last: it defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

static constexpr int kGraphs = 12000;
static constexpr size_t kEnumerable = 3000;

static PathModel context_model(const FlowGraph &graph) {
  PathModel model;
  model.mode = Mode::IntraContext;
  model.loops = context_loops(graph);
  return model;
}

static ContextPath context_path_of(const Path &path) {
  ck_assert_uint_eq(path.context_blocks, path.contexts.empty() ? 0 : path.contexts.back());
  ck_assert_uint_eq(path.context_edges, path.context_blocks);
  return {path.blocks.front(), path.edges, path.contexts, path.end != PathEnd::Exit};
}

static std::set<int> heads_of(const PathModel &model) {
  std::set<int> heads;
  for (const LoopIterations &loop : model.loops)
    heads.insert(loop.head);
  return heads;
}

// Melski and Reps, Figure 18, with a branch before the loop: what led to it is told apart in every iteration.
START_TEST(a_loop_knows_how_it_was_entered) {
  FlowGraph graph = flow_graph(7, {{kEntryBlock, 2},
                                   {2, 3, kTrue},
                                   {2, 4, kFalse},
                                   {3, 5},
                                   {4, 5},
                                   {5, 6, kTrue},
                                   {5, kExitBlock, kFalse},
                                   {6, 5}});
  PathModel model = context_model(graph);
  ck_assert(heads_of(model) == std::set<int>{5});
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  // Two ways in, the first iteration or a later one, round or out.
  ck_assert_uint_eq(numbering.num_paths(), 8);
  std::set<std::vector<int>> later;
  for (uint64_t id = 0; id < 8; id++) {
    Path path = *numbering.regenerate(id);
    ck_assert(path.start == PathStart::Entry);
    ck_assert_int_eq(path.begins_activation(), path.contexts.empty());
    if (!path.contexts.empty()) {
      ck_assert_uint_eq(path.context_blocks, 3);
      later.insert(path.blocks);
    }
  }
  ck_assert(later == (std::set<std::vector<int>>{{0, 2, 3, 5, 6}, {0, 2, 4, 5, 6}, {0, 2, 3, 5, 1}, {0, 2, 4, 5, 1}}));
}
END_TEST

// Of an inner loop's context it is known in which iteration of the outer loop it began.
START_TEST(contexts_nest) {
  FlowGraph graph(5);
  graph.add_edge(kEntryBlock, 2);
  int in = graph.add_edge(2, 3);
  graph.add_edge(3, 3, kTrue);
  graph.add_edge(3, 4, kFalse);
  graph.add_edge(4, 2, kTrue);
  graph.add_edge(4, kExitBlock, kFalse);
  mark_cuts(graph);
  PathModel model = context_model(graph);
  ck_assert(heads_of(model) == (std::set<int>{2, 3}));
  PathGraph paths = path_graph_of(graph, model);
  PathNumbering numbering(paths);
  std::map<std::vector<size_t>, int> by_contexts;
  for (uint64_t id = 0; id < numbering.num_paths(); id++) {
    Path path = *numbering.regenerate(id);
    ck_assert_int_eq(path.edges[1], in);
    by_contexts[path.contexts]++;
  }
  // Round the inner loop, round the outer one, or out.
  ck_assert(by_contexts == (std::map<std::vector<size_t>, int>{{{}, 3}, {{1}, 3}, {{2}, 3}, {{1, 2}, 3}}));
}
END_TEST

// Control enters the loop of 3 and 4 at both.
START_TEST(irreducible_loops_have_no_context) {
  FlowGraph graph = flow_graph(5, {{kEntryBlock, 2}, {2, 3}, {2, 4}, {3, 4}, {4, 3}, {4, kExitBlock}});
  PathModel model = context_model(graph);
  ck_assert(model.loops.empty());
  model.loops = {{2, 1}, {3, 1}, {4, 1}, {77, 1}}; // as a damaged profile might say
  ck_assert_uint_eq(PathNumbering(path_graph_of(graph, model)).num_paths(),
                    PathNumbering(PathGraph(graph)).num_paths());
}
END_TEST

static FlowGraph cut_graph_number(int index, Random &random) {
  FlowGraph graph = graph_number(index, random);
  if (index % 5 == 0)
    cut_to_limit(graph, 1 + static_cast<uint64_t>(below(random, 30)));
  return graph;
}

// Some graphs, their models and the definition.  Some of the loops give up their context.
struct Case {
  FlowGraph graph;
  PathModel model;
  DefinedLoops loops;

  Case(int index, Random &random) : graph(cut_graph_number(index, random)), model(context_model(graph)), loops(graph) {
    ck_assert(heads_of(model) == loops.heads());
    if (index % 4 == 0)
      model.loops.erase(std::remove_if(model.loops.begin(), model.loops.end(),
                                       [&](const LoopIterations &) { return below(random, 2) == 0; }),
                        model.loops.end());
    loops.keep(heads_of(model));
  }
};

START_TEST(contexts_are_numbered_as_defined) {
  Random random(1998);
  int with_context = 0, nested = 0;
  for (int i = 0; i < kGraphs; i++) {
    Case one(i, random);
    std::set<ContextPath> defined = all_context_paths(one.graph, one.loops, kEnumerable);
    if (defined.size() > kEnumerable)
      continue;
    PathGraph paths = path_graph_of(one.graph, one.model);
    ck_assert(paths.is_acyclic());
    ck_assert(count_paths(paths) == static_cast<unsigned long>(defined.size()));
    PathNumbering numbering(paths);
    std::set<ContextPath> decoded;
    for (uint64_t id = 0; id < numbering.num_paths(); id++)
      decoded.insert(context_path_of(*numbering.regenerate(id)));
    ck_assert(decoded == defined);
    for (const ContextPath &path : defined) {
      with_context += !path.contexts.empty();
      nested += path.contexts.size() > 1;
    }
  }
  ck_assert_int_gt(with_context, kGraphs);
  ck_assert_int_gt(nested, kGraphs / 10);
}
END_TEST

// What a plan does on edges that are parallel in the graph must not depend on which came first, and choices before
// branches change nothing.
static Plan plan_of(const FlowGraph &graph, const PathGraph &paths, const PathNumbering &numbering, int index,
                    Random &random) {
  PlacementOptions options;
  options.try_policies = index % 3 == 0;
  options.hoist_counts = index % 2;
  Plan plan = plan_with_register_counters(paths, numbering.vals(), {}, 0, options).plan;
  if (below(random, 2))
    choose_before_branches(graph, find_if_conversions(graph), plan);
  return plan;
}

using Executed = std::vector<std::pair<Path, uint64_t>>;

static Executed decoded(const PathNumbering &numbering, const Counts &counts) {
  Executed executed;
  for (auto &[id, count] : counts) {
    ck_assert_int_ge(id, 0);
    std::optional<Path> path = numbering.regenerate(static_cast<uint64_t>(id));
    ck_assert(path.has_value());
    executed.emplace_back(*path, count);
  }
  return executed;
}

static std::vector<uint64_t> traversals(const FlowGraph &graph, const Executed &executed) {
  EdgeCounts counts(graph, false);
  for (const auto &[path, count] : executed)
    counts.add(path, count);
  return counts.traversals(std::vector<double>(static_cast<size_t>(graph.num_edges()), 1));
}

START_TEST(contexts_are_counted_as_defined) {
  Random random(718);
  uint64_t with_context = 0;
  for (int i = 0; i < 2 * kGraphs; i++) {
    Case one(i, random);
    const FlowGraph &graph = one.graph;
    PathGraph paths = path_graph_of(graph, one.model), acyclic(graph);
    PathNumbering numbering(paths), without(acyclic);
    if (!numbering.fits())
      continue;
    Plan plan = plan_of(graph, paths, numbering, i, random);
    Plan acyclic_plan = plan_of(graph, acyclic, without, i, random);
    std::map<ContextPath, uint64_t> expected, actual;
    std::map<DefinedPath, uint64_t> suffixes, acyclic_paths;
    Counts counts, acyclic_counts;
    for (int activation = 0; activation < 6; activation++) {
      std::vector<int> trace = random_trace(random, graph, 100);
      int last = graph.edge(trace.back()).dst;
      if (last != kExitBlock && !graph.succs(last).empty())
        continue;
      defined_context_paths(graph, one.loops, trace, expected);
      defined_paths(graph, trace, acyclic_paths);
      interpret(graph, plan, trace, counts);
      interpret(graph, acyclic_plan, trace, acyclic_counts);
    }
    Executed executed = decoded(numbering, counts);
    for (auto &[path, count] : executed) {
      ContextPath as_defined = context_path_of(path);
      actual[as_defined] += count;
      suffixes[as_defined.suffix(graph)] += count;
      with_context += path.context_blocks ? count : 0;
    }
    ck_assert(actual == expected);
    ck_assert(suffixes == acyclic_paths);
    ck_assert(traversals(graph, executed) == traversals(graph, decoded(without, acyclic_counts)));
  }
  ck_assert_uint_gt(with_context, kGraphs);
}
END_TEST

// Context is given up until the paths are few enough, no more than need be, and not where edges must be cut anyway.
START_TEST(contexts_are_limited) {
  Random random(60000);
  int limited = 0, some_left = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = cut_graph_number(i, random);
    PathModel model = context_model(graph), all = model;
    mpz_class limit = 1 + below(random, 100), acyclic = count_paths(graph);
    mpz_class before = count_paths(path_graph_of(graph, model));
    model.loops = loops_within(graph, model.loops, limit);
    mpz_class after = count_paths(path_graph_of(graph, model));
    if (before <= limit) {
      ck_assert(model == all);
      continue;
    }
    if (acyclic > limit) {
      ck_assert(model.loops.empty());
      continue;
    }
    limited++;
    some_left += !model.loops.empty();
    ck_assert(after <= limit);
    for (const LoopIterations &loop : all.loops) {
      PathModel more = model;
      if (heads_of(model).count(loop.head))
        continue;
      more.loops.push_back(loop);
      std::sort(more.loops.begin(), more.loops.end(),
                [](const LoopIterations &a, const LoopIterations &b) { return a.head < b.head; });
      ck_assert(count_paths(path_graph_of(graph, more)) > limit);
    }
  }
  ck_assert_int_gt(limited, 100);
  ck_assert_int_gt(some_left, 30);
}
END_TEST

// Numbers of walks in a path graph, to a node and from it.
struct WalkCounts {
  std::vector<mpz_class> to, from; // by node

  explicit WalkCounts(const PathGraph &paths)
      : to(static_cast<size_t>(paths.num_nodes())), from(static_cast<size_t>(paths.num_nodes())) {
    const std::vector<int> &order = paths.reverse_topological();
    from[kExitBlock] = 1;
    for (int node : order)
      for (int e : paths.succs(node))
        from[static_cast<size_t>(node)] += from[static_cast<size_t>(paths.edge(e).dst)];
    to[kEntryBlock] = 1;
    for (auto node = order.rbegin(); node != order.rend(); ++node)
      for (int e : paths.succs(*node))
        to[static_cast<size_t>(paths.edge(e).dst)] += to[static_cast<size_t>(*node)];
  }
};

static double repetitions(const FlowGraph &graph, int head) {
  double frequency = 0;
  for (const Loop &loop : natural_loops(graph))
    if (loop.head() == head)
      for (int e : loop.back_edges)
        frequency += graph.edge(e).frequency;
  return frequency;
}

// Returns the index of the loop whose context adds the most paths relative to the frequency of its back edges, counted
// in the path graph.
static size_t costliest_by_definition(const FlowGraph &graph, const std::vector<LoopIterations> &loops) {
  WalkCounts walks(context_graph(graph, loops));
  size_t costliest = 0;
  mpf_class highest = -1;
  for (size_t i = 0; i < loops.size(); i++) {
    size_t head = static_cast<size_t>(loops[i].head);
    const mpz_class &paths_in = walks.to[static_cast<size_t>(graph.num_blocks()) + i];
    bool starts_anyway = walks.to[head] > 2 * paths_in;
    mpz_class paths = (paths_in - (starts_anyway ? 0 : 1)) * walks.from[head];
    mpf_class each = mpf_class(paths) / (repetitions(graph, loops[i].head) + 1e-9);
    if (each > highest) {
      highest = each;
      costliest = i;
    }
  }
  return costliest;
}

// Returns the loops that keep their context, with a path graph of its own for each step.
static std::vector<LoopIterations> loops_within_by_definition(const FlowGraph &graph, std::vector<LoopIterations> kept,
                                                              const mpz_class &limit) {
  std::vector<LoopIterations> without;
  while (count_paths(context_graph(graph, kept)) > limit) {
    if (kept.empty())
      return {};
    auto costliest = kept.begin() + static_cast<std::ptrdiff_t>(costliest_by_definition(graph, kept));
    without.push_back(*costliest);
    kept.erase(costliest);
  }
  std::stable_sort(without.begin(), without.end(), [&](const LoopIterations &a, const LoopIterations &b) {
    return repetitions(graph, a.head) > repetitions(graph, b.head);
  });
  for (const LoopIterations &loop : without) {
    std::vector<LoopIterations> more = kept;
    more.insert(std::upper_bound(more.begin(), more.end(), loop,
                                 [](const LoopIterations &a, const LoopIterations &b) { return a.head < b.head; }),
                loop);
    if (count_paths(context_graph(graph, more)) <= limit)
      kept = more;
  }
  return kept;
}

START_TEST(the_loops_are_those_of_the_definition) {
  Random random(7182);
  int limited = 0;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = cut_graph_number(i, random);
    std::vector<LoopIterations> loops = context_loops(graph);
    mpz_class limit = 1 + below(random, 100);
    std::vector<LoopIterations> expected = loops_within_by_definition(graph, loops, limit);
    ck_assert(loops_within(graph, loops, limit) == expected);
    limited += expected.size() < loops.size();
  }
  ck_assert_int_gt(limited, 200);
}
END_TEST

// Regression 25: a path graph of its own for each loop that loses its context would take an hour.
START_TEST(time_is_not_quadratic_in_the_number_of_loops) {
  constexpr int kLoops = 20000;
  FlowGraph graph(kLoops + 2);
  for (int block = 2; block < kLoops + 2; block++) {
    int before = block == 2 ? kEntryBlock : block - 1;
    graph.add_edge(before, block, before % 4 == 3 ? unsigned{kCut} : 0, 1);
    graph.add_edge(block, block, kBack, 1 + block % 7);
  }
  graph.add_edge(kLoops + 1, kExitBlock, 0, 1);
  mark_cuts(graph);
  std::vector<LoopIterations> all = context_loops(graph);
  ck_assert_uint_gt(all.size(), kLoops / 2);
  mpz_class limit = (count_paths(graph) + count_paths(context_graph(graph, all))) / 2;
  std::vector<LoopIterations> kept = loops_within(graph, all, limit);
  ck_assert(!kept.empty() && kept.size() < all.size());
  ck_assert(count_paths(context_graph(graph, kept)) <= limit);
}
END_TEST

// Returns the graph after the split.  The copies are numbered after the original blocks.  The out-edges of the copies
// are numbered after the original edges, in the order of the copies.
static FlowGraph apply_split(const FlowGraph &graph, const Split &split) {
  std::vector<int> copy_of(graph.num_blocks(), -1);
  int num_blocks = graph.num_blocks();
  for (int block : split.blocks)
    copy_of[block] = num_blocks++;
  FlowGraph after(num_blocks);
  for (int e = 0; e < graph.num_edges(); e++) {
    const Edge &edge = graph.edge(e);
    bool enters = std::find(split.entries.begin(), split.entries.end(), e) != split.entries.end();
    after.add_edge(edge.src, enters ? copy_of[edge.dst] : edge.dst, edge.flags, edge.frequency);
  }
  for (int block : split.blocks)
    for (int e : graph.succs(block)) {
      const Edge &edge = graph.edge(e);
      after.add_edge(copy_of[block], copy_of[edge.dst] >= 0 ? copy_of[edge.dst] : edge.dst, edge.flags, edge.frequency);
    }
  return after;
}

// The graph with copies, and the block that each block is or is a copy of.
struct Reducible {
  FlowGraph graph;
  std::vector<int> block_of;
  int splits = 0;

  explicit Reducible(const FlowGraph &original) : graph(original) {
    for (int block = 0; block < graph.num_blocks(); block++)
      block_of.push_back(block);
    constexpr int endless = 100;
    while (std::optional<Split> split = find_split(graph, std::vector<int>(block_of.size(), 1))) {
      ck_assert_int_lt(++splits, endless);
      for (int block : split->blocks)
        block_of.push_back(block_of[static_cast<size_t>(block)]);
      graph = apply_split(graph, *split);
    }
  }
};

// Every copy goes on like the block that it is of, and all back edges are natural loops'.
START_TEST(splitting_makes_graphs_reducible) {
  Random random(1986);
  int split = 0;
  RandomGraphOptions options;
  options.dead_code = false;
  for (int i = 0; i < kGraphs; i++) {
    FlowGraph graph = random_graph(random, options);
    Reducible reducible(graph);
    split += reducible.splits > 0;
    auto original = [&](int block) { return reducible.block_of[static_cast<size_t>(block)]; };
    for (int block = 0; block < reducible.graph.num_blocks(); block++) {
      std::vector<int> expected, actual;
      for (int e : graph.succs(original(block)))
        expected.push_back(graph.edge(e).dst);
      for (int e : reducible.graph.succs(block))
        actual.push_back(original(reducible.graph.edge(e).dst));
      ck_assert(actual == expected);
    }
    mark_cuts(reducible.graph);
    std::vector<char> reachable = reachable_blocks(reducible.graph);
    std::set<int> natural;
    for (const Loop &loop : natural_loops(reducible.graph))
      natural.insert(loop.back_edges.begin(), loop.back_edges.end());
    bool all_live = true; // dead code can lead into loops
    for (int block = 2; block < reducible.graph.num_blocks(); block++)
      all_live = all_live && (reachable[block] || reducible.graph.succs(block).empty());
    for (int e = 0; e < reducible.graph.num_edges(); e++)
      if (all_live && (reducible.graph.edge(e).flags & kBack))
        ck_assert(natural.count(e) == 1);
  }
  ck_assert_int_gt(split, kGraphs / 50);
}
END_TEST

TestCase context_tests() {
  return {"context",
          {a_loop_knows_how_it_was_entered, contexts_nest, irreducible_loops_have_no_context,
           contexts_are_numbered_as_defined, contexts_are_counted_as_defined, contexts_are_limited,
           the_loops_are_those_of_the_definition, time_is_not_quadratic_in_the_number_of_loops,
           splitting_makes_graphs_reducible},
          300};
}
