// SPDX-License-Identifier: GPL-3.0-or-later
// Unit tests of prime paths: all of random graphs by the definition, their occurrences in random traces by looking at
// every position, against what is counted in the forests that these traces make.
#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/analysis/prime_paths.h"
#include "core/models/model.h"
#include "testsuite/unit/definition.h"
#include "testsuite/unit/graphs.h"

#include "testsuite/unit/suite.h" // last: check.h defines a macro named fail

using namespace pathprof;
using namespace pathprof::testing;

namespace {

// ---- the definition ----

using Blocks = std::vector<int>;

bool is_real(int block) {
  return block != kEntryBlock && block != kExitBlock;
}

std::set<std::pair<int, int>> edges_of(const FlowGraph &flow) {
  std::vector<char> reachable = reachable_blocks(flow);
  std::set<std::pair<int, int>> edges;
  for (const Edge &edge : flow.edges())
    if (reachable[edge.src] && is_real(edge.src) && is_real(edge.dst) && !(edge.flags & kAbnormal))
      edges.insert({edge.src, edge.dst});
  return edges;
}

// All simple paths from the last block of one on.
void add_simple_paths(const std::set<std::pair<int, int>> &edges, Blocks &path, std::set<Blocks> &all) {
  all.insert(path);
  for (auto [src, dst] : edges) {
    if (src != path.back() || (path.size() > 1 && path.back() == path.front()))
      continue;
    bool closes = dst == path.front();
    if (!closes && std::find(path.begin(), path.end(), dst) != path.end())
      continue;
    path.push_back(dst);
    add_simple_paths(edges, path, all);
    path.pop_back();
  }
}

// Simple paths that are in no other one.
std::set<Blocks> defined_prime_paths(const FlowGraph &flow) {
  std::set<std::pair<int, int>> edges = edges_of(flow);
  std::vector<char> reachable = reachable_blocks(flow);
  std::set<Blocks> simple, prime;
  for (int block = 2; block < flow.num_blocks(); block++) {
    Blocks path = {block};
    if (reachable[block])
      add_simple_paths(edges, path, simple);
  }
  std::set<Blocks> contained; // a part that is one block shorter is enough: it is simple, too
  for (const Blocks &path : simple)
    if (path.size() > 1) {
      contained.insert({path.begin(), path.end() - 1});
      contained.insert({path.begin() + 1, path.end()});
    }
  auto is_entered_or_left = [&](int block) {
    return std::any_of(flow.edges().begin(), flow.edges().end(), [&](const Edge &e) {
      bool is_its = (e.src == kEntryBlock && e.dst == block) || (e.src == block && e.dst == kExitBlock);
      return is_its && !(e.flags & kAbnormal);
    });
  };
  for (const Blocks &path : simple)
    if (!contained.count(path) && (path.size() > 1 || is_entered_or_left(path.front())))
      prime.insert(path);
  return prime;
}

// Occurrences of blocks one behind the other, none over an abnormal edge.
using Counts = std::map<Blocks, uint64_t>;

void scan(const FlowGraph &flow, const std::vector<int> &trace, const std::set<Blocks> &prime, Counts &counts) {
  std::vector<Blocks> runs(1);
  for (int e : trace) {
    const Edge &edge = flow.edge(e);
    if (edge.flags & kAbnormal)
      runs.emplace_back();
    if (is_real(edge.dst))
      runs.back().push_back(edge.dst);
  }
  for (const Blocks &run : runs)
    for (const Blocks &path : prime)
      for (size_t at = 0; at + path.size() <= run.size(); at++)
        if (std::equal(path.begin(), path.end(), run.begin() + static_cast<ptrdiff_t>(at)))
          counts[path]++;
}

// ---- what is counted ----

// Of activations that end, the numbers of their paths one behind the other, as the counting code emits them.
class Streams {
public:
  Streams(const FlowGraph &flow, uint32_t k) : flow_(flow), builder_(k) {}

  void add(const std::vector<int> &trace) {
    builder_.begin();
    DefinedPath path;
    int block = kEntryBlock;
    for (int e : trace) {
      const Edge &edge = flow_.edge(e);
      block = edge.dst;
      if (!edge.is_cut()) {
        path.edges.push_back(e);
        continue;
      }
      path.cut_off = true;
      if (end_is_countable(flow_, e))
        builder_.process(number(path));
      path = {edge.dst, {}};
    }
    path.cut_off = block != kExitBlock;
    if (block == kExitBlock || flow_.succs(block).empty())
      builder_.process(number(path));
  }

  const Forest &forest() const { return builder_.forest(); }

  Path path_of(uint64_t number) const {
    const DefinedPath &defined = paths_.at(number);
    Path path;
    path.blocks = {defined.first};
    path.edges = defined.edges;
    for (int e : defined.edges)
      path.blocks.push_back(flow_.edge(e).dst);
    return path;
  }

private:
  uint64_t number(const DefinedPath &path) {
    auto [at, is_new] = numbers_.try_emplace(path, numbers_.size());
    if (is_new)
      paths_[at->second] = path;
    return at->second;
  }

  const FlowGraph &flow_;
  SlabBuilder builder_;
  std::map<DefinedPath, uint64_t> numbers_;
  std::map<uint64_t, DefinedPath> paths_;
};

// What the compiler does not make: parallel edges of which one is cut, and blocks where abnormal edges and others that
// are cut arrive, which it splits.
bool is_ambiguous(const FlowGraph &flow) {
  for (const Edge &one : flow.edges())
    for (const Edge &other : flow.edges())
      if (one.dst == other.dst && one.is_cut() && one.flags != other.flags &&
          (one.src == other.src || (one.flags ^ other.flags) & kAbnormal) &&
          (!other.is_cut() ? one.src == other.src : true))
        return true;
  return false;
}

// An activation that ends, and in which no abnormal edge cuts a path short.
bool is_counted(const FlowGraph &flow, const std::vector<int> &trace) {
  int last = flow.edge(trace.back()).dst;
  return (last == kExitBlock || flow.succs(last).empty()) &&
         std::all_of(trace.begin(), trace.end(), [&](int e) { return end_is_countable(flow, e); });
}

FlowGraph some_graph(int index, Random &random) {
  RandomGraphOptions options;
  options.abnormal_percent = index % 3 == 0 ? 30 : 0;
  options.max_blocks = 3 + index % 7;
  FlowGraph graph = random_graph(random, options);
  if (index % 5 == 0)
    for (int e = 0; e < graph.num_edges(); e++)
      if (below(random, 5) == 0 && is_real(graph.edge(e).src) && is_real(graph.edge(e).dst))
        graph.edge(e).flags |= kCut;
  mark_cuts(graph);
  return graph;
}

void check_counts(const FlowGraph &flow, const std::set<Blocks> &prime, const Counts &scanned, const Streams &streams,
                  uint32_t k) {
  PrimeGraph graph(flow);
  PrimeCounts counted =
      count_prime_paths(graph, streams.forest(), k, [&](uint64_t number) { return streams.path_of(number); });
  for (const auto &[path, count] : counted)
    ck_assert_msg(prime.count(path), "a path of %zu blocks is not prime", path.size());
  for (const auto &[path, count] : scanned) {
    auto at = counted.find(path);
    uint64_t found = at == counted.end() ? 0 : at->second;
    ck_assert_uint_eq(found, graph.needed_paths(path) <= k ? count : 0);
  }
  for (const auto &[path, count] : counted)
    ck_assert_msg(scanned.count(path), "a path was counted that did not run");
}

START_TEST(counts_are_those_of_the_trace) {
  Random random(13);
  int looked_at = 0, with_cuts = 0;
  for (int index = 0; index < 2000; index++) {
    FlowGraph flow = some_graph(index, random);
    if (is_ambiguous(flow))
      continue;
    std::set<Blocks> prime = defined_prime_paths(flow);
    uint32_t enough = paths_for_prime_paths(flow);
    std::vector<std::vector<int>> traces;
    for (int i = 0; i < 6; i++) {
      std::vector<int> trace = random_trace(random, flow, 60);
      if (is_counted(flow, trace))
        traces.push_back(trace);
    }
    Counts scanned;
    for (const std::vector<int> &trace : traces)
      scan(flow, trace, prime, scanned);
    for (uint32_t k : {1u, 2u, 3u, enough}) {
      Streams streams(flow, k);
      for (const std::vector<int> &trace : traces)
        streams.add(trace);
      check_counts(flow, prime, scanned, streams, k);
    }
    looked_at++;
    with_cuts += enough > 2;
  }
  ck_assert_int_gt(looked_at, 900);
  ck_assert_int_gt(with_cuts, 100);
}
END_TEST

// k=auto: enough for every prime path.
START_TEST(enough_paths_are_chosen) {
  Random random(14);
  for (int index = 0; index < 1500; index++) {
    FlowGraph flow = some_graph(index, random);
    PrimeGraph graph(flow);
    uint32_t enough = paths_for_prime_paths(flow);
    for (const Blocks &path : defined_prime_paths(flow)) {
      ck_assert_uint_le(graph.num_cuts(path) + 1, enough);
      ck_assert_uint_le(graph.needed_paths(path), enough);
    }
  }
}
END_TEST

START_TEST(totals_are_those_of_the_definition) {
  Random random(15);
  for (int index = 0; index < 1500; index++) {
    FlowGraph flow = some_graph(index, random);
    PrimeGraph graph(flow);
    std::set<Blocks> prime = defined_prime_paths(flow);
    for (uint32_t k : {1u, 2u, 3u, 64u}) {
      uint64_t effort = UINT64_MAX;
      PrimeTotal total = count_all_prime_paths(graph, k, effort);
      ck_assert(total.is_exact);
      ck_assert_uint_eq(total.all.get_ui(), prime.size());
      auto shown = static_cast<size_t>(
          std::count_if(prime.begin(), prime.end(), [&](const Blocks &path) { return graph.needed_paths(path) <= k; }));
      ck_assert_uint_eq(total.measured.get_ui(), shown);
    }
    uint64_t little = static_cast<uint64_t>(below(random, 20));
    PrimeTotal least = count_all_prime_paths(graph, 64, little);
    ck_assert(least.is_exact || little == 0);
    ck_assert_uint_le(least.all.get_ui(), prime.size());
  }
}
END_TEST

// ---- what did not run ----

uint32_t distance_between(const FlowGraph &flow, const Blocks &path, const Blocks &executed) {
  uint32_t distance = 0;
  for (size_t i = 1; i < path.size(); i++) {
    bool is_made = false;
    for (size_t j = 1; j < executed.size(); j++)
      is_made |= executed[j - 1] == path[i - 1] && executed[j] == path[i];
    distance += flow.succs(path[i - 1]).size() > 1 && !is_made;
  }
  return distance;
}

// Returns true if control that executes the nearest path and then the rest of the missing path executes the missing
// path.
bool continues_nearest(const FlowGraph &flow, const MissingPrimePath &missing, size_t end) {
  Blocks blocks = missing.nearest;
  blocks.insert(blocks.end(), missing.path.begin() + static_cast<ptrdiff_t>(end) + 1, missing.path.end());
  std::set<std::pair<int, int>> edges = edges_of(flow);
  for (size_t i = 1; i < blocks.size(); i++)
    if (!edges.count({blocks[i - 1], blocks[i]}))
      return false;
  return std::search(blocks.begin(), blocks.end(), missing.path.begin(), missing.path.end()) != blocks.end();
}

START_TEST(nearest_missing_ones_are_found) {
  Random random(16);
  int num_continued = 0, num_other = 0;
  for (int index = 0; index < 700; index++) {
    FlowGraph flow = some_graph(index, random);
    PrimeGraph graph(flow);
    std::set<Blocks> prime = defined_prime_paths(flow);
    PrimeCounts executed;
    for (const Blocks &path : prime)
      if (below(random, 4) == 0)
        executed[path] = static_cast<uint64_t>(1 + below(random, 4));
    std::vector<MissingPrimePath> all;
    for (const Blocks &path : prime) {
      if (executed.count(path) || executed.empty())
        continue;
      MissingPrimePath best{path, {}, 0, UINT32_MAX};
      for (const auto &[other, count] : executed) {
        uint32_t distance = distance_between(flow, path, other);
        if (distance < best.distance || (distance == best.distance && count > best.count))
          best = {path, other, count, distance};
      }
      all.push_back(best);
    }
    std::sort(all.begin(), all.end());
    for (size_t limit : {size_t{1}, size_t{3}, all.size() + 1}) {
      uint64_t effort = UINT64_MAX;
      MissingPrimePaths found = nearest_missing(graph, executed, 64, limit, effort);
      ck_assert(found.is_complete);
      ck_assert_uint_eq(found.paths.size(), std::min(limit, all.size()));
      for (size_t i = 0; i < found.paths.size(); i++) {
        ck_assert(found.paths[i].path == all[i].path);
        ck_assert(found.paths[i].nearest == all[i].nearest);
        ck_assert_uint_eq(found.paths[i].count, all[i].count);
        ck_assert_uint_eq(found.paths[i].distance, all[i].distance);
        if (found.paths[i].distance > 0)
          continue;
        size_t end = end_of_nearest(found.paths[i]);
        ck_assert(end == 0 || continues_nearest(flow, found.paths[i], end));
        const Blocks &nearest = all[i].nearest;
        bool starts_inside = std::find(nearest.begin(), nearest.end() - 1, all[i].path.front()) != nearest.end() - 1;
        ck_assert_int_eq(end > 0, starts_inside);
        (end > 0 ? num_continued : num_other)++;
      }
    }
  }
  ck_assert_int_gt(num_continued, 100);
  ck_assert_int_gt(num_other, 50);
}
END_TEST

// ---- known graphs ----

// Loops in one another, `depth` of them: blocks 2, 3, ... are their heads, each of which the next one's leaves for.
FlowGraph nested_loops(int depth) {
  std::vector<Edge> edges = {{kEntryBlock, 2}, {2, kExitBlock}};
  for (int i = 0; i < depth; i++)
    edges.insert(edges.end(), {{2 + i, 3 + i}, {3 + i, 2 + i}});
  return flow_graph(3 + depth, edges);
}

START_TEST(depth_is_that_of_loops) {
  ck_assert_uint_eq(paths_for_prime_paths(flow_graph(4, {{0, 2}, {2, 3}, {3, 1}})), 1);
  ck_assert_uint_eq(paths_for_prime_paths(nested_loops(1)), 2);
  ck_assert_uint_eq(paths_for_prime_paths(nested_loops(5)), 6);
  ck_assert_uint_eq(paths_for_prime_paths(nested_loops(100)), kMaxIterations);
  // Ten loops one behind the other, and in a loop.
  std::vector<Edge> edges = {{0, 2}};
  for (int i = 2; i < 12; i++)
    edges.insert(edges.end(), {{i, i}, {i, i + 1}});
  edges.push_back({12, 1});
  ck_assert_uint_eq(paths_for_prime_paths(flow_graph(13, edges)), 2);
  edges.push_back({12, 2});
  ck_assert_uint_eq(paths_for_prime_paths(flow_graph(13, edges)), 3);
}
END_TEST

// Without loops prime paths are all paths: 2^60 of sixty branches, in no time.
START_TEST(many_are_counted_without_looking_at_them) {
  FlowGraph flow = diamonds(60);
  uint64_t effort = 10000;
  PrimeTotal total = count_all_prime_paths(PrimeGraph(flow), 2, effort);
  ck_assert(total.is_exact);
  ck_assert(total.all == mpz_class(1) << 60);
  ck_assert(total.measured == total.all);
  flow.add_edge(182, 2);
  mark_cuts(flow);
  effort = 10000;
  total = count_all_prime_paths(PrimeGraph(flow), 2, effort);
  ck_assert(!total.is_exact);
  ck_assert_uint_eq(effort, 0);
}
END_TEST

} // namespace

int main() {
  return run_suite("prime paths",
                   {{"prime paths",
                     {counts_are_those_of_the_trace, enough_paths_are_chosen, totals_are_those_of_the_definition,
                      nearest_missing_ones_are_found, depth_is_that_of_loops, many_are_counted_without_looking_at_them},
                     300}});
}
