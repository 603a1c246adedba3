// SPDX-License-Identifier: GPL-3.0-or-later
// Computes branch correlations from executed paths.
#include "pathdump/model/branch_correlation.h"

#include <fmt/format.h>

#include "core/graph/loop.h"
#include "core/models/model.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/path_cursor.h"
#include "pathdump/ui/opening.h"
#include "pathdump/describe/line_sequence.h"

namespace pathprof {

bool has_pairs(const Function &function) {
  return model_of(function.notes.model).has(Feature::Sequences) && function.notes.model.k >= 2;
}

namespace {

// Counts single paths and pairs of successive paths, which the first two levels of the forest represent.
class Pairs : public PrefixVisitor {
public:
  std::map<uint64_t, uint64_t> counts;                        // counts by path ID
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> followed; // counts of pairs by path IDs, the earlier path first

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    (open_.empty() ? counts[id] : followed[{open_.back(), id}]) += count;
    open_.push_back(id);
    return open_.size() == 1;
  }
  void leave() override { open_.pop_back(); }

private:
  std::vector<uint64_t> open_;
};

// The analyzed paths of a function.
struct Chosen {
  const std::vector<ExecutedPath> *paths, *cut_short;
};

class Adviser {
public:
  // `sums` is the result of paths_to_add_up() if only the hottest paths of the function are analyzed. Otherwise, it is
  // null.
  Adviser(const Function &function, const Decoded &decoded, Chosen chosen, const std::vector<ExecutedPath> *sums)
      : function_(function), decoded_(decoded), chosen_(chosen), sums_(sums) {}

  void run(BranchCorrelations &advice) {
    BranchPredictor predictor(function_.notes.graph);
    add_paths(predictor);
    if (has_pairs(function_))
      add_pairs(predictor, advice);
    FunctionCorrelations row{&function_, {}, has_pairs(function_)};
    for (const auto &[block, missed] : predictor.branches()) {
      row.missed.add(missed);
      Correlation correlation{&function_, block, missed, std::nullopt, {}};
      if (correlation.mispredictions_avoided() * 20 < missed.executions) // small gains can be due to chance
        continue;
      correlation.decided_by = predictor.decided_by(block);
      bool tells_half = correlation.decided_by &&
                        correlation.decided_by->missed + correlation.mispredictions_avoided() / 2 <= missed.by_edges;
      if (tells_half)
        correlation.after = predictor.outcomes_after(correlation.decided_by->block, block);
      else
        correlation.decided_by.reset();
      advice.correlations.push_back(std::move(correlation));
    }
    if (sums_)
      find_one_ways(predictor_of_sums(), advice);
    else
      find_one_ways(predictor, advice);
    if (!model_of(function_.notes.model).has(Feature::LoopIterations) &&
        !model_of(function_.notes.model).has(Feature::LoopContexts))
      find_constant_loops(advice);
    if (model_of(function_.notes.model).has(Feature::LoopIterations) && !sums_)
      find_exact_loops(advice);
    find_case_sequences(advice);
    if (!row.missed.executions)
      return;
    advice.num_without_pairs += !row.has_pairs;
    advice.total.add(row.missed);
    advice.rows.push_back(row);
  }

private:
  void add_paths(BranchPredictor &predictor) {
    for (const std::vector<ExecutedPath> *paths : {chosen_.paths, chosen_.cut_short})
      for (const ExecutedPath &path : *paths)
        if (path.count)
          predictor.add(path_of(path.id), path.count);
  }

  // Returns a predictor that is based only on the outcome counts of each branch.
  BranchPredictor predictor_of_sums() {
    BranchPredictor predictor(function_.notes.graph);
    for (const ExecutedPath &path : *sums_)
      if (path.count)
        predictor.add(path_of(path.id), path.count);
    return predictor;
  }

  void find_one_ways(const BranchPredictor &predictor, BranchCorrelations &advice) {
    const FlowGraph &graph = function_.notes.graph;
    std::vector<Loop> loops = natural_loops(graph);
    for (const auto &[block, outcomes] : predictor.outcomes()) {
      BranchPredictor::MostFrequent most = BranchPredictor::most_frequent(outcomes);
      advice.branch_executions += most.all;
      const std::vector<int> &succs = graph.succs(block);
      bool is_of_loop = std::any_of(succs.begin(), succs.end(), [&](int e) {
        return graph.edge(e).is_cut() || std::any_of(loops.begin(), loops.end(), [&](const Loop &loop) {
                 return loop.contains(graph.edge(e).src) && !loop.contains(graph.edge(e).dst);
               });
      });
      if (!is_of_loop && most.all >= 100 && (most.all - most.count) * 100 <= most.all)
        advice.one_ways.push_back({&function_, block, most.outcome, most.count, most.all});
    }
  }

  // Returns true if path counts determine the execution counts of the back edges and of the edges that enter the loop:
  // each path that ends at the source of a back edge ends on this edge, and paths continue across the edges that enter
  // the loop.
  bool has_known_counts(const Loop &loop) const {
    const FlowGraph &graph = function_.notes.graph;
    const std::vector<int> &preds = graph.preds(loop.head());
    return std::all_of(loop.back_edges.begin(), loop.back_edges.end(),
                       [&](int e) { return cut_succs(graph, graph.edge(e).src).size() == 1; }) &&
           std::all_of(preds.begin(), preds.end(),
                       [&](int e) { return loop.is_back_edge(e) || !graph.edge(e).is_cut(); });
  }

  // Finds the loops whose back edges are taken the same number of times after each loop entry.
  void find_constant_loops(BranchCorrelations &advice) {
    const FlowGraph &graph = function_.notes.graph;
    for (const Loop &loop : natural_loops(graph)) {
      if (!has_known_counts(loop) || !function_.cut_short.empty())
        continue;
      uint64_t entries = 0, back_edges = 0;
      bool is_repeated = false; // true if a path takes a back edge after another back edge
      for (const ExecutedPath &executed : sums_ ? *sums_ : function_.paths) {
        const Path &path = path_of(executed.id);
        for (int e : path.edges)
          entries += graph.edge(e).dst == loop.head() ? executed.count : 0;
        bool ends_on_back_edge = path.end == PathEnd::BackEdge &&
                                 std::any_of(loop.back_edges.begin(), loop.back_edges.end(),
                                             [&](int e) { return graph.edge(e).src == path.blocks.back(); });
        if (!ends_on_back_edge)
          continue;
        back_edges += executed.count;
        is_repeated |= executed.count && path.start != PathStart::Entry && loop.contains(path.blocks.front());
      }
      // An average of one back edge per loop entry does not imply that each entry is followed by exactly one back edge:
      // a path that starts in the loop may take the back edge again. Sums over all paths do not show whether such a
      // path exists.
      bool may_be_average = back_edges == entries && (is_repeated || sums_);
      if (entries >= 20 && back_edges % entries == 0 && !may_be_average)
        advice.constant_loops.push_back({&function_, loop.head(), entries, back_edges / entries});
    }
  }

  // Returns a histogram of the entries to the loop. The key is the number of times that the back edge was taken after
  // an entry, and the value is the number of entries with this key. Entries on paths that end before control leaves the
  // loop have the key `kUntold`.
  std::map<uint64_t, uint64_t> rounds_of(const Loop &loop) {
    const FlowGraph &graph = function_.notes.graph;
    std::map<uint64_t, uint64_t> entries;
    for (const ExecutedPath &executed : *chosen_.paths) {
      const Path &path = path_of(executed.id);
      std::optional<uint64_t> rounds;
      for (size_t i = path.context_edges; i < path.edges.size(); i++) {
        const Edge &edge = graph.edge(path.edges[i]);
        if (edge.dst == loop.head() && !loop.contains(edge.src))
          rounds = 0;
        else if (rounds && loop.is_back_edge(path.edges[i]))
          ++*rounds;
        else if (rounds && !loop.contains(edge.dst)) {
          entries[*rounds] += executed.count;
          rounds.reset();
        }
      }
      if (rounds)
        entries[kUntold] += executed.count;
    }
    return entries;
  }

  void find_exact_loops(BranchCorrelations &advice) {
    for (const Loop &loop : natural_loops(function_.notes.graph)) {
      std::map<uint64_t, uint64_t> entries = rounds_of(loop);
      if (!function_.cut_short.empty() || entries.size() != 1 || entries.begin()->first == kUntold ||
          entries.begin()->second < 20)
        continue;
      advice.exact_loops.push_back({&function_, loop.head(), entries.begin()->second, entries.begin()->first});
    }
  }

  // Returns the edge on which the path leaves the switch when the switch is executed for the last time or, if `is_last`
  // is false, for the first time. Returns -1 if the path does not reach the switch.
  int case_on(const Path &path, int block, bool is_last) const {
    int found = -1;
    for (size_t i = path.context_edges; i < path.edges.size() && (is_last || found < 0); i++)
      if (function_.notes.graph.edge(path.edges[i]).src == block)
        found = path.edges[i];
    return found;
  }

  void find_case_sequences(BranchCorrelations &advice) {
    for (const BranchNotes &branch : function_.notes.branches) {
      if (!branch.is_switch)
        continue;
      auto block = static_cast<int>(branch.block);
      CaseSequence cases{&function_, block, {}, 0, 0, 0};
      for (const ExecutedPath &executed : *chosen_.paths) {
        const Path &path = path_of(executed.id);
        for (size_t i = 0, before = SIZE_MAX; i < path.edges.size(); i++)
          if (function_.notes.graph.edge(path.edges[i]).src == block) {
            if (before != SIZE_MAX && i >= path.context_edges)
              cases.after[path.edges[before]][path.edges[i]] += executed.count;
            before = i;
          }
      }
      if (has_pairs(function_))
        add_cases_of_pairs(cases);
      add_misses(cases);
      if (cases.executions >= 100 && cases.mispredictions_avoided() * 20 >= cases.executions)
        advice.case_sequences.push_back(std::move(cases));
    }
  }

  void add_cases_of_pairs(CaseSequence &cases) {
    Pairs pairs;
    walk_prefix_forest(forest_of(function_), function_.notes.model.k, pairs);
    for (const auto &[ids, count] : pairs.followed) {
      int before = case_on(path_of(ids.first), cases.block, true),
          next = case_on(path_of(ids.second), cases.block, false);
      if (before >= 0 && next >= 0 && path_of(ids.second).start != PathStart::Entry)
        cases.after[before][next] += count;
    }
  }

  static void add_misses(CaseSequence &cases) {
    std::map<int, uint64_t> all;
    for (const auto &[before, next] : cases.after) {
      uint64_t most = 0, sum = 0;
      for (auto [edge, count] : next) {
        all[edge] += count;
        sum += count;
        most = std::max(most, count);
      }
      cases.executions += sum;
      cases.missed_after += sum - most;
    }
    uint64_t most = 0;
    for (auto [edge, count] : all)
      most = std::max(most, count);
    cases.missed = cases.executions - most;
  }

  const Path &path_of(uint64_t id) {
    auto found = paths_.find(id);
    if (found == paths_.end())
      found = paths_.emplace(id, *decoded_.regenerate(id)).first;
    return found->second;
  }

  void add_pairs(BranchPredictor &predictor, BranchCorrelations &advice) {
    Pairs pairs;
    walk_prefix_forest(forest_of(function_), function_.notes.model.k, pairs);
    for (const auto &[ids, count] : pairs.followed) {
      predictor.add_behind(path_of(ids.second), ids.first, count);
      uint64_t &first = pairs.counts[ids.second];
      first -= std::min(first, count);
    }
    for (auto [id, count] : pairs.counts)
      if (count)
        predictor.add_behind(path_of(id), std::nullopt, count);
    find_alternations(pairs, advice);
  }

  // Returns the loop header if the path is one iteration of a loop, and otherwise -1.
  int goes_around(uint64_t id) {
    const Path &path = path_of(id);
    const FlowGraph &graph = function_.notes.graph;
    const std::vector<int> &succs = graph.succs(path.blocks.back());
    bool goes_back = path.start == PathStart::Loop && path.end == PathEnd::BackEdge &&
                     std::any_of(succs.begin(), succs.end(), [&](int e) {
                       return (graph.edge(e).flags & kBack) && graph.edge(e).dst == path.blocks.front();
                     });
    return goes_back ? path.blocks.front() : -1;
  }

  void find_alternations(const Pairs &pairs, BranchCorrelations &advice) {
    struct Iterations {
      std::map<uint64_t, uint64_t> all;
      std::map<uint64_t, std::map<uint64_t, uint64_t>> after;
    };
    std::map<int, Iterations> loops;
    for (const auto &[ids, count] : pairs.followed)
      if (int head = goes_around(ids.first); head >= 0 && goes_around(ids.second) == head) {
        loops[head].all[ids.second] += count;
        loops[head].after[ids.first][ids.second] += count;
      }
    for (const auto &[head, iterations] : loops) {
      Alternation loop{&function_, head, 0, 0, 0};
      for (auto [id, count] : iterations.all)
        loop.executions += count;
      loop.missed = missed(iterations.all);
      for (const auto &[id, next] : iterations.after)
        loop.missed_after += missed(next);
      if (loop.mispredictions_avoided() * 20 >= loop.executions)
        advice.alternations.push_back(loop);
    }
  }

  static uint64_t missed(const std::map<uint64_t, uint64_t> &paths) {
    uint64_t all = 0, most = 0;
    for (auto [id, count] : paths) {
      all += count;
      most = std::max(most, count);
    }
    return all - most;
  }

  static constexpr uint64_t kUntold = UINT64_MAX;

  const Function &function_;
  const Decoded &decoded_;
  Chosen chosen_;
  const std::vector<ExecutedPath> *sums_; // null if all paths are analyzed
  std::map<uint64_t, Path> paths_;
};

// Analyzes one function after the other.
class Reader {
public:
  Reader(const Profile &profile, const std::string &file, const Names &names, uint64_t most)
      : profile_(profile), file_(file), names_(names), most_(most) {}

  BranchCorrelations run() {
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (is_read(i))
        correlations_.looked_at.executed += number_of(profile_.functions[i]);
    bool are_all = correlations_.looked_at.executed <= most_;
    if (!are_all)
      choose();
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (is_read(i))
        read(i, are_all);
      else if (!is_left_out(profile_.functions[i]))
        add_to_whole(profile_.functions[i]);
    return std::move(correlations_);
  }

private:
  struct Part {
    std::vector<ExecutedPath> paths, cut_short;
    double statements = 0, all_statements = 0;
  };

  bool is_read(size_t i) const {
    const Function &function = profile_.functions[i];
    return !is_left_out(function) && !function.in_program && names_.selects(function);
  }

  static uint64_t number_of(const Function &function) { return function.paths.size() + function.cut_short.size(); }

  // Adds the counts of a function to the totals of the whole profile, but does not analyze the function.
  void add_to_whole(const Function &function) {
    std::unique_ptr<Decoded> decoded = decode_or_fail(file_, function);
    correlations_.statements += static_cast<uint64_t>(totals_of(function, *decoded).statements);
    if (function.in_program)
      return;
    BranchPredictor predictor(function.notes.graph);
    for (const ExecutedPath &path : paths_to_add_up(function, *decoded))
      correlations_.branch_executions += predictor.num_executions(*decoded->regenerate(path.id)) * path.count;
  }

  // Selects the hottest paths of all functions.
  void choose() {
    HottestPaths hottest(most_);
    for (size_t i = 0; i < profile_.functions.size(); i++)
      if (is_read(i))
        parts_[i].all_statements =
            static_cast<double>(for_each_path(profile_.functions[i], i, *decode_or_fail(file_, profile_.functions[i]),
                                              false, [&](const HotPath &hot) { hottest.add(hot); })
                                    .statements);
    std::vector<HotPath> paths = hottest.take();
    std::sort(paths.begin(), paths.end(), [](const HotPath &a, const HotPath &b) { return a.id < b.id; });
    for (const HotPath &hot : paths) {
      Part &part = parts_[hot.function];
      auto id = static_cast<uint64_t>(hot.id);
      (id < profile_.functions[hot.function].notes.num_paths ? part.paths : part.cut_short)
          .push_back({id, hot.count, 0});
      part.statements += static_cast<double>(hot.weight);
    }
  }

  void read(size_t i, bool are_all) {
    const Function &function = profile_.functions[i];
    std::unique_ptr<Decoded> decoded = decode_or_fail(file_, function);
    LookedAt looked_at{number_of(function), number_of(function), 0, 0};
    if (are_all) {
      looked_at.statements = looked_at.all_statements = static_cast<double>(totals_of(function, *decoded).statements);
      Adviser(function, *decoded, {&function.paths, &function.cut_short}, nullptr).run(correlations_);
    } else {
      const Part &part = parts_[i];
      looked_at = {part.paths.size() + part.cut_short.size(), number_of(function), part.statements,
                   part.all_statements};
      std::vector<ExecutedPath> sums;
      if (!looked_at.is_all())
        sums = paths_to_add_up(function, *decoded);
      if (sums.size() > most_) { // paths with different contexts cannot be combined
        sums = part.paths;
        sums.insert(sums.end(), part.cut_short.begin(), part.cut_short.end());
      }
      Adviser(function, *decoded, {&part.paths, &part.cut_short}, looked_at.is_all() ? nullptr : &sums)
          .run(correlations_);
      if (!looked_at.is_all())
        correlations_.partly[&function] = looked_at;
    }
    correlations_.looked_at.paths += looked_at.paths;
    correlations_.looked_at.statements += looked_at.statements;
    correlations_.looked_at.all_statements += looked_at.all_statements;
    correlations_.statements += static_cast<uint64_t>(looked_at.all_statements);
  }

  const Profile &profile_;
  const std::string &file_;
  const Names &names_;
  uint64_t most_;
  std::map<size_t, Part> parts_; // selected paths by function; empty if all paths are analyzed
  BranchCorrelations correlations_;
};

template <typename T>
void sort_by_gain(std::vector<T> &list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const T &a, const T &b) { return a.mispredictions_avoided() > b.mispredictions_avoided(); });
}

} // namespace

std::string LookedAt::text() const {
  return fmt::format("the {} hottest of {} executed paths, which account for {:.2f}% of the executed statements", paths,
                     executed, share());
}

BranchCorrelations find_correlations(const Profile &profile, const std::string &file, const Names &names,
                                     uint64_t most_paths) {
  BranchCorrelations correlations = Reader(profile, file, names, most_paths).run();
  sort_by_gain(correlations.rows);
  sort_by_gain(correlations.correlations);
  sort_by_gain(correlations.alternations);
  sort_by_gain(correlations.case_sequences);
  return correlations;
}

} // namespace pathprof
