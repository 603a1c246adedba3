// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of core/numbering/preferential.h: the paper's figures, and random graphs with random sets of interesting
// paths against a literal reading of Figure 10 and against the definition of paths.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/numbering/cut.h"
#include "core/plan/placement.h"
#include "core/plan/plan.h"
#include "core/numbering/preferential.h"
#include "core/plan/if_conversion.h"
#include "core/plan/register_counters.h"
#include "core/numbering/wrap.h"
#include "testsuite/unit/counted_loop_trace.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/golden.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;
using nlohmann::json;

// ---------------------------------------------------------------------------------------------------
// The figures of Vaswani, Nori and Chilimbi, POPL 2007.

// A graph by its edges, "ab" from a to b, in the order in which they are numbered; s is ENTRY and t EXIT.
struct Figure {
  std::map<char, int> block{{'s', kEntryBlock}, {'t', kExitBlock}};
  FlowGraph graph;
  PathGraph paths;
  PathNumbering numbering;

  explicit Figure(const std::vector<std::string> &edges)
      : graph(graph_of(edges)), paths(ordered(graph)), numbering(paths) {}

  // The number of the path with these blocks.
  uint64_t id(const std::string &spelled) const {
    uint64_t sum = 0;
    for (size_t i = 0; i + 1 < spelled.size(); i++)
      sum += static_cast<uint64_t>(numbering.val(edge(spelled[i], spelled[i + 1])));
    return sum;
  }

  int edge(char src, char dst) const {
    for (int e : paths.succs(block.at(src)))
      if (paths.edge(e).dst == block.at(dst))
        return e;
    ck_abort_msg("no such edge");
    return -1;
  }

  std::vector<uint64_t> ids(const json &spelled) const {
    std::vector<uint64_t> all;
    for (const json &path : spelled)
      all.push_back(id(path.get<std::string>()));
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  FlowGraph graph_of(const std::vector<std::string> &edges) {
    int next = 2;
    for (const std::string &edge : edges)
      for (char name : edge)
        if (!block.count(name))
          block[name] = next++;
    FlowGraph result(next);
    for (const std::string &edge : edges)
      result.add_edge(block[edge[0]], block[edge[1]]);
    mark_cuts(result);
    return result;
  }

  // As the figures have them, not by numbers of paths.
  static PathGraph ordered(const FlowGraph &graph) {
    PathGraph paths(graph);
    for (int node = 0; node < paths.num_nodes(); node++)
      paths.keep_order(node);
    return paths;
  }
};

static json golden() {
  return golden_file("preferential-figure-3.json");
}

// The printed Ball-Larus numbers have a→c before a→b.
static Figure figure_3(const json &data) {
  std::vector<std::string> edges;
  for (char src : std::string("sabcd"))
    for (const json &dst : data["successors"][std::string(1, src)])
      edges.push_back(src + dst.get<std::string>());
  std::swap(*std::find(edges.begin(), edges.end(), "ab"), *std::find(edges.begin(), edges.end(), "ac"));
  return Figure(edges);
}

START_TEST(figure_3_numbers) {
  json data = golden();
  Figure figure = figure_3(data);
  ck_assert_uint_eq(figure.numbering.num_paths(), data["num_paths"].get<unsigned>());
  for (auto &[path, id] : data["ball_larus_ids"].items())
    ck_assert_uint_eq(figure.id(path), id.get<unsigned>());
  std::vector<uint64_t> interesting = figure.ids(data["interesting"]);
  PreferentialNumbering compact(figure.paths, figure.numbering, interesting);
  for (auto &[edge, weight] : data["preferential_weights"].items())
    ck_assert_int_eq(compact.val(figure.edge(edge.front(), edge.back())), weight.get<int>());
  for (auto &[path, id] : data["preferential_ids"].items()) {
    auto at = std::find(interesting.begin(), interesting.end(), figure.id(path));
    ck_assert_uint_eq(compact.number_of(static_cast<size_t>(at - interesting.begin())), id.get<unsigned>());
  }
  ck_assert_uint_eq(compact.size(), 3);
  ck_assert(compact.delta() == 1);
}
END_TEST

static uint64_t sum_of(const std::vector<int64_t> &vals, const std::vector<int> &walk) {
  int64_t sum = 0;
  for (int e : walk)
    sum = wrapped_sum(sum, vals[static_cast<size_t>(e)]);
  return static_cast<uint64_t>(sum);
}

// The aliases of Figure 3 have an interesting path's number, and another Ball-Larus number.
START_TEST(figure_3_aliases) {
  json data = golden();
  Figure figure = figure_3(data);
  PreferentialCounters counters(figure.paths, figure.numbering, figure.ids(data["interesting"]), 100);
  for (auto &[path, other] : data["aliases"].items()) {
    std::vector<int> walk = figure.numbering.walk_of(figure.id(path));
    std::string interesting = other.get<std::string>();
    interesting.resize(interesting.find(' '));
    ck_assert_uint_eq(sum_of(counters.compact().vals(), walk), data["preferential_ids"][interesting].get<unsigned>());
    uint64_t sum = sum_of(counters.vals(), walk);
    ck_assert(!counters.slot_of(sum).has_value());
    ck_assert_uint_eq(counters.id_of(sum), figure.id(path));
  }
}
END_TEST

static void check_detection(const Figure &figure, const std::vector<uint64_t> &interesting,
                            const PreferentialCounters &counters) {
  std::set<uint64_t> slots;
  for (uint64_t id = 0; id < figure.numbering.num_paths(); id++) {
    std::optional<uint64_t> slot = counters.slot_of(sum_of(counters.vals(), figure.numbering.walk_of(id)));
    bool is_interesting = std::binary_search(interesting.begin(), interesting.end(), id);
    ck_assert(slot.has_value() == is_interesting);
    ck_assert(!slot || (slots.insert(*slot).second && counters.path_in(*slot) == id));
  }
}

// Figure 5 (Lemma 2): no numbers separate interesting paths from the others; the Ball-Larus number does.
START_TEST(no_separating_numbers) {
  Figure figure({"sa", "sb", "ac", "bc", "cd", "ce", "dt", "et"});
  std::vector<uint64_t> interesting =
      figure.ids(golden()["counterexamples"]["no_separating_assignment"]["interesting"]);
  PreferentialCounters counters(figure.paths, figure.numbering, interesting, 100);
  uint64_t largest = 0, smallest_other = UINT64_MAX;
  for (uint64_t id = 0; id < 4; id++) {
    uint64_t number = sum_of(counters.compact().vals(), figure.numbering.walk_of(id));
    if (std::binary_search(interesting.begin(), interesting.end(), id))
      largest = std::max(largest, number);
    else
      smallest_other = std::min(smallest_other, number);
  }
  ck_assert_uint_le(smallest_other, largest);
  check_detection(figure, interesting, counters);
}
END_TEST

// Figure 6 (Lemma 3): no numbers are without holes.
START_TEST(no_perfect_numbers) {
  Figure figure({"sa", "sb", "sc", "ad", "bd", "cd", "de", "df", "dg", "et", "ft", "gt"});
  std::vector<uint64_t> interesting = figure.ids(golden()["counterexamples"]["no_perfect_assignment"]["interesting"]);
  ck_assert_uint_eq(interesting.size(), 6);
  PreferentialCounters counters(figure.paths, figure.numbering, interesting, 100);
  ck_assert(counters.compact().delta() > 1);
  ck_assert_uint_le(counters.compact().size(), 9);
  check_detection(figure, interesting, counters);
}
END_TEST

// ---------------------------------------------------------------------------------------------------
// Random graphs.

static constexpr int kGraphs = 6000;
static constexpr size_t kEnumerable = 3000;

static std::vector<uint64_t> random_paths(Random &random, uint64_t num_paths) {
  std::vector<uint64_t> interesting;
  int percent = below(random, 5) * 25;
  for (uint64_t id = 0; id < num_paths; id++)
    if (below(random, 100) < percent)
      interesting.push_back(id);
  return interesting;
}

// Figure 10 as it is printed, with prefixes as sequences of edges.
static std::vector<int64_t> figure_10(const PathGraph &paths, const PathNumbering &numbering,
                                      const std::vector<uint64_t> &interesting) {
  std::vector<std::vector<int>> walks;
  for (uint64_t id : interesting)
    walks.push_back(numbering.walk_of(id));
  std::vector<int64_t> pid(walks.size(), 0), weights(static_cast<size_t>(paths.num_edges()), 0);
  std::map<std::vector<int>, int64_t> cis;
  auto prefix = [&](size_t p, int e) {
    auto at = std::find(walks[p].begin(), walks[p].end(), e);
    return std::vector<int>(walks[p].begin(), at);
  };
  auto is_on = [&](size_t p, int e) { return std::find(walks[p].begin(), walks[p].end(), e) != walks[p].end(); };
  for (int node : paths.reverse_topological()) {
    std::vector<int> edges = paths.succs(node);
    std::stable_sort(edges.begin(), edges.end(), [&](int a, int b) { return numbering.val(a) < numbering.val(b); });
    for (int e : edges) {
      std::map<std::vector<int>, std::vector<size_t>> by_prefix;
      for (size_t p = 0; p < walks.size(); p++)
        if (is_on(p, e))
          by_prefix[prefix(p, e)].push_back(p);
      bool is_known = false;
      for (auto &[q, through] : by_prefix) {
        int64_t min = INT64_MAX;
        for (size_t p : through)
          min = std::min(min, pid[p]);
        int64_t weight = cis[q] - min;
        if (!is_known || weights[static_cast<size_t>(e)] < weight)
          weights[static_cast<size_t>(e)] = weight;
        is_known = true;
      }
      for (auto &[q, through] : by_prefix) {
        int64_t max = 0;
        for (size_t p : through)
          max = std::max(max, pid[p] += weights[static_cast<size_t>(e)]);
        cis[q] = max + 1;
      }
    }
  }
  return weights;
}

static void check_numbers(const PathGraph &paths, const PathNumbering &numbering,
                          const std::vector<uint64_t> &interesting) {
  PreferentialNumbering compact(paths, numbering, interesting);
  std::set<uint64_t> numbers;
  for (size_t i = 0; i < interesting.size(); i++) {
    uint64_t number = sum_of(compact.vals(), numbering.walk_of(interesting[i]));
    ck_assert_uint_eq(number, compact.number_of(i));
    ck_assert_uint_lt(number, compact.size());
    ck_assert(numbers.insert(number).second);
  }
  ck_assert_uint_le(compact.size(), numbering.num_paths());
  ck_assert(interesting.empty() ? compact.size() == 0 : numbers.count(0) && numbers.count(compact.size() - 1));
  if (interesting.size() == numbering.num_paths())
    ck_assert(compact.vals() == numbering.vals());
  if (interesting.size() > 150)
    return; // the literal reading takes its time
  std::vector<int64_t> literal = figure_10(paths, numbering, interesting);
  uint64_t size = 0;
  for (uint64_t id : interesting)
    size = std::max(size, sum_of(literal, numbering.walk_of(id)) + 1);
  ck_assert_uint_le(compact.size(), size);
  if (compact.size() == size)
    ck_assert(compact.vals() == literal);
}

START_TEST(random_interesting_paths_have_numbers) {
  for (unsigned seed = 0; seed < kGraphs; seed++) {
    Random random(seed);
    FlowGraph graph = graph_number(static_cast<int>(seed), random);
    if (count_paths(graph) > kEnumerable)
      continue;
    PathGraph paths(graph);
    PathNumbering numbering(paths);
    check_numbers(paths, numbering, random_paths(random, numbering.num_paths()));
  }
}
END_TEST

struct Seen {
  uint64_t in_slots = 0, residual = 0;
};

// Every execution is counted once, in the slot of its path if that is interesting, else as residual under its
// Ball-Larus number: as many as the definition says.
static Seen check_counts(const FlowGraph &graph, const PathGraph &paths, const PathNumbering &numbering,
                         const std::vector<uint64_t> &interesting, Random &random) {
  uint64_t max_slots = below(random, 3) ? UINT64_MAX : static_cast<uint64_t>(below(random, 6));
  PreferentialCounters counters(paths, numbering, interesting, max_slots);
  std::vector<Loop> candidates;
  if (below(random, 2))
    candidates = natural_loops(graph);
  RegisterCounterPlan planned =
      plan_with_register_counters(paths, counters.vals(), candidates, 4, {true, below(random, 2) == 0});
  choose_before_branches(planned.peeled.graph, find_if_conversions(planned.peeled.graph), planned.plan);
  std::map<DefinedPath, uint64_t> expected, actual;
  Counts counts;
  for (int activation = 0; activation < 6; activation++) {
    std::vector<int> trace = random_trace(random, graph, 100);
    int last = graph.edge(trace.back()).dst;
    if (last != kExitBlock && !graph.succs(last).empty())
      continue;
    defined_paths(graph, trace, expected);
    interpret(planned.peeled.graph, planned.plan, follow(planned.peeled, trace), counts);
  }
  Seen seen;
  for (auto &[sum, count] : counts) {
    if (!count)
      continue;
    std::optional<uint64_t> slot = counters.slot_of(static_cast<uint64_t>(sum));
    uint64_t id = slot ? *counters.path_in(*slot) : counters.id_of(static_cast<uint64_t>(sum));
    bool is_interesting = std::binary_search(interesting.begin(), interesting.end(), id);
    ck_assert(!slot || is_interesting);
    ck_assert(slot || !is_interesting || !counters.has_all());
    ck_assert(numbering.regenerate(id).has_value());
    actual[definition_of(*numbering.regenerate(id))] += count;
    (slot ? seen.in_slots : seen.residual) += count;
  }
  ck_assert(actual == expected);
  return seen;
}

START_TEST(random_plans_count_interesting_and_residual_paths) {
  Seen all;
  for (unsigned seed = 0; seed < kGraphs; seed++) {
    Random random(seed);
    FlowGraph graph = graph_number(static_cast<int>(seed), random);
    PathGraph paths(graph);
    PathNumbering numbering(paths);
    if (numbering.num_paths() > kEnumerable)
      continue;
    Seen seen = check_counts(graph, paths, numbering, random_paths(random, numbering.num_paths()), random);
    all.in_slots += seen.in_slots;
    all.residual += seen.residual;
  }
  ck_assert_uint_gt(all.in_slots, 1000);
  ck_assert_uint_gt(all.residual, 1000);
}
END_TEST

// Of 2^61 paths; the register has room for few slots then, and what has none is residual.
START_TEST(huge_numbers_stay_apart) {
  Random random(1);
  FlowGraph graph = diamonds(61);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  ck_assert(numbering.fits());
  std::set<uint64_t> ids;
  while (ids.size() < 200)
    ids.insert(random() % numbering.num_paths());
  std::vector<uint64_t> interesting(ids.begin(), ids.end());
  PreferentialCounters counters(paths, numbering, interesting, 6000);
  ck_assert_uint_le(counters.num_slots(), 4);
  ck_assert(!counters.has_all());
  Increments increments = chord_increments(paths, maximum_spanning_tree(paths), counters.vals());
  Plan plan = place(paths, maximum_spanning_tree(paths), increments.of_edge);
  Counts counts;
  std::map<uint64_t, uint64_t> expected, actual;
  for (int i = 0; i < 200; i++) {
    uint64_t id =
        below(random, 2) ? interesting[static_cast<size_t>(below(random, 200))] : random() % numbering.num_paths();
    expected[id]++;
    interpret(graph, plan, numbering.regenerate(id)->edges, counts);
  }
  for (auto &[sum, count] : counts) {
    std::optional<uint64_t> slot = counters.slot_of(static_cast<uint64_t>(sum));
    actual[slot ? *counters.path_in(*slot) : counters.id_of(static_cast<uint64_t>(sum))] += count;
  }
  ck_assert(actual == expected);
}
END_TEST

// Of 2^20 paths a few that have little in common: far fewer numbers than all paths would need.
START_TEST(numbers_are_compact) {
  Random random(2);
  FlowGraph graph = diamonds(20);
  PathGraph paths(graph);
  PathNumbering numbering(paths);
  std::set<uint64_t> ids;
  while (ids.size() < 30)
    ids.insert(random() % numbering.num_paths());
  PreferentialNumbering compact(paths, numbering, {ids.begin(), ids.end()});
  ck_assert_uint_lt(compact.size(), 1000);
}
END_TEST

int main() {
  return run_suite("preferential",
                   {{"figures", {figure_3_numbers, figure_3_aliases, no_separating_numbers, no_perfect_numbers}},
                    {"random graphs",
                     {random_interesting_paths_have_numbers, random_plans_count_interesting_and_residual_paths,
                      huge_numbers_stay_apart, numbers_are_compact},
                     300}});
}
