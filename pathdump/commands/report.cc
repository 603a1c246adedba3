// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump report`: lists the hot paths, ranked by their cost (model/basis.h).
#include <algorithm>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <tuple>

#include <fmt/ranges.h>

#include "core/models/model.h"
#include "core/numbering/saturate.h"
#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/model/sequences.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"
#include "pathdump/ui/unfinished.h"
#include "profile/model/profile.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  uint64_t limit = 20;
  double threshold = 0; // minimum share in per cent
  bool sequences = false;
  RankOptions rank;
};

struct Summary {
  uint64_t instrumented = 0;
  uint64_t left_out = 0;
  uint64_t paths = 0;
  uint64_t executions = 0;
  Weight weight = 0;     // weight of the whole profile
  uint64_t cycles = 0;   // cycles of all paths
  uint64_t selected = 0; // executed paths of the selected functions
};

// An executed path.  Paths are ranked by weight or, if `by_count` is set, by execution count.
struct RankedPath : HotPath {
  RankedPath(const HotPath &path, bool first_by_count) : HotPath(path), by_count(first_by_count) {}

  Weight key() const { return by_count ? count : weight; }
  bool operator<(const RankedPath &other) const {
    return key() != other.key() ? key() > other.key() : HotPath::operator<(other);
  }

  bool by_count;
};

// Collects paths.  Keeps only the `limit` highest-ranked paths, but computes totals over all paths.
class Hottest {
public:
  Hottest(uint64_t number, const Basis &basis)
      : limit(number), ranking(basis.ranking()), by_count(basis.order == "count") {}

  uint64_t limit; // maximum number of paths to keep; 0 keeps all
  Ranking ranking;
  bool by_count;
  Summary summary;
  std::vector<RankedPath> paths;

  void add(const HotPath &path) {
    static constexpr size_t kBatch = 16384;
    RankedPath ranked(path, by_count);
    if (ranked.key() < least_)
      return;
    paths.push_back(ranked);
    if (limit && paths.size() > limit + kBatch) {
      keep_best(paths, limit);
      least_ = std::max_element(paths.begin(), paths.end())->key(); // key of the coldest path that was kept
    }
  }

  void add(const Hottest &other) {
    summary.instrumented += other.summary.instrumented;
    summary.left_out += other.summary.left_out;
    summary.paths += other.summary.paths;
    saturating_add(summary.executions, other.summary.executions);
    summary.weight += other.summary.weight;
    saturating_add(summary.cycles, other.summary.cycles);
    summary.selected += other.summary.selected;
    for (const HotPath &path : other.paths)
      add(path);
  }

private:
  Weight least_ = 0; // lowest key of a kept path; paths with a lower key are dropped
};

void add_function(Hottest &hottest, const Function &function, size_t index, const Decoded &decoded, bool selected) {
  Weight cost = 0;
  Totals totals = for_each_path(function, index, decoded, hottest.ranking, [&](const HotPath &path) {
    cost += path.cost ? path.weight : 0;
    saturating_add(hottest.summary.cycles, path.cycles.value_or(0));
    if (selected)
      hottest.add(path);
  });
  uint64_t num_paths = function.paths.size() + function.cut_short.size();
  Summary &summary = hottest.summary;
  summary.paths += num_paths;
  summary.selected += selected ? num_paths : 0;
  saturating_add(summary.executions, totals.executions);
  if (hottest.ranking.by_cycles)
    summary.weight = summary.cycles;
  else
    summary.weight += hottest.ranking.costs ? cost : totals.statements;
}

// Adds the paths of an interprocedural unit.  Cycles are not measured for these paths.
void add_program(Hottest &hottest, const Profile &profile, size_t index, const Names &names) {
  Summary &summary = hottest.summary;
  auto see = [&](const HotPath &hot, const ShownPath &path) {
    if (!hottest.ranking.by_cycles)
      summary.weight += hot.weight;
    if (!path.is_selected(names))
      return;
    summary.selected++;
    HotPath shown = hot;
    if (hottest.ranking.by_cycles)
      shown.weight = 0;
    hottest.add(shown);
  };
  uint64_t executions = for_each_path(profile, index, see, hottest.ranking.costs);
  summary.paths += profile.interprocedural_units[index].paths.size();
  saturating_add(summary.executions, executions);
}

// Adds the paths of functions `first` to `last` − 1 to `hottest` and returns `hottest`.
Hottest hottest_of(const Profile &profile, const std::string &file, const Names &names, Hottest hottest, size_t first,
                   size_t last, Progress &progress) {
  for (size_t i = first; i < last; i++) {
    progress.advance();
    const Function &function = profile.functions[i];
    if (is_left_out(function)) {
      hottest.summary.left_out++;
      continue;
    }
    hottest.summary.instrumented++;
    if (!function.paths.empty() || !function.cut_short.empty())
      add_function(hottest, function, i, *decode_or_fail(file, function), names.selects(function));
  }
  return hottest;
}

// Returns the hottest paths of the profile.  The functions of a large profile are divided among threads so that each
// thread processes about the same number of paths.  The result does not depend on the order of the threads.
Hottest find_hottest(const Profile &profile, const std::string &file, const Names &names, uint64_t limit,
                     const Basis &basis) {
  static constexpr uint64_t kWorthAThread = 1000000; // minimum number of paths per thread
  uint64_t num_paths = 0;
  for (const Function &function : profile.functions)
    num_paths += function.paths.size();
  uint64_t threads =
      std::clamp<uint64_t>(num_paths / kWorthAThread, 1, std::max(1u, std::thread::hardware_concurrency()));
  Hottest hottest(limit, basis);
  Progress progress(profile.functions.size(), "functions");
  std::vector<std::future<Hottest>> parts;
  uint64_t seen = 0;
  for (size_t first = 0, last = 0; first < profile.functions.size(); first = last) {
    uint64_t end = num_paths / threads * (parts.size() + 1);
    bool is_last = parts.size() + 1 == threads;
    while (last < profile.functions.size() && (is_last || last == first || seen < end))
      seen += profile.functions[last++].paths.size();
    parts.push_back(std::async(threads == 1 ? std::launch::deferred : std::launch::async, hottest_of,
                               std::cref(profile), std::cref(file), std::cref(names), hottest, first, last,
                               std::ref(progress)));
  }
  for (std::future<Hottest> &part : parts)
    hottest.add(part.get());
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++)
    add_program(hottest, profile, i, names);
  keep_best(hottest.paths, limit);
  std::sort(hottest.paths.begin(), hottest.paths.end());
  return hottest;
}

double share_of(const HotPath &path, const Summary &summary) {
  return per_cent(static_cast<double>(path.weight), static_cast<double>(summary.weight));
}

void apply_threshold(Hottest &hottest, double threshold) {
  auto below = std::remove_if(hottest.paths.begin(), hottest.paths.end(),
                              [&](const HotPath &path) { return share_of(path, hottest.summary) < threshold; });
  hottest.paths.erase(below, hottest.paths.end());
}

// Sorts the hottest paths by function name and, within a function, by hotness.
void sort_by_name(Hottest &hottest, const Profile &profile, const Names &names) {
  std::map<size_t, std::string> shown;
  for (const HotPath &path : hottest.paths)
    shown.try_emplace(path.function, names.function(profile.functions[path.function].notes.name));
  std::stable_sort(hottest.paths.begin(), hottest.paths.end(), [&](const HotPath &a, const HotPath &b) {
    return std::tie(shown[a.function], a.function) < std::tie(shown[b.function], b.function);
  });
}

// Prints the hottest paths as a table or as JSON.
class Report {
public:
  Report(const Profile &profile, const std::string &file, const Hottest &hottest, const Basis &basis,
         const Options &options, const Names &names)
      : view_(profile, file, names, options), hottest_(hottest), basis_(basis), options_(options) {
    if (!basis.costs) // with measured costs, the rows name the expensive callees instead
      view_.formatter.mark_calls(profile);
  }

  void print_table(Output &out) {
    print_summary(out);
    if (!hottest_.paths.empty()) {
      Table table(columns());
      std::vector<PathLabel> rows;
      for (const HotPath &hot : hottest_.paths)
        rows.push_back(hot.is_of_program() ? program_row(hot) : row(hot));
      complete(rows, view_.formatter);
      double cumulative = 0;
      for (size_t i = 0; i < rows.size(); i++)
        add_row(out, table, hottest_.paths[i], rows[i], i + 1,
                cumulative += share_of(hottest_.paths[i], hottest_.summary));
      print_doubts(out, view_.sources);
      fit_paths(table, rows, view_.formatter);
      table.print(out);
    }
    print_rest(out);
    view_.formatter.print_legend(out);
    if (!hottest_.paths.empty())
      print_cost_hint("report", basis_, view_.file, out);
  }

  void print_json(Output &out) {
    const Summary &summary = hottest_.summary;
    Unfinished unfinished = unfinished_of(view_.profile);
    Json paths = Json::array();
    double cumulative = 0;
    for (const HotPath &hot : hottest_.paths)
      paths.push_back(row_json(hot, paths.size() + 1, cumulative += share_of(hot, hottest_.summary)));
    Json json = {{"program", view_.profile.program},
                 {"runs", count_json(view_.profile.runs)},
                 {"functions_instrumented", summary.instrumented},
                 {"functions_executed", executed_functions(view_.profile, unfinished).number},
                 {"functions_left_out", summary.left_out},
                 {"paths_executed", summary.paths},
                 {"path_executions", count_json(summary.executions)},
                 {"unfinished", count_json(unfinished.num_known)},
                 {"switched_on_us", count_json(has_switched_functions() ? view_.profile.switched : 0)},
                 {"counted", counted_json(view_.profile, view_.names)},
                 {"more", summary.selected - hottest_.paths.size()}};
    add_basis(json, basis_);
    json["paths"] = std::move(paths);
    out.print("{}\n", dump_indented(json));
  }

private:
  std::vector<Column> columns() const {
    return ranked_path_columns({{"rank", true}, {"share", true, Colour::Hot}, {"cumul.", true, Colour::Faint}},
                               basis_.has_cycles, view_.formatter.heading());
  }

  void print_summary(Output &out) const {
    const Summary &summary = hottest_.summary;
    Unfinished unfinished = unfinished_of(view_.profile);
    out.print("{}: {}, {} of {} executed, {} executed {}\n",
              paint(out, Colour::Heading, title_of(view_.profile, view_.file)), plural(view_.profile.runs, "run"),
              executed_functions(view_.profile, unfinished).text(), plural(summary.instrumented, "function"),
              plural(summary.paths, "distinct path"), plural(summary.executions, "time"));
    print_counted(view_.profile, view_.names, out);
    if (!hottest_.paths.empty())
      print_basis(basis_, summary.weight, out);
    if (summary.left_out)
      out.print("{} left out; '{} functions' lists the reasons\n", plural(summary.left_out, "function"), program_name);
    if (has_switched_functions())
      out.print(
          "Counting was switched on for {:.3f} s (switch=1); only paths that started during this time are counted\n",
          static_cast<double>(view_.profile.switched) / 1e6);
    if (std::string evidence = evidence_text(view_.profile, unfinished); !evidence.empty())
      out.print("{}\n", evidence);
    print_other_views(out);
    out.write("\n");
  }

  // Returns true if counting was switched on during only a part of the run and the profile contains functions compiled
  // with `switch=1`.
  bool has_switched_functions() const {
    return view_.profile.switched &&
           std::any_of(view_.profile.functions.begin(), view_.profile.functions.end(), [](const Function &function) {
             return !is_left_out(function) && (function.notes.flags & kSwitched);
           });
  }

  // If the profile contains path sequences, prints the command that lists them. If functions were compiled with
  // mode=preferential, prints the command that lists residual paths.
  void print_other_views(Output &out) const {
    auto any = [&](auto &&has) {
      return std::any_of(view_.profile.functions.begin(), view_.profile.functions.end(),
                         [&](const Function &function) { return !is_left_out(function) && has(function); });
    };
    if (any([](const Function &function) { return !function.forest.empty(); }))
      print_remark(fmt::format("'{} report --sequences' lists the sequences of paths", program_name), out);
    if (any([](const Function &function) { return model_of(function.notes.model).has(Feature::InterestingPaths); }))
      print_remark(fmt::format("'{} residual' lists the executed paths that are not interesting", program_name), out);
  }

  void add_row(Output &out, Table &table, const HotPath &hot, const PathLabel &row, uint64_t rank, double cumulative) {
    std::vector<std::string> cells = {std::to_string(rank), fmt::format("{:.2f}%", share_of(hot, hottest_.summary)),
                                      fmt::format("{:.2f}%", cumulative)};
    for (std::string &cell : path_cells(hot, row.start, row.end, basis_.has_cycles))
      cells.push_back(std::move(cell));
    cells.insert(cells.end(), {row.function, row.path});
    table.add(std::move(cells), hot.is_of_program() ? below_program_path(out, hot) : below(out, hot));
  }

  PathLabel row(const HotPath &hot) {
    Path path = view_.decoder.path(hot);
    PathLabel row = path_label(view_.profile.functions[hot.function], path, hot.id, view_.formatter);
    if (basis_.costs)
      row.calls = basis_.costs->callees(hot.function, path);
    return row;
  }

  // Returns the source lines to print below the row of an intraprocedural path.
  std::string below(const Output &out, const HotPath &hot) {
    const Function &function = view_.profile.functions[hot.function];
    Path path = view_.decoder.path(hot);
    view_.formatter.note(function, path);
    return options_.lines ? source_text(out, view_.sources, function, line_sequence_of(function, path)) : "";
  }

  // Returns true if an interprocedural path stays in one function.  Such a path is printed like an intraprocedural
  // path.
  static bool is_alone(const ShownPath &path) {
    for (size_t step = 0; step + 1 < path.path().steps.size(); step++)
      if (path.is_shown(step))
        return false;
    return true;
  }

  PathLabel program_row(const HotPath &hot) {
    ShownPath path(view_.profile, hot.program, hot.id);
    PathLabel row = path.path_label(view_.formatter, true);
    if (options_.lines && !is_alone(path))
      row.elements = {text_element(path.calls_text(view_.names))};
    return row;
  }

  // Returns the text to print below the row of an interprocedural path, with one line per step.
  std::string below_program_path(const Output &out, const HotPath &hot) {
    static constexpr size_t kMostSteps = 16;
    ShownPath path(view_.profile, hot.program, hot.id);
    if (!is_alone(path) || options_.lines)
      return path.outline(out, view_.formatter, options_.lines ? 0 : kMostSteps,
                          options_.lines ? &view_.sources : nullptr);
    size_t only = path.path().prefix_len;
    view_.formatter.note(path.function_of(only), path.decisions(only, view_.formatter));
    return {};
  }

  Json row_json(const HotPath &hot, uint64_t rank, double cumulative) {
    Json json = {{"rank", rank}, {"share", share_of(hot, hottest_.summary)}, {"cumulative", cumulative}};
    json.update(view_.json(hot));
    if (basis_.costs && !hot.is_of_program())
      json["calls"] = basis_.costs->callees(hot.function, view_.decoder.path(hot));
    return json;
  }

  void print_rest(Output &out) const {
    uint64_t more = hottest_.summary.selected - hottest_.paths.size();
    if (hottest_.summary.selected == 0)
      out.write(options_.functions.empty() ? "No path was executed.\n"
                                           : "No paths in the selected functions were executed.\n");
    else if (more && hottest_.paths.size() == options_.limit)
      out.print("... and {} more executed {} (-n 0 shows all)\n", more, more == 1 ? "path" : "paths");
    else if (more)
      out.print("... and {} more executed {} below the threshold\n", more, more == 1 ? "path" : "paths");
    view_.sources.warn();
  }

  ProfileView view_;
  const Hottest &hottest_;
  const Basis &basis_;
  const Options &options_;
};

// -------------------------------------------------------------------------------------------------
// Sequences of paths (--sequences).

bool has_sequences(const Function &function) {
  return std::any_of(function.forest.begin(), function.forest.end(),
                     [](const ForestNode &node) { return node.depth > 1; });
}

class SequenceReport {
public:
  SequenceReport(const Profile &profile, const std::string &file, const Names &names, const Options &options)
      : view_(profile, file, names, options), options_(options) {
    bool any_forest = false;
    for (const Function &function : profile.functions) {
      if (is_left_out(function))
        continue;
      std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
      total_ += totals_of(function, *decoded).statements;
      any_forest |= function.notes.has_forest();
      num_with_sequences_ += has_sequences(function);
      if (function.is_pruned)
        pruned_.push_back(fmt::format("{} ({})", names.function(function.notes.name),
                                      plural(broken_sequences(function, *decoded), "time")));
    }
    if (!any_forest)
      throw Failure(kWrongUse, fmt::format("report: {} contains no sequences of paths; compile with mode=kipf", file));
    sequences_ = hot_sequences(profile, file, names, options.limit);
    auto below = std::find_if(sequences_.begin(), sequences_.end(),
                              [&](const Sequence &sequence) { return share_of(sequence) < options.threshold; });
    sequences_.erase(below, sequences_.end());
  }

  void print_table(Output &out) {
    out.print("{}: {}, sequences of paths in {}, ranked by executed statements\n",
              paint(out, Colour::Heading, title_of(view_.profile, view_.file)), plural(view_.profile.runs, "run"),
              plural(num_with_sequences_, "function"));
    print_counted(view_.profile, view_.names, out);
    print_remark(fmt::format("Shares are relative to all {} executed statements; because sequences overlap, shares "
                             "need not add up to 100%",
                             digits(total_)),
                 out);
    for (const std::string &name : pruned_)
      out.print("Sequences of {} were truncated because the forest was full; increase PATHPROF_FOREST_MAX\n", name);
    out.write("\n");
    Table table({{"rank", true},
                 {"share", true, Colour::Hot},
                 {"count", true},
                 {"length", true},
                 {"function", false, Colour::Name, 40},
                 {"ids"}});
    for (const Sequence &sequence : sequences_)
      for (const SequenceStep &step : steps_of(sequence)) // all listed paths must be known before they are described
        view_.formatter.elements(function_of(sequence),
                                 *view_.decoder.decoded(sequence.function).regenerate(step.path));
    uint64_t rank = 0;
    for (const Sequence &sequence : sequences_)
      table.add({std::to_string(++rank), fmt::format("{:.2f}%", share_of(sequence)), std::to_string(sequence.count),
                 std::to_string(sequence.paths.size()), view_.names.function(function_of(sequence).notes.name),
                 ids_text(sequence)},
                steps_text(out, sequence));
    print_doubts(out, view_.sources);
    if (sequences_.empty())
      out.write("No activation of the selected functions executed more than one path.\n");
    else
      table.print(out);
    view_.formatter.print_legend(out);
    view_.sources.warn();
  }

  void print_json(Output &out) {
    Json sequences = Json::array();
    for (const Sequence &sequence : sequences_)
      sequences.push_back(json_of(sequence, sequences.size() + 1));
    Json json = {{"program", view_.profile.program},
                 {"runs", count_json(view_.profile.runs)},
                 {"functions_with_sequences", num_with_sequences_},
                 {"pruned", pruned_.size()},
                 {"sequences", std::move(sequences)}};
    out.print("{}\n", dump_indented(json));
  }

private:
  const Function &function_of(const Sequence &sequence) const { return view_.profile.functions[sequence.function]; }

  double share_of(const Sequence &sequence) const {
    return per_cent(static_cast<double>(sequence.weight), static_cast<double>(total_));
  }

  // Describes a sequence with one line per path.  Each line shows where the path starts and ends, and its decisions or
  // source lines.
  std::string steps_text(const Output &out, const Sequence &sequence) {
    static constexpr size_t kIndent = 10;
    std::string text;
    size_t number = 1;
    for (const SequenceStep &step : steps_of(sequence)) {
      Path path = *view_.decoder.decoded(sequence.function).regenerate(step.path);
      std::string numbers =
          step.times > 1 ? fmt::format("{}-{}", number, number + step.times - 1) : std::to_string(number);
      std::string id = fmt::format("[{}]", step.path);
      std::string ends = fmt::format("{} → {}", to_string(path.start), to_string(path.end));
      PathElements elements = view_.formatter.elements(function_of(sequence), path);
      size_t used = kIndent + num_characters(id) + num_characters(ends) + 3;
      text += fmt::format("{:>8}. {} {}: {}\n", numbers, paint(out, Colour::Faint, id), ends,
                          paint(out, Colour::Place, view_.formatter.paragraph(out, elements, used, kIndent)));
      view_.formatter.note(function_of(sequence), path);
      if (options_.lines)
        text += source_text(out, view_.sources, function_of(sequence), line_sequence_of(function_of(sequence), path));
      number += step.times;
    }
    return text;
  }

  Json json_of(const Sequence &sequence, uint64_t rank) {
    const Function &function = function_of(sequence);
    Json paths = Json::array();
    for (uint64_t id : sequence.paths) {
      Path path = *view_.decoder.decoded(sequence.function).regenerate(id);
      paths.push_back({{"id", std::to_string(id)},
                       {"start", to_string(path.start)},
                       {"end", to_string(path.end)},
                       {"lines", line_sequence_text(function, path, view_.names)},
                       {"decisions", view_.formatter.json(function, path)}});
    }
    return {{"rank", rank},
            {"share", share_of(sequence)},
            {"count", count_json(sequence.count)},
            {"length", sequence.paths.size()},
            {"period", sequence.period},
            {"function", function.notes.name},
            {"demangled", view_.names.full(function.notes.name)},
            {"file", view_.names.file(function.file)},
            {"line", function.notes.line},
            {"paths", std::move(paths)}};
  }

  ProfileView view_;
  const Options &options_;
  Weight total_ = 0;
  uint64_t num_with_sequences_ = 0; // number of functions that have sequences
  std::vector<std::string> pruned_;
  std::vector<Sequence> sequences_;
};

// -------------------------------------------------------------------------------------------------

// Throws Failure if an option would have no effect in combination with the other options.
void check_options(const Options &options) {
  check_lines_option(options, "report");
  if (options.sequences && !(options.rank.sort.empty() && options.rank.cost.empty()))
    throw Failure(kWrongUse,
                  fmt::format("report: --{} cannot be combined with --sequences, which always ranks by statements",
                              options.rank.sort.empty() ? "cost" : "sort"));
}

int run(const Options &options) {
  check_options(options);
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  if (options.sequences) {
    Output out(options);
    SequenceReport report(profile, file, names, options);
    options.json ? report.print_json(out) : report.print_table(out);
    out.commit();
    return status_of_selection(options, names, profile, file);
  }
  std::unique_ptr<Costs> costs = open_costs("report", options.rank.cost, profile, file);
  Basis basis = basis_of("report", options.rank, profile, file, costs.get());
  Hottest hottest = find_hottest(profile, file, names, options.limit, basis);
  apply_threshold(hottest, options.threshold);
  if (basis.order == "name")
    sort_by_name(hottest, profile, names);
  Output out(options);
  Report report(profile, file, hottest, basis, options, names);
  if (options.json)
    report.print_json(out);
  else
    report.print_table(out);
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

int report_of(const std::string &file, const CommonOptions &common) {
  Options options;
  static_cast<CommonOptions &>(options) = common;
  options.file = file;
  return run(options);
}

Run declare_report(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_number_option(command, options->limit, "print at most N paths (default 20; 0: all)");
  add_percentage_option(command, "--threshold", options->threshold,
                        "omit paths with less than PCT per cent of all executed statements or cycles (default 0)");
  add_rank_options(command, options->rank);
  command.add_flag("--sequences", options->sequences, "print hot sequences of paths instead of paths (mode=kipf)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  command.option("--lines").description(
      "identify paths by their source lines instead of their decisions, and print these lines under each path");
  return [options] { return run(*options); };
}

} // namespace pathprof
