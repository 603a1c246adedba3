// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump functions`: prints one row per function.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "core/models/model.h"
#include "core/numbering/preferential.h"
#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/export/json.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/calls.h"
#include "pathdump/model/families.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/ui/failure.h"
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
  std::string sort = "hot";
  std::string cost; // value of --cost
  bool calls = false;
};

struct Row {
  const Function *function;
  Totals totals;
  std::optional<double> delta; // compactness of the numbering with mode=preferential
  uint64_t cycles = 0;
  double cost = 0; // measured cost, if there is one

  Weight weight(const Basis &basis) const {
    return basis.costs ? static_cast<Weight>(std::llround(cost)) : basis.by_cycles ? Weight{cycles} : totals.statements;
  }
};

// The rows of the table, and the total weight to which the percentages in the rows refer.
struct Listed {
  Basis basis;
  Weight all = 0; // cycles or statements of the whole profile
  std::vector<Row> rows;
  std::vector<const Function *> left_out;

  double share_of(const Row &row) const {
    return per_cent(static_cast<double>(row.weight(basis)), static_cast<double>(all));
  }
};

// Returns the number of executed paths.  For a function in an interprocedural unit, returns the number of executed
// paths that reach the function.
uint64_t num_executed(const Function &function) {
  return function.activity ? function.activity->num_paths : function.paths.size();
}

// Sorts the rows by the key `by`.  Rows with the same key keep their order in the profile, which is sorted by file,
// line and name.
void sort_rows(Listed &listed, const std::string &by, const Names &names) {
  std::vector<Row> &rows = listed.rows;
  auto stable = [&](auto &&before) { std::stable_sort(rows.begin(), rows.end(), before); };
  if (by == "name")
    stable([&](const Row &a, const Row &b) {
      return names.function(a.function->notes.name) < names.function(b.function->notes.name);
    });
  else if (by == "calls")
    stable([](const Row &a, const Row &b) { return a.totals.calls > b.totals.calls; });
  else if (by == "executed")
    stable([](const Row &a, const Row &b) { return num_executed(*a.function) > num_executed(*b.function); });
  else if (by == "static")
    stable([](const Row &a, const Row &b) {
      return a.function->notes.num_paths_uncut > b.function->notes.num_paths_uncut;
    });
  else
    stable([&](const Row &a, const Row &b) {
      return std::make_pair(a.weight(listed.basis), a.totals.executions) >
             std::make_pair(b.weight(listed.basis), b.totals.executions);
    });
}

bool has_contexts(const Function &function) {
  return model_of(function.notes.model).has(Feature::LoopContexts);
}

// Returns the headers of the loops whose paths are counted without their context (the path that led to the loop).
std::vector<int> loops_without_context(const Function &function) {
  const FlowGraph &graph = function.notes.graph;
  std::vector<char> reachable = reachable_blocks(graph), with(static_cast<size_t>(graph.num_blocks()), 0);
  for (const LoopIterations &loop : function.notes.model.loops)
    if (loop.head < graph.num_blocks())
      with[loop.head] = 1;
  std::vector<int> without;
  for (int block = 0; block < graph.num_blocks(); block++)
    if (reachable[block] && !with[block] && graph.has_pred_with(block, kBack))
      without.push_back(block);
  return without;
}

bool has_interesting(const Function &function) {
  return model_of(function.notes.model).has(Feature::InterestingPaths);
}

uint64_t num_residual(const Function &function) {
  return static_cast<uint64_t>(std::count_if(function.paths.begin(), function.paths.end(),
                                             [&](const ExecutedPath &path) { return is_residual(function, path.id); }));
}

// Returns the compactness (delta) of the preferential numbering, even if the function does not use that numbering
// because every path has a counter.  Returns nothing if the function has no interesting paths, or too many of them.
std::optional<double> delta_of(const Function &function, const Decoded &decoded) {
  std::vector<uint64_t> interesting = function.notes.interesting_ids();
  if (interesting.empty() || !can_be_compact(decoded.graph, decoded.numbering, interesting))
    return std::nullopt;
  return PreferentialNumbering(decoded.graph, decoded.numbering, interesting).delta();
}

std::vector<int> collapsed_heads(const Function &function) {
  std::vector<int> heads;
  const FunctionNotes &notes = function.notes;
  for (const CollapsedLoop &loop : model_of(notes.model).collapsed_loops(notes.graph, notes.model))
    heads.push_back(loop.loop.head());
  return heads;
}

// Returns text such as "3/4": the number of loops whose paths are counted with their context (the path that led to the
// loop), and the total number of loops.
std::string contexts_text(const Function &function) {
  if (!has_contexts(function))
    return "-";
  size_t with = function.notes.model.loops.size();
  return fmt::format("{}/{}", with, with + loops_without_context(function).size());
}

void print_programs(const Profile &profile, const Names &names, Output &out) {
  if (profile.interprocedural_units.empty())
    return;
  out.write("\nInterprocedural paths:\n");
  for (const InterproceduralUnit &unit : profile.interprocedural_units) {
    DirectCalls direct(profile, unit);
    out.print("  {}: {} of {} executed ({} bits), {}; calls: {}; paths go through {:.1f}% of the direct call sites and "
              "{:.1f}% of their executions\n",
              paint(out, Colour::Name, name_of(unit, names)), unit.paths.size(), short_number(unit.num_paths),
              unit.num_bits(), plural(unit.functions.size(), "function"), reasons_text(profile, unit),
              direct.share_of_sites(), direct.share_of_executions());
  }
}

Json programs_json(const Profile &profile, const Names &names) {
  Json programs = Json::array();
  for (const InterproceduralUnit &unit : profile.interprocedural_units) {
    DirectCalls direct(profile, unit);
    programs.push_back({{"unit", unit_of(profile, unit, names)},
                        {"mode", to_string(unit.mode)},
                        {"num_paths", unit.num_paths.get_str()},
                        {"bits", unit.num_bits()},
                        {"executed_paths", unit.paths.size()},
                        {"functions", unit.functions.size()},
                        {"cut_sites", unit.num_cut_calls()},
                        {"direct_sites", direct.sites},
                        {"whole_direct_sites", direct.whole_sites},
                        {"direct_executions", direct.executions},
                        {"whole_direct_executions", direct.whole_executions}});
  }
  return programs;
}

// Returns the cells for mode=preferential from right to left, because each cell is inserted to the left of the previous
// one.
std::vector<std::string> interesting_cells(const Row &row) {
  if (!has_interesting(*row.function))
    return {"-", "-", "-", "-"};
  const FunctionNotes &notes = row.function->notes;
  return {row.delta ? fmt::format("{:.2f}", *row.delta) : "-", notes.num_slots ? std::to_string(notes.num_slots) : "-",
          std::to_string(num_residual(*row.function)), std::to_string(notes.interesting.size())};
}

// Returns the cells for metric=tsc: the function's cycles, and the percentage of the measured time that was spent on
// measuring.
std::vector<std::string> cycles_cells(const Row &row, const Basis &basis) {
  if (!row.function->notes.measures_cycles())
    return {"-", "-"};
  double cost = per_cent(static_cast<double>(row.function->measuring),
                         static_cast<double>(row.function->measuring) + static_cast<double>(row.cycles));
  return {std::to_string(row.cycles), basis.knows_cost ? fmt::format("{:.1f}%", cost) : "-"};
}

void print_heading(const Listed &listed, const Profile &profile, const Names &names, const Options &options,
                   Output &out) {
  print_counted(profile, names, out);
  print_basis(listed.basis, listed.all, out);
  bool is_by_cost = options.sort == "cost" && listed.basis.costs;
  if (options.sort != "hot" && options.sort != listed.basis.name() && !is_by_cost)
    out.print("Rows are sorted by: {}\n", options.sort);
  bool any_sites = std::any_of(listed.rows.begin(), listed.rows.end(),
                               [](const Row &row) { return !row.function->notes.calls.empty(); });
  if (any_sites && !options.calls)
    print_remark("--calls lists the calls that paths go through, and the reasons why other calls are excluded", out);
  out.write("\n");
}

// Records which optional columns are needed by at least one row.
struct Extras {
  bool calls, context, interesting, cycles;

  explicit Extras(const Listed &listed) : cycles(listed.basis.has_cycles) {
    auto any = [&](bool (*has)(const Function &function)) {
      return std::any_of(listed.rows.begin(), listed.rows.end(), [has](const Row &row) { return has(*row.function); });
    };
    calls = any([](const Function &function) { return function.in_program; });
    context = any(has_contexts);
    interesting = any(has_interesting);
  }
};

constexpr size_t kBehindMode = 9; // index of the first column after "mode" if no column is added

std::vector<Column> columns_with(const Extras &extras) {
  std::vector<Column> columns{{"share", true, Colour::Hot},
                              {"calls", true},
                              {"executions", true},
                              {"executed", true},
                              {"static", true},
                              {"uncut", true},
                              {"cuts", true},
                              {"storage"},
                              {"mode"},
                              {"stage"},
                              {"function", false, Colour::Name, 40},
                              {"place", false, Colour::Place}};
  if (extras.context)
    columns.insert(columns.begin() + kBehindMode, {"context", true});
  if (extras.calls)
    columns.insert(columns.begin() + kBehindMode, {"whole", true});
  if (extras.interesting)
    for (const char *title : {"delta", "slots", "residual", "interesting"})
      columns.insert(columns.begin() + kBehindMode, {title, true});
  if (extras.cycles)
    columns.insert(columns.begin() + 1, {{"cycles", true}, {"measuring", true}});
  return columns;
}

std::vector<std::string> cells_of(const Listed &listed, const Row &row, const Extras &extras, const Names &names) {
  const FunctionNotes &notes = row.function->notes;
  bool is_cut = notes.num_paths_uncut != mpz_class(notes.num_paths);
  std::vector<std::string> cells{fmt::format("{:.2f}%", listed.share_of(row)),
                                 std::to_string(row.totals.calls),
                                 std::to_string(row.totals.executions),
                                 std::to_string(num_executed(*row.function)),
                                 short_number(num_own_paths(*row.function)),
                                 is_cut ? short_number(notes.num_paths_uncut) : "-",
                                 std::to_string(notes.num_cuts()),
                                 storage_name(*row.function),
                                 mode_text(notes),
                                 to_string(notes.stage),
                                 names.function(notes.name),
                                 names.location(*row.function)};
  if (extras.context)
    cells.insert(cells.begin() + kBehindMode, contexts_text(*row.function));
  if (extras.calls)
    cells.insert(cells.begin() + kBehindMode, calls_text(*row.function));
  if (extras.interesting)
    for (std::string &cell : interesting_cells(row))
      cells.insert(cells.begin() + kBehindMode, std::move(cell));
  if (extras.cycles) {
    std::vector<std::string> cycles = cycles_cells(row, listed.basis);
    cells.insert(cells.begin() + 1, cycles.begin(), cycles.end());
  }
  return cells;
}

void print_left_out(const std::vector<const Function *> &left_out, const Names &names, Output &out) {
  if (left_out.empty())
    return;
  out.print("\n{} left out:\n", plural(left_out.size(), "function"));
  for (const Function *function : left_out)
    out.print("  {} ({}): {}\n", paint(out, Colour::Name, names.function(function->notes.name)),
              names.location(*function), why_left_out(*function));
}

void print_table(const Listed &listed, const Profile &profile, const Names &names, bool with_sites, Output &out) {
  Extras extras(listed);
  Table table(columns_with(extras));
  for (const Row &row : listed.rows)
    table.add(cells_of(listed, row, extras, names), with_sites ? sites_text(*row.function, names) : "");
  table.print(out);
  print_programs(profile, names, out);
  print_left_out(listed.left_out, names, out);
}

Json row_json(const Listed &listed, const Row &row, const Names &names) {
  const FunctionNotes &notes = row.function->notes;
  Json json = {{"name", notes.name},
               {"demangled", names.full(notes.name)},
               {"file", names.file(row.function->file)},
               {"line", notes.line},
               {"num_paths", num_own_paths(*row.function).get_str()},
               {"num_paths_uncut", notes.num_paths_uncut.get_str()},
               {"executed_paths", num_executed(*row.function)},
               {"calls", count_json(row.totals.calls)},
               {"executions", count_json(row.totals.executions)},
               {"storage", storage_name(*row.function)},
               {"mode", to_string(notes.model.mode)},
               {"stage", to_string(notes.stage)},
               {"cuts", notes.num_cuts()},
               {"share", listed.share_of(row)}};
  if (listed.basis.costs)
    json["cost"] = std::round(row.cost);
  if (is_of_another(*row.function))
    json["part_of"] = name_of_original(notes.name);
  if (notes.measures_cycles()) {
    json["cycles"] = count_json(row.cycles);
    json["measuring_cycles"] = listed.basis.knows_cost ? count_json(row.function->measuring) : Json(nullptr);
  }
  if (has_contexts(*row.function)) {
    json["loops_with_context"] = notes.model.loops.size();
    json["loops_without_context"] = loops_without_context(*row.function);
  }
  if (has_interesting(*row.function)) {
    json["interesting_paths"] = notes.interesting.size();
    json["residual_paths"] = num_residual(*row.function);
    json["slots"] = notes.num_slots;
    json["delta"] = row.delta ? Json(*row.delta) : Json(nullptr);
  }
  if (std::vector<int> collapsed = collapsed_heads(*row.function); !collapsed.empty())
    json["loops_collapsed"] = collapsed;
  if (row.function->in_program) {
    json["calls_whole"] = num_whole_calls(*row.function);
    json["call_sites"] = calls_json(*row.function);
  }
  return json;
}

void print_json(const Listed &listed, const Profile &profile, const Names &names, Output &out) {
  Json functions = Json::array(), not_counted = Json::array();
  for (const Row &row : listed.rows)
    functions.push_back(row_json(listed, row, names));
  for (const Function *function : listed.left_out)
    not_counted.push_back(left_out_json(*function));
  Json json = {{"counted", counted_json(profile, names)}};
  add_basis(json, listed.basis);
  json.update({{"functions", std::move(functions)},
               {"programs", programs_json(profile, names)},
               {"left_out", std::move(not_counted)}});
  out.print("{}\n", dump_indented(json));
}

// Collects the rows of the selected functions.  Their percentages are relative to the whole profile.
Listed list_functions(const Profile &profile, const std::string &file, const Names &names, const Basis &basis) {
  Listed listed{basis, 0, {}, {}};
  Families families(profile, file);
  for (size_t i = 0; i < profile.functions.size(); i++) {
    const Function &function = profile.functions[i];
    if (is_left_out(function)) {
      if (names.selects(function))
        listed.left_out.push_back(&function);
      continue;
    }
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    Row row{&function, totals_of(function, *decoded), std::nullopt, cycles_of(function),
            basis.costs ? basis.costs->of_function(i) : 0};
    row.totals.calls = families.calls(function, row.totals.calls);
    listed.all += row.weight(listed.basis);
    if (!names.selects(function))
      continue;
    if (has_interesting(function))
      row.delta = delta_of(function, *decoded);
    listed.rows.push_back(row);
  }
  return listed;
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  if (options.calls && profile.interprocedural_units.empty())
    throw Failure(
        kWrongUse,
        fmt::format(
            "functions: --calls: {} contains no interprocedural paths; compile with mode=context or mode=piecewise",
            file));
  Names names(options, {&profile});
  if (options.sort == "cycles" && !profile.has_cycles())
    throw Failure(kWrongUse, fmt::format("functions: {} contains no cycles; compile with metric=tsc", file));
  static const std::set<std::string> kRankings = {"statements", "cycles", "cost"};
  std::unique_ptr<Costs> costs = open_costs("functions", options.cost, profile, file);
  RankOptions rank = {kRankings.count(options.sort) ? options.sort : "", options.cost};
  Listed listed = list_functions(profile, file, names, basis_of("functions", rank, profile, file, costs.get()));
  sort_rows(listed, options.sort, names);
  Output out(options);
  if (options.json) {
    print_json(listed, profile, names, out);
  } else {
    print_heading(listed, profile, names, options, out);
    print_table(listed, profile, names, options.calls, out);
    if (listed.all)
      print_cost_hint("functions", listed.basis, file, out);
  }
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

Run declare_functions(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("--sort", options->sort, "KEY",
                  "sort key: hot (ranked as in report; default), statements, cycles, cost (given with --cost), name, "
                  "calls, executed (number of executed paths) or static (number of paths before truncation)")
      .accept("sort key", {"name", "calls", "executed", "static", "hot", "statements", "cycles", "cost"});
  add_cost_option(command, options->cost);
  command.add_flag("--calls", options->calls,
                   "list the calls in each function with interprocedural paths, and the reasons why paths do not go "
                   "through some calls (always listed with --json)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
