// SPDX-License-Identifier: GPL-3.0-or-later
// Computes compact numbers for the interesting paths of a function.
#include "core/numbering/preferential.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/numbering/wrap.h"

namespace pathprof {

namespace {

// An interesting path that contains a given edge.  The path's prefix before the edge is identified by the sum of its
// Ball-Larus edge values.
struct Passing {
  size_t path;     // index of the interesting path
  uint64_t prefix; // sum of vals before the edge
};

enum class Order { ByVal, ByValDown, FewestFirst, MostFirst };

// Result of the algorithm in Figure 10 for one order of processing the edges.
class Assignment {
public:
  Assignment(const PathGraph &paths, const PathNumbering &numbering, const std::vector<std::vector<Passing>> &on_edge,
             size_t num_interesting, Order order)
      : paths_(paths), numbering_(numbering), on_edge_(on_edge), order_(order),
        vals(static_cast<size_t>(paths.num_edges()), 0), numbers(num_interesting, 0) {
    for (int node : paths.reverse_topological())
      process(node);
    for (uint64_t number : numbers)
      size = std::max(size, number + 1);
  }

private:
  const PathGraph &paths_;
  const PathNumbering &numbering_;
  const std::vector<std::vector<Passing>> &on_edge_;
  Order order_;

public:
  std::vector<int64_t> vals;     // W in Figure 10 of the paper
  std::vector<uint64_t> numbers; // pid in Figure 10 of the paper
  uint64_t size = 0;

private:
  const std::vector<Passing> &on(int e) const { return on_edge_[static_cast<size_t>(e)]; }

  std::vector<int> ordered_edges(int node) const {
    std::vector<int> edges;
    for (int e : paths_.succs(node))
      if (!on(e).empty())
        edges.push_back(e);
    std::stable_sort(edges.begin(), edges.end(), [&](int a, int b) { return numbering_.val(a) < numbering_.val(b); });
    if (order_ == Order::ByValDown)
      std::reverse(edges.begin(), edges.end());
    if (order_ == Order::FewestFirst)
      std::stable_sort(edges.begin(), edges.end(), [&](int a, int b) { return on(a).size() < on(b).size(); });
    if (order_ == Order::MostFirst)
      std::stable_sort(edges.begin(), edges.end(), [&](int a, int b) { return on(a).size() > on(b).size(); });
    return edges;
  }

  // Processes a node.  On entry, `numbers` contains, for each interesting path through `node`, the number of the path's
  // suffix that starts at the successor of `node`.  On return, it contains the number of the suffix that starts at
  // `node`.
  void process(int node) {
    std::unordered_map<uint64_t, uint64_t> end; // end of the last interval of each prefix (cis in Figure 10)
    for (int e : ordered_edges(node)) {
      std::unordered_map<uint64_t, uint64_t> begin; // smallest number of each prefix (min in Figure 10)
      for (const Passing &passing : on(e)) {
        auto [known, is_new] = begin.emplace(passing.prefix, numbers[passing.path]);
        if (!is_new)
          known->second = std::min(known->second, numbers[passing.path]);
      }
      // Implements the procedure Join in Figure 10.  For each prefix, the new interval must not overlap the earlier
      // intervals.
      int64_t val = INT64_MIN;
      for (auto [prefix, least] : begin)
        val = std::max(val, static_cast<int64_t>(end[prefix]) - static_cast<int64_t>(least));
      vals[static_cast<size_t>(e)] = val;
      for (const Passing &passing : on(e)) {
        numbers[passing.path] += static_cast<uint64_t>(val);
        uint64_t &last = end[passing.prefix];
        last = std::max(last, numbers[passing.path] + 1);
      }
    }
  }
};

constexpr size_t kTooManyToTry = 4096;

std::vector<std::vector<Passing>> passings(const PathGraph &paths, const PathNumbering &numbering,
                                           const std::vector<uint64_t> &interesting) {
  std::vector<std::vector<Passing>> on_edge(static_cast<size_t>(paths.num_edges()));
  for (size_t path = 0; path < interesting.size(); path++) {
    uint64_t sum = 0;
    for (int e : numbering.walk_of(interesting[path])) {
      on_edge[static_cast<size_t>(e)].push_back({path, sum});
      sum += static_cast<uint64_t>(numbering.val(e));
    }
  }
  return on_edge;
}

} // namespace

bool can_be_compact(const PathGraph &paths, const PathNumbering &numbering, const std::vector<uint64_t> &interesting) {
  constexpr size_t kMost = size_t{1} << 24;
  size_t most_on_path = static_cast<size_t>(std::min(paths.num_edges(), paths.num_nodes()));
  if (interesting.size() <= kMost / (most_on_path + 1))
    return true;
  size_t edges = 0;
  for (uint64_t id : interesting) {
    edges += numbering.walk_of(id).size();
    if (edges > kMost)
      return false;
  }
  return true;
}

PreferentialNumbering::PreferentialNumbering(const PathGraph &paths, const PathNumbering &numbering,
                                             const std::vector<uint64_t> &interesting) {
  std::vector<std::vector<Passing>> on_edge = passings(paths, numbering, interesting);
  for (Order order : {Order::ByVal, Order::ByValDown, Order::FewestFirst, Order::MostFirst}) {
    Assignment assignment(paths, numbering, on_edge, interesting.size(), order);
    if (order != Order::ByVal && assignment.size >= size_)
      continue;
    vals_ = std::move(assignment.vals);
    numbers_ = std::move(assignment.numbers);
    size_ = assignment.size;
    if (size_ == interesting.size() || interesting.size() > kTooManyToTry)
      break;
  }
}

double PreferentialNumbering::delta() const {
  return numbers_.empty() ? 0 : static_cast<double>(size_) / static_cast<double>(numbers_.size());
}

// Implementation of PreferentialCounters.

static unsigned bits_for(uint64_t num_paths) {
  unsigned bits = 1;
  while (bits < 62 && num_paths >> bits)
    bits++;
  return bits;
}

PreferentialCounters::PreferentialCounters(const PathGraph &paths, const PathNumbering &numbering,
                                           const std::vector<uint64_t> &interesting, uint64_t max_slots)
    : compact_(paths, numbering, interesting), num_paths_(numbering.num_paths()), shift_(bits_for(num_paths_)) {
  for (int e = 0; e < paths.num_edges(); e++)
    vals_.push_back(wrapped_sum(wrapped_product(compact_.val(e), int64_t{1} << shift_), numbering.val(e)));
  keys_.resize(std::min({compact_.size(), max_slots, uint64_t{1} << (64 - shift_)}));
  for (uint64_t slot = 0; slot < keys_.size(); slot++)
    keys_[slot] = (slot ^ 1) << shift_;
  for (size_t path = 0; path < interesting.size(); path++)
    if (compact_.number_of(path) < keys_.size())
      keys_[compact_.number_of(path)] = (compact_.number_of(path) << shift_) + interesting[path];
}

std::optional<uint64_t> PreferentialCounters::slot_of(uint64_t sum) const {
  uint64_t slot = sum >> shift_;
  if (slot < keys_.size() && keys_[slot] == sum)
    return slot;
  return std::nullopt;
}

std::optional<uint64_t> PreferentialCounters::path_in(uint64_t slot) const {
  if (slot >= keys_.size() || keys_[slot] >> shift_ != slot)
    return std::nullopt;
  return id_of(keys_[slot]);
}

std::optional<uint64_t> PreferentialCounters::path_at(uint64_t index) const {
  if (index < num_slots())
    return path_in(index);
  if (index - num_slots() >= num_paths_)
    return std::nullopt;
  return index - num_slots();
}

} // namespace pathprof
