// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/analysis/unexecuted.h and path_filter.h: against all paths of random graphs, and on graphs that
// have too many to look at.
#include <algorithm>
#include <set>
#include <vector>

#include "core/models/model.h"
#include "core/analysis/path_filter.h"
#include "core/analysis/unexecuted.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

using Executed = std::vector<std::pair<uint64_t, uint64_t>>;

std::set<int> decisions(const PathGraph &graph, const PathNumbering &numbering, uint64_t id) {
  std::set<int> made;
  for (int e : numbering.walk_of(id))
    if (graph.succs(graph.edge(e).src).size() > 1)
      made.insert(e);
  return made;
}

// The nearest executed path of one that did not run.
UnexecutedPath look(const PathGraph &graph, const PathNumbering &numbering, const Executed &executed, uint64_t id) {
  UnexecutedPath best;
  std::set<int> wanted = decisions(graph, numbering, id);
  for (auto [nearest, count] : executed) {
    std::set<int> made = decisions(graph, numbering, nearest);
    auto distance =
        static_cast<uint32_t>(std::count_if(wanted.begin(), wanted.end(), [&](int e) { return made.count(e) == 0; }));
    if (best.distance == 0 || distance < best.distance || (distance == best.distance && count > best.count))
      best = {id, nearest, count, distance};
  }
  return best;
}

std::vector<UnexecutedPath> look_at_all(const PathGraph &graph, const PathNumbering &numbering,
                                        const Executed &executed) {
  std::set<uint64_t> ran;
  for (auto [id, count] : executed)
    ran.insert(id);
  std::vector<UnexecutedPath> all;
  for (uint64_t id = 0; id < numbering.num_paths(); id++)
    if (ran.count(id) == 0)
      all.push_back(look(graph, numbering, executed, id));
  std::sort(all.begin(), all.end());
  return all;
}

void check_equal(const std::vector<UnexecutedPath> &found, const std::vector<UnexecutedPath> &all, size_t limit) {
  ck_assert_uint_eq(found.size(), std::min(limit, all.size()));
  for (size_t i = 0; i < found.size(); i++) {
    ck_assert_uint_eq(found[i].id, all[i].id);
    ck_assert_uint_eq(found[i].nearest, all[i].nearest);
    ck_assert_uint_eq(found[i].count, all[i].count);
    ck_assert_uint_eq(found[i].distance, all[i].distance);
  }
}

Executed some_paths(Random &random, uint64_t num_paths) {
  int share = 1 + below(random, 100);
  Executed executed;
  for (uint64_t id = 0; id < num_paths; id++)
    if (below(random, 100) < share)
      executed.emplace_back(id, 1 + below(random, 5));
  return executed;
}

PathModel model_number(int index, const FlowGraph &graph) {
  PathModel model;
  if (index % 2 == 0)
    return model;
  model.mode = Mode::KIter;
  model.k = 2;
  for (int block = 2; block < graph.num_blocks(); block++)
    model.loops.push_back({block, 2});
  return model;
}

START_TEST(test_random_graphs) {
  Random random(20);
  for (int index = 0; index < 600; index++) {
    FlowGraph flow = graph_number(index, random);
    PathGraph graph = path_graph_of(flow, model_number(index, flow));
    PathNumbering numbering(graph);
    if (!numbering.fits() || numbering.num_paths() > 400)
      continue;
    Executed executed = some_paths(random, numbering.num_paths());
    if (executed.empty())
      continue;
    std::vector<UnexecutedPath> all = look_at_all(graph, numbering, executed);
    for (size_t limit : {size_t{1}, size_t{3}, all.size() + 1}) {
      uint64_t effort = UINT64_MAX;
      UnexecutedPaths found = nearest_unexecuted(graph, numbering, executed, limit, effort);
      ck_assert(found.is_complete);
      check_equal(found.paths, all, limit);
    }
  }
}
END_TEST

// Of a path through 60 branches 60 neighbours differ in one, and 1770 in two.
START_TEST(test_many_paths) {
  FlowGraph flow = diamonds(60);
  PathGraph graph(flow);
  PathNumbering numbering(graph);
  ck_assert_uint_eq(numbering.num_paths(), uint64_t{1} << 60);
  uint64_t effort = 10000000, before = effort;
  UnexecutedPaths found = nearest_unexecuted(graph, numbering, {{12345, 7}}, 1000, effort);
  ck_assert(found.is_complete);
  ck_assert_uint_eq(found.paths.size(), 1000);
  ck_assert_uint_eq(found.paths[59].distance, 1);
  ck_assert_uint_eq(found.paths[60].distance, 2);
  ck_assert_uint_lt(before - effort, 500000);
  std::set<uint64_t> numbers;
  for (const UnexecutedPath &path : found.paths) {
    ck_assert_uint_eq(path.nearest, 12345);
    ck_assert_uint_eq(path.distance, look(graph, numbering, {{12345, 7}}, path.id).distance);
    numbers.insert(path.id);
  }
  ck_assert_uint_eq(numbers.size(), 1000);
}
END_TEST

START_TEST(test_effort) {
  FlowGraph flow = diamonds(60);
  PathGraph graph(flow);
  PathNumbering numbering(graph);
  uint64_t effort = 100000;
  UnexecutedPaths found = nearest_unexecuted(graph, numbering, {{0, 1}}, SIZE_MAX, effort);
  ck_assert(!found.is_complete);
  ck_assert_uint_eq(effort, 0);
  ck_assert_uint_ge(found.paths.size(), 60);
}
END_TEST

START_TEST(test_nothing_ran_or_everything) {
  FlowGraph flow = diamonds(2);
  PathGraph graph(flow);
  PathNumbering numbering(graph);
  uint64_t effort = 1000;
  ck_assert(nearest_unexecuted(graph, numbering, {}, 5, effort).paths.empty());
  UnexecutedPaths none = nearest_unexecuted(graph, numbering, {{0, 1}, {1, 1}, {2, 1}, {3, 1}}, 5, effort);
  ck_assert(none.is_complete && none.paths.empty());
}
END_TEST

std::vector<char> some_of(Random &random, int n) {
  std::vector<char> excluded(static_cast<size_t>(n));
  for (int i = 2; i < n; i++)
    excluded[static_cast<size_t>(i)] = below(random, 5) == 0;
  return excluded;
}

// The number of paths that a filter accepts, against a look at each path.
START_TEST(test_filters) {
  Random random(21);
  int num_checked = 0;
  for (int index = 0; index < 900; index++) {
    FlowGraph flow = graph_number(index, random);
    PathGraph graph = path_graph_of(flow, model_number(index, flow));
    PathNumbering numbering(graph);
    if (!numbering.fits() || numbering.num_paths() > 400)
      continue;
    ck_assert_uint_eq(PathFilter(flow, std::vector<char>(static_cast<size_t>(flow.num_blocks())),
                                 std::vector<char>(static_cast<size_t>(flow.num_edges())))
                          .num_paths(graph),
                      numbering.num_paths());
    PathFilter filter(flow, some_of(random, flow.num_blocks()), some_of(random, flow.num_edges()));
    uint64_t num_accepted = 0;
    for (uint64_t id = 0; id < numbering.num_paths(); id++)
      num_accepted += !filter.excludes(*numbering.regenerate(id));
    ck_assert_uint_eq(filter.num_paths(graph), num_accepted);
    num_checked++;
  }
  ck_assert_int_gt(num_checked, 400);
}
END_TEST

} // namespace

int main() {
  return run_suite("unexecuted",
                   {{"paths that never ran",
                     {test_random_graphs, test_many_paths, test_effort, test_nothing_ran_or_everything, test_filters},
                     120}});
}
