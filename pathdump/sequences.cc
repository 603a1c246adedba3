// SPDX-License-Identifier: GPL-3.0-or-later
#include "pathdump/sequences.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <tuple>

#include "core/forest.h"
#include "pathdump/json.h"
#include "pathdump/trail.h"

namespace pathprof {

namespace {

using Weight = unsigned __int128;
using Paths = std::vector<uint64_t>;

// How many candidates are looked at for each sequence wanted.
constexpr uint64_t kCandidates = 50;

// ---- one function ----

// The smallest p for which each path but the first p is the one p before (by the longest border: Knuth, Morris
// and Pratt).
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

// A function's forest, with what its paths weigh.
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

  // The longest sequence around one that covers nearly as much.
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
  // The nodes at which a sequence ends.
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
        longer.insert(at_end ? longer.end() : longer.begin(), id);
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

bool hotter(const Sequence &a, const Sequence &b) {
  return std::tie(b.weight, b.count, a.function, a.paths) < std::tie(a.weight, a.count, b.function, b.paths);
}

void keep_best(std::vector<Sequence> &sequences, uint64_t limit) {
  if (limit == 0 || sequences.size() <= limit)
    return;
  std::nth_element(sequences.begin(), sequences.begin() + static_cast<ptrdiff_t>(limit), sequences.end(), hotter);
  sequences.resize(limit);
}

// Every sequence of two paths and more, of which the best are kept.
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

// ---- what is listed ----

bool nearly_equal(Weight a, Weight b) {
  return std::max(a, b) - std::min(a, b) <= std::max(a, b) / 10;
}

// Whether the end of one is the beginning of the other, by half of the shorter one or more.
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

// Wherever in a period the other one begins.
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
  std::sort(candidates.begin(), candidates.end(), hotter);
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
  std::sort(listed.begin(), listed.end(), hotter);
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
  return fmt::format("repeated {} times{}", whole, rest ? fmt::format(" and {} more", plural(rest, "path")) : "");
}

std::string ids_text(const Sequence &sequence) {
  std::string text;
  for (const SequenceStep &step : steps_of(sequence))
    text += (text.empty() ? "" : " ") + std::to_string(step.path) +
            (step.times > 1 ? "×" + std::to_string(step.times) : "");
  std::string again = repetition_text(sequence);
  return again.empty() ? text : "(" + text + ") " + again;
}

// ---- JSON ----

namespace {

class ForestText : public PrefixVisitor {
public:
  explicit ForestText(std::string &text) : text_(text) {}

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    if (text_.back() == '}')
      text_ += ',';
    text_ += fmt::format(R"({{"path":"{}","count":{},"children":[)", id, dump(count_json(count)));
    return true;
  }
  void leave() override { text_ += "]}"; }

private:
  std::string &text_;
};

} // namespace

void append_forest(std::string &text, const Function &function) {
  text += ",\"forest\":[";
  ForestText visitor(text);
  walk_prefix_forest(forest_of(function), function.notes.model.k, visitor);
  text += fmt::format("],\"forest_pruned\":{}", function.is_pruned);
}

// ---- the report ----

namespace {

class SequenceReport {
public:
  SequenceReport(const Profile &profile, const std::string &file, const Names &names, const SequenceOptions &options)
      : profile_(profile), file_(file), names_(names), options_(options), sources_(names, file) {
    for (const Function &function : profile.functions) {
      if (is_left_out(function))
        continue;
      std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
      total_ += static_cast<double>(totals_of(function, *decoded).statements);
      num_forests_ += function.notes.has_forest();
      if (function.is_pruned)
        pruned_.push_back(fmt::format("{} ({})", names.function(function.notes.name),
                                      plural(broken_sequences(function, *decoded), "time")));
    }
    if (num_forests_ == 0)
      throw Failure(kWrongUse, fmt::format("report: {} has no sequences of paths; mode=kipf counts them", file));
    sequences_ = hot_sequences(profile, file, names, options.limit);
    auto below = std::find_if(sequences_.begin(), sequences_.end(),
                              [&](const Sequence &sequence) { return share_of(sequence) < options.threshold; });
    sequences_.erase(below, sequences_.end());
  }

  void print_table(Output &out) {
    out.print("{}: {}, sequences of paths in {}, by the statements that they cover\n",
              paint(out, Colour::Heading, profile_.program.empty() ? file_ : profile_.program),
              plural(profile_.runs, "run"), plural(num_forests_, "function"));
    for (const std::string &name : pruned_)
      out.print("Sequences of {} were broken off for want of room; PATHPROF_FOREST_MAX gives more\n", name);
    out.write("\n");
    Table table({{"rank", true},
                 {"share", true, Colour::Hot},
                 {"count", true},
                 {"paths", true},
                 {"function", false, Colour::Name, 40},
                 {"ids"}});
    uint64_t rank = 0;
    for (const Sequence &sequence : sequences_)
      table.add({std::to_string(++rank), fmt::format("{:.2f}%", share_of(sequence)), std::to_string(sequence.count),
                 std::to_string(sequence.paths.size()), names_.function(function_of(sequence).notes.name),
                 ids_text(sequence)},
                steps_text(out, sequence));
    if (sequences_.empty())
      out.write("No activation of the functions asked for ran through more than one path.\n");
    else
      table.print(out);
    for (const std::string &name : sources_.missing())
      std::cerr << "pathdump: " << name << ": source not found (--source-prefix OLD=NEW says where it is now)\n";
  }

  void print_json(Output &out) {
    Json sequences = Json::array();
    for (const Sequence &sequence : sequences_)
      sequences.push_back(json_of(sequence, sequences.size() + 1));
    Json json = {{"program", profile_.program},
                 {"runs", count_json(profile_.runs)},
                 {"functions_with_sequences", num_forests_},
                 {"pruned", pruned_.size()},
                 {"sequences", std::move(sequences)}};
    out.print("{}\n", dump_indented(json));
  }

private:
  const Function &function_of(const Sequence &sequence) const { return profile_.functions[sequence.function]; }

  const Decoded &decoded_of(const Sequence &sequence) {
    std::unique_ptr<Decoded> &decoded = decoded_[sequence.function];
    if (!decoded)
      decoded = decode_or_fail(file_, function_of(sequence));
    return *decoded;
  }

  double share_of(const Sequence &sequence) const {
    return total_ > 0 ? 100 * static_cast<double>(sequence.weight) / total_ : 0;
  }

  // A line a path, with where it starts and ends and its source lines.
  std::string steps_text(const Output &out, const Sequence &sequence) {
    std::string text;
    size_t number = 1;
    for (const SequenceStep &step : steps_of(sequence)) {
      Path path = *decoded_of(sequence).regenerate(step.path);
      std::string numbers =
          step.times > 1 ? fmt::format("{}-{}", number, number + step.times - 1) : std::to_string(number);
      text += fmt::format("{:>8}. {} {} → {}: {}\n", numbers, paint(out, Colour::Faint, fmt::format("[{}]", step.path)),
                          to_string(path.start), to_string(path.end),
                          paint(out, Colour::Place, trail_text(function_of(sequence), path, names_)));
      if (options_.lines)
        text += source_text(out, sources_, trail_of(function_of(sequence), path));
      number += step.times;
    }
    return text;
  }

  Json json_of(const Sequence &sequence, uint64_t rank) {
    const Function &function = function_of(sequence);
    Json paths = Json::array();
    for (uint64_t id : sequence.paths) {
      Path path = *decoded_of(sequence).regenerate(id);
      paths.push_back({{"id", std::to_string(id)},
                       {"start", to_string(path.start)},
                       {"end", to_string(path.end)},
                       {"lines", trail_text(function, path, names_)}});
    }
    return {{"rank", rank},
            {"share", share_of(sequence)},
            {"count", count_json(sequence.count)},
            {"length", sequence.paths.size()},
            {"period", sequence.period},
            {"function", function.notes.name},
            {"demangled", names_.function(function.notes.name)},
            {"file", names_.file(function.file)},
            {"line", function.notes.line},
            {"paths", std::move(paths)}};
  }

  const Profile &profile_;
  const std::string &file_;
  const Names &names_;
  const SequenceOptions &options_;
  Sources sources_;
  double total_ = 0;
  uint64_t num_forests_ = 0;
  std::vector<std::string> pruned_;
  std::vector<Sequence> sequences_;
  std::map<size_t, std::unique_ptr<Decoded>> decoded_;
};

} // namespace

void print_sequences(const Profile &profile, const std::string &file, const Names &names,
                     const SequenceOptions &options, Output &out) {
  SequenceReport report(profile, file, names, options);
  options.json ? report.print_json(out) : report.print_table(out);
}

} // namespace pathprof
