// SPDX-License-Identifier: GPL-3.0-or-later
// Enumerates the simple paths of components, and combines the components.
#include "core/analysis/prime_paths.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/graph/components.h"

namespace pathprof {

namespace {

// For each number of cut edges (0, 1, 2, …), the number of paths with that many cut edges.  The last entry also
// includes all paths with more cut edges.
template <typename Number>
using ByCuts = std::vector<Number>;

using Walks = ByCuts<uint64_t>;
using Sums = ByCuts<mpz_class>;

// Simple paths of one component.
struct ComponentPaths {
  // For each pair of an entry block and an exit block, the paths from the entry block to the exit block.
  std::map<std::pair<int, int>, Walks> through;
  // For each entry block, the paths of at least one edge that start at the block and cannot be extended at their end.
  std::map<int, Walks> ending;
  // For each exit block, the paths that end at the block and cannot be extended at their start.
  std::map<int, Walks> starting;
  Walks whole; // prime paths within the component
};

// Enumerates the simple paths of a component.  In `ending` and `whole`, the last edge of a path is not counted as a cut
// edge if it is the only cut edge out of its source block (PrimeGraph::has_only_cut).  An acyclic path that ends at
// this block then shows that control took the edge, so no further acyclic path is needed.
class ComponentWalker {
public:
  ComponentWalker(const PrimeGraph &graph, size_t num_classes, uint64_t &effort)
      : graph_(graph), num_classes_(num_classes), effort_(effort), within_(static_cast<size_t>(graph.num_blocks()), 0),
        on_path_(within_.size(), 0), is_pred_(within_.size(), 0) {}

  ComponentPaths walk(const std::vector<int> &component) {
    found_ = {};
    found_.whole.resize(num_classes_);
    for (int block : component)
      within_[static_cast<size_t>(block)] = 1;
    for (int block : component)
      if (effort_ > 0)
        walk_from(block);
    for (int block : component)
      within_[static_cast<size_t>(block)] = 0;
    return std::move(found_);
  }

private:
  struct Place {
    int block;
    size_t next; // index of the next successor
    uint32_t cuts;
    bool can_go_on; // true if a successor is not on the path
    bool closes;    // true if the path can close a cycle
  };

  bool is_within(int block) const { return within_[static_cast<size_t>(block)]; }
  bool leaves(int block) const {
    const std::vector<int> &succs = graph_.succs(block);
    return std::any_of(succs.begin(), succs.end(), [&](int succ) { return !is_within(succ); });
  }

  void walk_from(int first) {
    first_ = first;
    const std::vector<int> &preds = graph_.preds(first);
    num_missing_ = preds.size();
    is_entry_ = std::any_of(preds.begin(), preds.end(), [&](int pred) { return !is_within(pred); });
    for (int pred : preds)
      is_pred_[static_cast<size_t>(pred)] = 1;
    push(first, 0);
    while (!stack_.empty()) {
      Place &place = stack_.back();
      const std::vector<int> &succs = graph_.succs(place.block);
      if (place.next == succs.size() || effort_ == 0) {
        if (!place.can_go_on && effort_ > 0)
          see_end(place);
        pop();
        continue;
      }
      effort_--;
      go_to(place, succs[place.next++]);
    }
    for (int pred : preds)
      is_pred_[static_cast<size_t>(pred)] = 0;
  }

  void go_to(Place &place, int succ) {
    uint32_t cuts = place.cuts + is_cut(place.block, succ);
    if (succ == first_) {
      add(found_.whole, cuts - is_seen_from(place.block, succ));
      place.closes = true;
    } else if (!is_within(succ)) {
      place.can_go_on = true;
    } else if (!on_path_[static_cast<size_t>(succ)]) {
      place.can_go_on = true;
      push(succ, cuts);
    }
  }

  bool is_cut(int src, int dst) const { return graph_.edge(src, dst, false) < 0; }
  bool is_seen_from(int src, int dst) const { return is_cut(src, dst) && graph_.has_only_cut(src); }

  void push(int block, uint32_t cuts) {
    stack_.push_back({block, 0, cuts, false, false});
    on_path_[static_cast<size_t>(block)] = 1;
    num_missing_ -= is_pred_[static_cast<size_t>(block)];
    if (!leaves(block))
      return;
    if (is_entry_)
      add(found_.through.try_emplace({first_, block}, num_classes_).first->second, cuts);
    if (num_missing_ == 0)
      add(found_.starting.try_emplace(block, num_classes_).first->second, cuts);
  }

  void pop() {
    int block = stack_.back().block;
    stack_.pop_back();
    on_path_[static_cast<size_t>(block)] = 0;
    num_missing_ += is_pred_[static_cast<size_t>(block)];
  }

  // Records a path that cannot be extended at its end.  If the path entered the component from outside, it cannot be
  // extended to a cycle.
  void see_end(const Place &end) {
    uint32_t cuts = end.cuts;
    if (stack_.size() > 1)
      cuts -= is_seen_from(stack_[stack_.size() - 2].block, end.block);
    if (is_entry_ && stack_.size() > 1)
      add(found_.ending.try_emplace(first_, num_classes_).first->second, cuts);
    bool is_alone = stack_.size() == 1 && graph_.preds(end.block).empty() && graph_.succs(end.block).empty();
    if (num_missing_ == 0 && !end.closes && (!is_alone || graph_.stands_alone(end.block)))
      add(found_.whole, cuts);
  }

  void add(Walks &walks, uint32_t cuts) { walks[std::min<size_t>(cuts, num_classes_ - 1)]++; }

  const PrimeGraph &graph_;
  size_t num_classes_;
  uint64_t &effort_;
  std::vector<char> within_, on_path_, is_pred_;
  std::vector<Place> stack_;
  int first_ = 0;
  size_t num_missing_ = 0; // number of predecessors of the first block that are not on the path
  bool is_entry_ = false;
  ComponentPaths found_;
};

class Totaller {
public:
  Totaller(const PrimeGraph &graph, uint32_t k, uint64_t &effort)
      : graph_(graph), num_classes_(k + 1), effort_(effort), arrived_(static_cast<size_t>(graph.num_blocks())) {}

  PrimeTotal run() {
    std::vector<std::vector<int>> succs(static_cast<size_t>(graph_.num_blocks()));
    for (int block : graph_.blocks())
      succs[static_cast<size_t>(block)] = graph_.succs(block);
    std::vector<std::vector<int>> components = ComponentFinder(succs).of(graph_.blocks());
    ComponentWalker walker(graph_, num_classes_, effort_);
    sums_.resize(num_classes_);
    for (size_t i = components.size(); i-- > 0;)
      pass(components[i], walker.walk(components[i]));
    PrimeTotal total;
    for (size_t i = 0; i < num_classes_; i++) {
      total.all += sums_[i];
      if (i + 1 < num_classes_)
        total.measured += sums_[i];
    }
    total.is_exact = effort_ > 0;
    return total;
  }

private:
  size_t class_of(size_t cuts) const { return std::min(cuts, num_classes_ - 1); }

  // Add paths to `to`.  The first overload extends each path in `paths` by `cuts` cut edges.  The second overload
  // extends each path in `paths` by each walk in `walks`, which gives one path per combination.
  void add(Sums &to, const Sums &paths, size_t cuts) const {
    for (size_t i = 0; i < paths.size(); i++)
      to[class_of(i + cuts)] += paths[i];
  }
  void add(Sums &to, const Sums &paths, const Walks &walks) const {
    for (size_t i = 0; i < paths.size(); i++)
      for (size_t j = 0; paths[i] != 0 && j < walks.size(); j++)
        if (walks[j])
          to[class_of(i + j)] += paths[i] * mpz_class(static_cast<unsigned long>(walks[j]));
  }

  void pass(const std::vector<int> &component, const ComponentPaths &paths) {
    for (size_t i = 0; i < num_classes_; i++)
      sums_[i] += static_cast<unsigned long>(paths.whole[i]);
    for (const auto &[block, walks] : paths.ending)
      add(sums_, arrived_[static_cast<size_t>(block)], walks);
    std::map<int, Sums> left;
    for (const auto &[block, walks] : paths.starting)
      for (size_t i = 0; i < num_classes_; i++)
        left.try_emplace(block, num_classes_).first->second[i] += static_cast<unsigned long>(walks[i]);
    for (const auto &[ends, walks] : paths.through)
      add(left.try_emplace(ends.second, num_classes_).first->second, arrived_[static_cast<size_t>(ends.first)], walks);
    for (const auto &[block, sums] : left)
      for (int succ : graph_.succs(block))
        if (!std::binary_search(component.begin(), component.end(), succ))
          arrive(block, succ, sums);
  }

  // Extends `paths` by the edge from `src` to `dst`, a block in another component.
  void arrive(int src, int dst, const Sums &paths) {
    bool is_cut = graph_.edge(src, dst, false) < 0;
    Sums &there = arrived_[static_cast<size_t>(dst)];
    there.resize(num_classes_);
    add(there, paths, is_cut);
    const std::vector<int> &succs = graph_.succs(dst);
    if (std::all_of(succs.begin(), succs.end(), [&](int succ) { return succ == dst; }))
      add(sums_, paths, is_cut && !graph_.has_only_cut(src));
  }

  const PrimeGraph &graph_;
  size_t num_classes_;
  uint64_t &effort_;
  std::vector<Sums> arrived_; // paths that reach each block from other components
  Sums sums_;                 // numbers of prime paths
};

} // namespace

PrimeTotal count_all_prime_paths(const PrimeGraph &graph, uint32_t k, uint64_t &effort) {
  return Totaller(graph, k, effort).run();
}

} // namespace pathprof
