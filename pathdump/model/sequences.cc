// SPDX-License-Identifier: GPL-3.0-or-later
// Finds hot sequences of paths, and omits those that add little to a listed sequence.
#include "pathdump/model/sequences.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <tuple>

#include "core/models/forest.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

using Paths = std::vector<uint64_t>;

// Number of candidates to examine per requested sequence.
constexpr uint64_t kCandidates = 50;

// ---- sequences of one function ----

// Returns the period of the sequence: the smallest p such that each path except the first p is the same as the path p
// positions before it. The period is computed from the longest border (Knuth, Morris and Pratt).
size_t period_of(const Paths &paths) {
  std::vector<size_t> border(paths.size() + 1, 0);
  for (size_t i = 1, length = 0; i < paths.size(); i++) {
    while (length && paths[i] != paths[length])
      length = border[length];
    length += paths[i] == paths[length];
    border[i + 1] = length;
  }
  return paths.size() - border[paths.size()];
}

// Ranks the sequences in a function's forest.
class Ranker {
public:
  Ranker(size_t index, const Function &function, const Decoded &decoded) : index_(index), function_(function) {
    const Forest &forest = function.forest;
    for (uint32_t node = 0; node < forest.size(); node++) {
      by_id_[forest[node].id].push_back(node);
      if (forest[node].parent != ForestNode::kNone)
        children_[forest[node].parent].push_back(node);
    }
    PathWalk walk(function, decoded);
    for (const auto &[id, ends] : by_id_) {
      walk.go_to(id);
      statements_[id] = walk.statements();
    }
  }

  Sequence make(Paths paths, uint64_t count) const {
    Sequence sequence{index_, std::move(paths), count, 0, 0};
    sequence.period = period_of(sequence.paths);
    for (size_t i = 0; i < sequence.period; i++)
      sequence.weight += statements_.at(sequence.paths[i]);
    sequence.weight *= count;
    return sequence;
  }

  // Extends the sequence, one path at a time, as long as the longer sequence accounts for nearly as many executed
  // statements as the shorter sequence.
  Sequence extended(Sequence sequence, uint32_t k) const {
    Weight least = sequence.weight / 10 * 9;
    while (sequence.paths.size() < k) {
      Sequence best = best_extension(sequence);
      if (best.paths.empty() || best.weight < least)
        break;
      sequence = std::move(best);
    }
    return sequence;
  }

private:
  // Returns the forest nodes at which a sequence ends.
  std::vector<uint32_t> ends_of(const Paths &paths) const {
    std::vector<uint32_t> ends;
    auto last = by_id_.find(paths.back());
    if (last == by_id_.end())
      return ends;
    for (uint32_t end : last->second) {
      uint32_t node = end;
      size_t left = paths.size();
      while (left && node != ForestNode::kNone && function_.forest[node].id == paths[left - 1]) {
        node = function_.forest[node].parent;
        left--;
      }
      if (!left)
        ends.push_back(end);
    }
    return ends;
  }

  Sequence best_extension(const Sequence &sequence) const {
    std::map<uint64_t, uint64_t> before, behind;
    for (uint32_t end : ends_of(sequence.paths)) {
      uint32_t node = end;
      for (size_t i = 0; i < sequence.paths.size(); i++)
        node = function_.forest[node].parent;
      if (node != ForestNode::kNone)
        before[function_.forest[node].id] += function_.forest[end].count;
      if (auto below = children_.find(end); below != children_.end())
        for (uint32_t child : below->second)
          behind[function_.forest[child].id] += function_.forest[child].count;
    }
    Sequence best;
    for (bool at_end : {true, false})
      for (auto [id, count] : at_end ? behind : before) {
        Paths longer = sequence.paths;
        longer.push_back(id);
        if (!at_end)
          std::rotate(longer.begin(), longer.end() - 1, longer.end());
        Sequence candidate = make(std::move(longer), count);
        if (count && (best.paths.empty() || candidate.weight > best.weight))
          best = std::move(candidate);
      }
    return best;
  }

  size_t index_;
  const Function &function_;
  std::map<uint64_t, uint64_t> statements_;
  std::map<uint64_t, std::vector<uint32_t>> by_id_;
  std::map<uint32_t, std::vector<uint32_t>> children_;
};

// Visits every sequence of two or more paths, and keeps the best sequences.
class Candidates : public PrefixVisitor {
public:
  Candidates(const Ranker &ranker, uint64_t limit, std::vector<Sequence> &best)
      : ranker_(ranker), limit_(limit), best_(best) {}

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    paths_.push_back(id);
    if (paths_.size() > 1 && count)
      best_.push_back(ranker_.make(paths_, count));
    if (limit_ && best_.size() > 2 * limit_)
      keep_best(best_, limit_);
    return true;
  }
  void leave() override { paths_.pop_back(); }

private:
  const Ranker &ranker_;
  uint64_t limit_;
  std::vector<Sequence> &best_;
  Paths paths_;
};

// ---- listed sequences ----

bool nearly_equal(Weight a, Weight b) {
  return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 10;
}

// Returns true if a suffix of `a` is also a prefix of `b` and is at least half as long as the shorter of the two
// sequences.
bool follows(const Paths &a, const Paths &b) {
  size_t least = (std::min(a.size(), b.size()) + 1) / 2;
  for (size_t length = std::min(a.size(), b.size()); length >= least; length--)
    if (std::equal(a.end() - static_cast<ptrdiff_t>(length), a.end(), b.begin()))
      return true;
  return false;
}

bool contains(const Paths &a, const Paths &b) {
  return std::search(a.begin(), a.end(), b.begin(), b.end()) != a.end();
}

bool repeats(const Sequence &sequence) {
  return sequence.period <= sequence.paths.size() / 2;
}

// Returns true if `listed` is a repeating sequence and `other` occurs in the infinite repetition of the period of
// `listed`.
bool is_in_repetition(const Sequence &listed, const Sequence &other) {
  Paths longer;
  while (longer.size() < listed.period + other.paths.size())
    longer.insert(longer.end(), listed.paths.begin(), listed.paths.begin() + static_cast<ptrdiff_t>(listed.period));
  return repeats(listed) && contains(longer, other.paths);
}

bool is_told_by(const Sequence &listed, const Sequence &other) {
  if (listed.function != other.function)
    return false;
  if (other.weight <= listed.weight / 4 * 5 && is_in_repetition(listed, other))
    return true;
  if (!nearly_equal(listed.weight, other.weight))
    return false;
  return contains(listed.paths, other.paths) || contains(other.paths, listed.paths) ||
         follows(listed.paths, other.paths) || follows(other.paths, listed.paths);
}

} // namespace

bool Sequence::operator<(const Sequence &other) const {
  return std::tie(other.weight, other.count, function, paths) < std::tie(weight, count, other.function, other.paths);
}

std::vector<Sequence> hot_sequences(const Profile &profile, const std::string &file, const Names &names,
                                    uint64_t limit) {
  std::vector<Sequence> candidates, listed;
  std::map<size_t, std::unique_ptr<Ranker>> rankers;
  uint64_t num_candidates = limit ? std::max<uint64_t>(limit, 20) * kCandidates : 0;
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (is_left_out(function) || function.forest.empty() || !names.selects(function))
      continue;
    rankers[i] = std::make_unique<Ranker>(i, function, *decode_or_fail(file, function));
    Candidates visitor(*rankers[i], num_candidates, candidates);
    walk_prefix_forest(function.forest, function.notes.model.k, visitor);
  }
  keep_best(candidates, num_candidates);
  std::sort(candidates.begin(), candidates.end());
  auto is_told = [&](const Sequence &sequence) {
    return std::any_of(listed.begin(), listed.end(),
                       [&](const Sequence &other) { return is_told_by(other, sequence); });
  };
  for (const Sequence &candidate : candidates) {
    if (limit && listed.size() == limit)
      break;
    if (is_told(candidate))
      continue;
    const Function &function = profile.functions[candidate.function];
    Sequence longest = rankers[candidate.function]->extended(candidate, function.notes.model.k);
    if (!is_told(longest))
      listed.push_back(std::move(longest));
  }
  std::sort(listed.begin(), listed.end());
  return listed;
}

std::vector<SequenceStep> steps_of(const Sequence &sequence) {
  size_t shown = sequence.period > 1 && repeats(sequence) ? sequence.period : sequence.paths.size();
  std::vector<SequenceStep> steps;
  for (size_t i = 0; i < shown; i++) {
    if (!steps.empty() && steps.back().path == sequence.paths[i])
      steps.back().times++;
    else
      steps.push_back({sequence.paths[i], 1});
  }
  return steps;
}

std::string repetition_text(const Sequence &sequence) {
  if (sequence.period == 1 || !repeats(sequence))
    return {};
  size_t whole = sequence.paths.size() / sequence.period, rest = sequence.paths.size() % sequence.period;
  return fmt::format("repeated {} times{}", whole, rest ? fmt::format(", plus {}", plural(rest, "path")) : "");
}

std::string ids_text(const Sequence &sequence) {
  std::string text;
  for (const SequenceStep &step : steps_of(sequence))
    text += (text.empty() ? "" : " ") + std::to_string(step.path) +
            (step.times > 1 ? "×" + std::to_string(step.times) : "");
  std::string again = repetition_text(sequence);
  return again.empty() ? text : "(" + text + ") " + again;
}

} // namespace pathprof
