// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump advise: where paths know more than edges.
#include <algorithm>
#include <map>

#include <CLI/CLI.hpp>

#include "core/analysis/prediction.h"
#include "core/models/model.h"
#include "pathdump/commands/commands.h"
#include "pathdump/model/basis.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  uint64_t limit = 20;
};

// A branch that paths foresee better than edges do.
struct Correlation {
  const Function *function = nullptr;
  int block = 0;
  Mispredictions missed;
  std::optional<BranchPredictor::Decision> decided_by; // if that alone tells half of it

  uint64_t gain() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

// A loop in which the path of one iteration tells that of the next one.
struct Alternation {
  const Function *function = nullptr;
  int head = 0;
  uint64_t executions = 0;   // of iterations that follow another one
  uint64_t missed = 0;       // by who always says the most frequent path
  uint64_t missed_after = 0; // by who knows the path before

  uint64_t gain() const { return missed - missed_after; }
};

struct Row {
  const Function *function = nullptr;
  Mispredictions missed;
  bool has_pairs = false;

  uint64_t gain() const { return missed.by_edges - std::min(missed.by_edges, missed.by_pairs); }
};

struct Advice {
  std::vector<Row> rows;
  std::vector<Correlation> correlations;
  std::vector<Alternation> alternations;
  Mispredictions total;
  uint64_t num_without_pairs = 0;
};

bool has_pairs(const Function &function) {
  return model_of(function.notes.model).has(Feature::Sequences) && function.notes.model.k >= 2;
}

// How often one path followed another: the first two levels of the k-IPF.
class Pairs : public PrefixVisitor {
public:
  std::map<uint64_t, uint64_t> counts;                        // of paths
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> followed; // the earlier one first

  bool enter(uint64_t id, uint64_t count, const std::vector<uint32_t> &) override {
    (open_.empty() ? counts[id] : followed[{open_.back(), id}]) += count;
    open_.push_back(id);
    return open_.size() == 1;
  }
  void leave() override { open_.pop_back(); }

private:
  std::vector<uint64_t> open_;
};

class Adviser {
public:
  Adviser(const Function &function, const Decoded &decoded) : function_(function), decoded_(decoded) {}

  void run(Advice &advice) {
    BranchPredictor predictor(function_.notes.graph);
    for (const std::vector<ExecutedPath> *paths : {&function_.paths, &function_.cut_short})
      for (const ExecutedPath &path : *paths)
        if (path.count)
          predictor.add(path_of(path.id), path.count);
    if (has_pairs(function_))
      add_pairs(predictor, advice);
    Row row{&function_, {}, has_pairs(function_)};
    for (const auto &[block, missed] : predictor.branches()) {
      row.missed.add(missed);
      Correlation correlation{&function_, block, missed, std::nullopt};
      if (correlation.gain() * 20 < missed.executions) // a few executions are chance
        continue;
      correlation.decided_by = predictor.decided_by(block);
      bool tells_half =
          correlation.decided_by && correlation.decided_by->missed + correlation.gain() / 2 <= missed.by_edges;
      if (!tells_half)
        correlation.decided_by.reset();
      advice.correlations.push_back(std::move(correlation));
    }
    if (!row.missed.executions)
      return;
    advice.num_without_pairs += !row.has_pairs;
    advice.total.add(row.missed);
    advice.rows.push_back(row);
  }

private:
  const Path &path_of(uint64_t id) {
    auto found = paths_.find(id);
    if (found == paths_.end())
      found = paths_.emplace(id, *decoded_.regenerate(id)).first;
    return found->second;
  }

  void add_pairs(BranchPredictor &predictor, Advice &advice) {
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

  // Of a path, the head of the loop that it goes around, or -1.
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

  void find_alternations(const Pairs &pairs, Advice &advice) {
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
      if (loop.gain() * 20 >= loop.executions)
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

  const Function &function_;
  const Decoded &decoded_;
  std::map<uint64_t, Path> paths_;
};

template <typename T>
void sort_by_gain(std::vector<T> &list) {
  std::stable_sort(list.begin(), list.end(), [](const T &a, const T &b) { return a.gain() > b.gain(); });
}

template <typename T>
size_t shown(const std::vector<T> &list, uint64_t limit) {
  return limit && limit < list.size() ? static_cast<size_t>(limit) : list.size();
}

// Where a block ends: the branch.
const LineRef *last_line(const Function &function, int block) {
  const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
  return lines.empty() ? nullptr : &lines.back();
}

const LineRef *first_line(const Function &function, int block) {
  const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
  return lines.empty() ? nullptr : &lines.front();
}

std::string place_text(const Function &function, const LineRef *line, int block, const Names &names) {
  return line ? fmt::format("{}:{}", names.file((*function.files)[line->file]), line->line)
              : fmt::format("block {}", block);
}

Json place_json(const Function &function, const LineRef *line, int block, const Names &names) {
  Json json = {{"block", block}};
  if (line)
    json.update({{"file", names.file((*function.files)[line->file])}, {"line", line->line}});
  return json;
}

std::string share_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f}%", per_cent(static_cast<double>(part), static_cast<double>(whole)));
}

// Shares of a branch's executions that are foreseen wrongly: the same figure in each table and each profile, whatever
// else that has.
const std::vector<Column> missed_columns = {
    {"executions", true}, {"by edges", true}, {"by paths", true, Colour::Hot}, {"by pairs", true, Colour::Hot}};

std::vector<std::string> missed_cells(const Mispredictions &missed, bool has_pairs) {
  return {std::to_string(missed.executions), share_text(missed.by_edges, missed.executions),
          share_text(missed.by_paths, missed.executions),
          has_pairs ? share_text(missed.by_pairs, missed.executions) : "-"};
}

void print_heading(const Advice &advice, const Profile &profile, const Names &names, Output &out) {
  print_counted(profile, names, out);
  print_remark(
      "Shares are of the executions of branches: those that an ideal static predictor gets wrong that knows the "
      "counts of edges, of paths (the way to the branch in its path), of pairs of paths (the path before, too)",
      out);
  bool knows_more = std::any_of(advice.rows.begin(), advice.rows.end(), [](const Row &row) {
    const Model &model = model_of(row.function->notes.model);
    return model.has(Feature::LoopIterations) || model.has(Feature::LoopContexts);
  });
  if (knows_more)
    print_remark(
        "Paths across iterations, or with context, know more than acyclic ones: 'by paths' of such a profile is "
        "not that of an acyclic one",
        out);
  print_remark("Ranked by the executions that paths save over edges, and where pairs are known those", out);
  out.write("\n");
}

void print_functions(const Advice &advice, uint64_t limit, const Names &names, Output &out) {
  std::vector<Column> columns = missed_columns;
  columns.insert(columns.end(), {{"function", false, Colour::Name, 40}, {"place", false, Colour::Place}});
  Table table(std::move(columns));
  auto add = [&](const Mispredictions &missed, bool knows_pairs, const std::string &name, const std::string &place) {
    std::vector<std::string> cells = missed_cells(missed, knows_pairs);
    cells.insert(cells.end(), {name, place});
    table.add(std::move(cells));
  };
  for (size_t i = 0; i < shown(advice.rows, limit); i++) {
    const Row &row = advice.rows[i];
    add(row.missed, row.has_pairs, names.function(row.function->notes.name),
        fmt::format("{}:{}", names.file(row.function->file), row.function->notes.line));
  }
  add(advice.total, advice.num_without_pairs < advice.rows.size(), "total", "");
  out.write("Functions, all of their branches together\n\n");
  table.print(out);
}

void print_correlations(const Advice &advice, uint64_t limit, const Names &names, Output &out) {
  out.write("\n");
  print_remark("Branches that the way to them decides (in brackets: by who knows one earlier branch)", out);
  out.write("\n");
  std::vector<Column> columns = missed_columns;
  columns.insert(columns.end(), {{"function", false, Colour::Name, 40},
                                 {"branch", false, Colour::Place},
                                 {"best told by", false, Colour::Place}});
  Table table(std::move(columns));
  for (size_t i = 0; i < shown(advice.correlations, limit); i++) {
    const Correlation &branch = advice.correlations[i];
    const Function &function = *branch.function;
    std::string told = "-";
    if (branch.decided_by)
      told = fmt::format(
          "{} ({})",
          place_text(function, last_line(function, branch.decided_by->block), branch.decided_by->block, names),
          share_text(branch.decided_by->missed, branch.missed.executions));
    std::vector<std::string> cells = missed_cells(branch.missed, has_pairs(function));
    cells.insert(cells.end(), {names.function(function.notes.name),
                               place_text(function, last_line(function, branch.block), branch.block, names), told});
    table.add(std::move(cells));
  }
  table.print(out);
}

void print_alternations(const Advice &advice, uint64_t limit, const Names &names, Output &out) {
  out.write("\n");
  print_remark("Loops whose next way around follows from the last: shares of the rounds behind another one that are "
               "foreseen wrongly",
               out);
  out.write("\n");
  Table table({{"rounds", true},
               {"by counts", true},
               {"by the last", true, Colour::Hot},
               {"function", false, Colour::Name, 40},
               {"loop", false, Colour::Place}});
  for (size_t i = 0; i < shown(advice.alternations, limit); i++) {
    const Alternation &loop = advice.alternations[i];
    table.add({std::to_string(loop.executions), share_text(loop.missed, loop.executions),
               share_text(loop.missed_after, loop.executions), names.function(loop.function->notes.name),
               place_text(*loop.function, first_line(*loop.function, loop.head), loop.head, names)});
  }
  table.print(out);
}

void print_text(const Advice &advice, const Profile &profile, uint64_t limit, const Names &names, Output &out) {
  if (advice.rows.empty()) {
    out.write("No branch was executed in a function that has paths of its own.\n");
    return;
  }
  print_heading(advice, profile, names, out);
  print_functions(advice, limit, names, out);
  if (!advice.correlations.empty())
    print_correlations(advice, limit, names, out);
  if (!advice.alternations.empty())
    print_alternations(advice, limit, names, out);
  if (advice.num_without_pairs == advice.rows.size())
    out.write("\nWhat pairs of paths know, and which loops alternate, a profile of mode=kipf tells.\n");
}

Json missed_json(const Mispredictions &missed, bool has_pairs) {
  Json json = {{"executions", count_json(missed.executions)},
               {"missed_by_edges", count_json(missed.by_edges)},
               {"missed_by_paths", count_json(missed.by_paths)}};
  if (has_pairs)
    json["missed_by_pairs"] = count_json(missed.by_pairs);
  return json;
}

Json advice_json(const Advice &advice, const Profile &profile, uint64_t limit, const Names &names) {
  Json functions = Json::array(), branches = Json::array(), loops = Json::array();
  auto named = [&](const Function &function, Json json) {
    json.update({{"function", function.notes.name}, {"demangled", names.full(function.notes.name)}});
    return json;
  };
  for (size_t i = 0; i < shown(advice.rows, limit); i++)
    functions.push_back(named(*advice.rows[i].function, missed_json(advice.rows[i].missed, advice.rows[i].has_pairs)));
  for (size_t i = 0; i < shown(advice.correlations, limit); i++) {
    const Correlation &branch = advice.correlations[i];
    const Function &function = *branch.function;
    Json json = named(function, missed_json(branch.missed, has_pairs(function)));
    json["branch"] = place_json(function, last_line(function, branch.block), branch.block, names);
    if (branch.decided_by) {
      int block = branch.decided_by->block;
      json["told_by"] = place_json(function, last_line(function, block), block, names);
      json["told_by"]["missed"] = count_json(branch.decided_by->missed);
    }
    branches.push_back(std::move(json));
  }
  for (size_t i = 0; i < shown(advice.alternations, limit); i++) {
    const Alternation &loop = advice.alternations[i];
    Json json = named(*loop.function, {{"rounds", count_json(loop.executions)},
                                       {"missed", count_json(loop.missed)},
                                       {"missed_after_one", count_json(loop.missed_after)}});
    json["head"] = place_json(*loop.function, first_line(*loop.function, loop.head), loop.head, names);
    loops.push_back(std::move(json));
  }
  return {{"counted", counted_json(profile, names)},
          {"total", missed_json(advice.total, advice.num_without_pairs < advice.rows.size())},
          {"functions", std::move(functions)},
          {"branches", std::move(branches)},
          {"loops", std::move(loops)}};
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  Advice advice;
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && !function.in_program && names.selects(function))
      Adviser(function, *decode_or_fail(file, function)).run(advice);
  sort_by_gain(advice.rows);
  sort_by_gain(advice.correlations);
  sort_by_gain(advice.alternations);
  Output out(options);
  if (options.json)
    out.print("{}\n", dump_indented(advice_json(advice, profile, options.limit, names)));
  else
    print_text(advice, profile, options.limit, names, out);
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

Run declare_advise(CLI::App &command) {
  auto options = std::make_shared<Options>();
  add_number_option(command, options->limit, "at most so many functions, branches and loops (default 20, 0: all)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
