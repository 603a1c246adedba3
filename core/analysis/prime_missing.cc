// SPDX-License-Identifier: GPL-3.0-or-later
// Searches for unexecuted prime paths around each executed prime path.
#include "core/analysis/prime_paths.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/analysis/nearest_search.h"

namespace pathprof {

namespace {

using Executed = std::pair<PrimePath, uint64_t>;

class Search {
public:
  Search(const PrimeGraph &graph, const PrimeCounts &executed, uint32_t k, size_t limit, uint64_t &effort)
      : graph_(graph), k_(k), limit_(limit), effort_(effort), decides_(static_cast<size_t>(graph.num_blocks()), 0),
        taken_(decides_.size(), kNowhere), on_path_(decides_.size(), 0), executed_(executed.begin(), executed.end()) {
    std::stable_sort(executed_.begin(), executed_.end(),
                     [](const Executed &a, const Executed &b) { return a.second > b.second; });
    for (const Executed &path : executed_)
      known_.insert(path.first);
    for (int block : graph.blocks())
      decides_[static_cast<size_t>(block)] = decides(graph, block);
  }

  // Tries distances from 0 to the number of blocks, because a simple path does not contain more decisions than blocks.
  MissingPrimePaths run() {
    size_t most = executed_.empty() ? 0 : graph_.blocks().size();
    return search_by_distance<MissingPrimePaths>(0, &found_, limit_, effort_, [&](uint32_t distance) {
      if (distance > most || !was_given_up_)
        return false;
      distance_ = distance;
      was_given_up_ = false;
      for (const Executed &path : executed_)
        look_around(path);
      return true;
    });
  }

private:
  static constexpr int kNowhere = -1;

  struct Place {
    int block;
    size_t next;  // index of the next successor
    uint32_t own; // number of decisions so far that the executed path does not contain
  };

  void look_around(const Executed &path) {
    nearest_ = &path;
    for (size_t i = 1; i < path.first.size(); i++)
      taken_[static_cast<size_t>(path.first[i - 1])] = path.first[i];
    for (int first : graph_.blocks())
      if (effort_ > 0)
        walk_from(first);
    for (int block : path.first)
      taken_[static_cast<size_t>(block)] = kNowhere;
  }

  // Uses a stack instead of recursion because paths can be very long.
  void walk_from(int first) {
    push(first, 0);
    while (!stack_.empty()) {
      Place &place = stack_.back();
      const std::vector<int> &succs = graph_.succs(place.block);
      if (place.next == 0 && place.own == distance_)
        see_end();
      if (place.next == succs.size() || effort_ == 0) {
        on_path_[static_cast<size_t>(place.block)] = 0;
        stack_.pop_back();
        blocks_.pop_back();
        continue;
      }
      effort_--;
      go_to(place, succs[place.next++], first);
    }
  }

  void go_to(const Place &place, int succ, int first) {
    bool is_own = decides_[static_cast<size_t>(place.block)] && taken_[static_cast<size_t>(place.block)] != succ;
    uint32_t own = place.own + is_own;
    if (own > distance_) {
      was_given_up_ = true;
    } else if (succ == first) {
      blocks_.push_back(succ);
      if (own == distance_)
        see();
      blocks_.pop_back();
    } else if (!on_path_[static_cast<size_t>(succ)]) {
      push(succ, own);
    }
  }

  void push(int block, uint32_t own) {
    stack_.push_back({block, 0, own});
    blocks_.push_back(block);
    on_path_[static_cast<size_t>(block)] = 1;
  }

  bool is_inner(int block) const {
    return on_path_[static_cast<size_t>(block)] && block != blocks_.front() && block != blocks_.back();
  }

  // Records the current path, which is not a cycle, if it is a prime path.
  void see_end() {
    int first = blocks_.front(), last = blocks_.back();
    const std::vector<int> &succs = graph_.succs(last), &preds = graph_.preds(first);
    bool is_long = first != last;
    bool ends = std::all_of(succs.begin(), succs.end(), [&](int b) { return is_inner(b) || (is_long && b == last); });
    bool begins =
        std::all_of(preds.begin(), preds.end(), [&](int b) { return is_inner(b) || (is_long && b == first); });
    bool is_alone = !is_long && succs.empty() && preds.empty();
    if (ends && begins && (!is_alone || graph_.stands_alone(first)))
      see();
  }

  void see() {
    if (graph_.needed_paths(blocks_) <= k_ && known_.insert(blocks_).second)
      found_.push_back({blocks_, nearest_->first, nearest_->second, distance_});
  }

  const PrimeGraph &graph_;
  uint32_t k_;
  size_t limit_;
  uint64_t &effort_;
  std::vector<char> decides_;      // nonzero for each block with several out-edges
  std::vector<int> taken_;         // successor of each block on the executed path, or kNowhere
  std::vector<char> on_path_;      // nonzero for each block on the current walk
  std::vector<Executed> executed_; // sorted by decreasing count
  std::set<PrimePath> known_;      // executed or found paths
  std::vector<Place> stack_;
  PrimePath blocks_; // blocks on the stack
  const Executed *nearest_ = nullptr;
  uint32_t distance_ = 0;
  bool was_given_up_ = true; // true if a walk was abandoned because of its distance
  std::vector<MissingPrimePath> found_;
};

} // namespace

bool decides(const PrimeGraph &graph, int block) {
  return graph.flow().succs(block).size() > 1;
}

size_t end_of_nearest(const MissingPrimePath &missing) {
  const PrimePath &path = missing.path, &nearest = missing.nearest;
  if (std::find(nearest.begin(), nearest.end(), path.front()) == nearest.end())
    return 0;
  auto end = std::find(path.begin(), path.end(), nearest.back());
  return end == path.end() ? 0 : static_cast<size_t>(end - path.begin());
}

bool MissingPrimePath::operator<(const MissingPrimePath &other) const {
  return std::tie(distance, other.count, path) < std::tie(other.distance, count, other.path);
}

MissingPrimePaths nearest_missing(const PrimeGraph &graph, const PrimeCounts &executed, uint32_t k, size_t limit,
                                  uint64_t &effort) {
  return Search(graph, executed, k, limit, effort).run();
}

} // namespace pathprof
