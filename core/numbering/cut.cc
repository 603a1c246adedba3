// SPDX-License-Identifier: GPL-3.0-or-later
// Marks the truncation points that make a flow graph acyclic, and counts the resulting paths.
#include "core/numbering/cut.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "core/numbering/saturate.h"

namespace pathprof {

// Marks the back edges that a depth-first search finds.  The search ignores abnormal edges.  It starts at ENTRY, and is
// then restarted at each block that has not been visited yet.
static void mark_back_edges(FlowGraph &graph) {
  enum : char { New, Open, Done };
  std::vector<char> state(graph.num_blocks(), New);
  std::vector<std::pair<int, size_t>> stack;
  for (int root = 0; root < graph.num_blocks(); root++) {
    if (state[root] != New)
      continue;
    state[root] = Open;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == graph.succs(block).size()) {
        state[block] = Done;
        stack.pop_back();
        continue;
      }
      Edge &edge = graph.edge(graph.succs(block)[next++]);
      if (edge.flags & kAbnormal)
        continue;
      if (state[edge.dst] == Open)
        edge.flags |= kBack;
      else if (state[edge.dst] == New) {
        state[edge.dst] = Open;
        stack.push_back({edge.dst, 0});
      }
    }
  }
}

void mark_cuts(FlowGraph &graph) {
  mark_back_edges(graph);
  for (int block = 0; block < graph.num_blocks(); block++) {
    if (!graph.has_pred_with(block, kAbnormal))
      continue;
    for (int e : graph.preds(block))
      if (!graph.edge(e).is_cut())
        graph.edge(e).flags |= kCut;
  }
}

mpz_class count_paths(const PathGraph &paths) {
  std::vector<mpz_class> count(paths.num_nodes());
  count[kExitBlock] = 1;
  for (int node : paths.reverse_topological())
    for (int e : paths.succs(node))
      count[node] += count[paths.edge(e).dst];
  return count[kEntryBlock];
}

mpz_class count_paths(const FlowGraph &graph) {
  return count_paths(PathGraph(graph));
}

namespace {

// Tries to select truncation points such that no block has more than `threshold` paths to EXIT.
class ThresholdCut {
public:
  ThresholdCut(const FlowGraph &graph, const PathGraph &uncut, const std::vector<char> &spared)
      : graph_(graph), order_(uncut.reverse_topological()), spared_(spared) {}

  // Returns the edges to truncate.  Only edges with a frequency of at most `ceiling` are considered.  Sets `total` to
  // the resulting number of paths, saturated at 2^63.
  std::vector<int> run(uint64_t threshold, double ceiling, uint64_t &total) {
    ceiling_ = ceiling;
    cuts_.clear();
    count_.assign(graph_.num_blocks(), 0);
    starts_.assign(graph_.num_blocks(), 0);
    count_[kExitBlock] = 1;
    for (int block : order_)
      if (block != kExitBlock)
        visit(block, block == kEntryBlock ? UINT64_MAX : threshold);
    total = count_[kEntryBlock];
    for (int block = 0; block < graph_.num_blocks(); block++)
      if (starts_[block] || arrives_by_cut(block))
        total = add(total, count_[block]);
    return cuts_;
  }

private:
  static constexpr uint64_t kSaturated = uint64_t{1} << 63;

  static uint64_t add(uint64_t a, uint64_t b) { return saturating_sum(a, b, kSaturated); }

  bool arrives_by_cut(int block) const { return count_[block] != 0 && graph_.has_pred_with(block, kCutMask); }

  void visit(int block, uint64_t threshold) {
    std::vector<int> open; // candidates for truncation; not edges to EXIT, where the path ends anyway
    bool ends = graph_.succs(block).empty();
    uint64_t fixed = 0;
    for (int e : graph_.succs(block)) {
      if (graph_.edge(e).is_cut())
        ends = true;
      else if (graph_.edge(e).dst == kExitBlock || graph_.edge(e).frequency > ceiling_ || is_spared(e))
        fixed = add(fixed, count_[graph_.edge(e).dst]);
      else
        open.push_back(e);
    }
    std::stable_sort(open.begin(), open.end(), [&](int a, int b) { return saving(a) < saving(b); });
    for (;;) {
      uint64_t sum = add(fixed, ends ? 1 : 0);
      for (int e : open)
        sum = add(sum, count_[graph_.edge(e).dst]);
      if (sum <= threshold || open.empty()) {
        count_[block] = sum;
        return;
      }
      cut(open.back());
      open.pop_back();
      ends = true;
    }
  }

  bool is_spared(int e) const { return !spared_.empty() && spared_[static_cast<size_t>(e)]; }

  // Returns the benefit of truncating the edge: the number of paths saved at the edge's source, divided by the
  // frequency of the edge.
  double saving(int e) const {
    const Edge &edge = graph_.edge(e);
    return static_cast<double>(count_[edge.dst]) / (std::max(edge.frequency, 0.0) + 1e-9);
  }

  void cut(int e) {
    cuts_.push_back(e);
    starts_[graph_.edge(e).dst] = 1;
  }

  const FlowGraph &graph_;
  const std::vector<int> &order_;
  const std::vector<char> &spared_;
  double ceiling_ = 0;
  std::vector<uint64_t> count_;
  std::vector<char> starts_;
  std::vector<int> cuts_;
};

// Returns the frequency limits to try, in decreasing order.  Edges with a frequency above the limit are not truncated.
// The limits are infinity and values just below the frequencies at fixed quantiles.
std::vector<double> ceilings(const FlowGraph &graph) {
  std::vector<double> frequencies;
  for (const Edge &edge : graph.edges())
    frequencies.push_back(edge.frequency);
  std::sort(frequencies.begin(), frequencies.end(), std::greater<>());
  std::vector<double> chosen{std::numeric_limits<double>::infinity()};
  for (double share : {0.02, 0.05, 0.1, 0.2, 0.35, 0.5}) {
    double frequency = frequencies[static_cast<size_t>(share * static_cast<double>(frequencies.size()))];
    if (frequency < chosen.back())
      chosen.push_back(std::nextafter(frequency, 0.0));
  }
  return chosen;
}

} // namespace

int cut_to_limit(FlowGraph &graph, uint64_t limit, const std::vector<char> &spared) {
  PathGraph uncut(graph);
  ThresholdCut attempt(graph, uncut, spared);
  uint64_t total = 0;
  constexpr double everything = std::numeric_limits<double>::infinity();
  if (attempt.run(UINT64_MAX, everything, total).empty() && total <= limit)
    return 0;

  std::vector<int> best;
  double lost = 0;
  bool found = false;
  for (double ceiling : ceilings(graph))
    for (uint64_t threshold = limit;; threshold -= std::max(threshold / 8, uint64_t{1})) {
      std::vector<int> cuts = attempt.run(threshold, ceiling, total);
      double frequency = frequency_of(graph, cuts); // executions that are truncated
      if (total <= limit && (!found || frequency < lost)) {
        found = true;
        best = std::move(cuts);
        lost = frequency;
      }
      if (threshold == 0)
        break;
    }
  if (!found)
    return -1;
  for (int e : best)
    graph.edge(e).flags |= kCut;
  return static_cast<int>(best.size());
}

} // namespace pathprof
