// SPDX-License-Identifier: GPL-3.0-or-later
// pathdump functions: a row a function.
#include <algorithm>
#include <tuple>

#include <CLI/CLI.hpp>

#include "core/kiter.h"
#include "core/preferential.h"
#include "pathdump/commands.h"
#include "pathdump/common.h"
#include "pathdump/json.h"
#include "pathdump/programs.h"
#include "pathdump/trail.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  std::string sort = "hot";
  bool calls = false;
};

struct Row {
  const Function *function;
  Totals totals;
  std::optional<double> delta; // mode=preferential
};

// Executed paths, of a program's function those that come to it.
uint64_t num_executed(const Function &function) {
  return function.activity ? function.activity->num_paths : function.paths.size();
}

// Rows come in the profile's order (file, line, name), which a stable sort keeps among equals.
void sort_rows(std::vector<Row> &rows, const std::string &by, const Names &names) {
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
    stable([](const Row &a, const Row &b) {
      return std::tie(a.totals.statements, a.totals.executions) > std::tie(b.totals.statements, b.totals.executions);
    });
}

bool has_contexts(const Function &function) {
  return function.notes.model.mode == Mode::IntraContext;
}

// Heads of loops whose paths start anew, with each iteration.
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
  return function.notes.model.mode == Mode::Preferential;
}

uint64_t num_residual(const Function &function) {
  return static_cast<uint64_t>(std::count_if(function.paths.begin(), function.paths.end(),
                                             [&](const ExecutedPath &path) { return is_residual(function, path.id); }));
}

// How compact the numbers of the interesting paths are (or would be, where all paths have counters); nothing if there
// are no such paths, or too many.
std::optional<double> delta_of(const Function &function, const Decoded &decoded) {
  std::vector<uint64_t> interesting = function.notes.interesting_ids();
  if (interesting.empty() || !can_be_compact(decoded.graph, decoded.numbering, interesting))
    return std::nullopt;
  return PreferentialNumbering(decoded.graph, decoded.numbering, interesting).delta();
}

std::vector<int> collapsed_heads(const Function &function) {
  std::vector<int> heads;
  if (function.notes.model.mode == Mode::KIter)
    for (const CollapsedLoop &loop : collapsed_loops(function.notes.graph, function.notes.model))
      heads.push_back(loop.loop.head());
  return heads;
}

// "3/4": so many loops have context, of so many.
std::string contexts_text(const Function &function) {
  if (!has_contexts(function))
    return "-";
  size_t with = function.notes.model.loops.size();
  return fmt::format("{}/{}", with, with + loops_without_context(function).size());
}

size_t num_whole_calls(const Function &function) {
  const std::vector<CallNotes> &calls = function.notes.calls;
  return static_cast<size_t>(
      std::count_if(calls.begin(), calls.end(), [](const CallNotes &call) { return call.cut == CallCut::None; }));
}

// "3/4": paths go through so many calls, of so many.
std::string calls_text(const Function &function) {
  return function.in_program ? fmt::format("{}/{}", num_whole_calls(function), function.notes.calls.size()) : "-";
}

// A line for each call: what it calls, and why paths do not go through it.
std::string sites_text(const Function &function, const Names &names) {
  std::string text;
  for (size_t i = 0; i < function.notes.calls.size(); i++) {
    const CallNotes &call = function.notes.calls[i];
    const std::string &callee = function.callees[i];
    text += fmt::format("          {:>4} line {:<5} {}: {}{}\n", i, call.line,
                        !callee.empty()                 ? names.function(callee)
                        : call.cut == CallCut::Indirect ? "(indirect)"
                                                        : "(external)",
                        to_string(call.cut), call.kind == CallKind::Split ? ", paths end and begin here" : "");
  }
  return text;
}

// "2 whole, 1 recursive".
std::string reasons_text(const Profile &profile, const Program &program) {
  uint64_t number[kNumCallCuts] = {};
  for (size_t function : program.functions)
    for (const CallNotes &call : profile.functions[function].notes.calls)
      number[static_cast<size_t>(call.cut)]++;
  std::vector<std::string> parts;
  for (int cut = 0; cut < kNumCallCuts; cut++)
    if (number[cut] || cut == 0)
      parts.push_back(fmt::format("{} {}", number[cut], to_string(static_cast<CallCut>(cut))));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// How much of a program's direct calls paths go through.
struct DirectCalls {
  uint64_t sites = 0, whole_sites = 0;
  double executions = 0, whole_executions = 0;

  DirectCalls(const Profile &profile, const Program &program) {
    for (size_t function : program.functions)
      add(profile.functions[function]);
  }

  // In percent; all of nothing is whole.
  double share_of_sites() const {
    return sites ? 100.0 * static_cast<double>(whole_sites) / static_cast<double>(sites) : 100;
  }
  double share_of_executions() const { return executions > 0 ? 100 * whole_executions / executions : 100; }

private:
  // Control comes to a call as often as to its block, unless an earlier one did not come back.
  void add(const Function &function) {
    const Activity &activity = *function.activity;
    double come = 0;
    for (size_t i = 0; i < function.notes.calls.size(); i++) {
      const CallNotes &call = function.notes.calls[i];
      if (i == 0 || call.block != function.notes.calls[i - 1].block)
        come = static_cast<double>(activity.entered[call.block]);
      bool is_whole = call.kind == CallKind::Whole;
      if (!function.callees[i].empty()) {
        sites++;
        whole_sites += is_whole;
        executions += come;
        whole_executions += is_whole ? come : 0;
      }
      if (call.kind != CallKind::Summary)
        come = static_cast<double>(activity.resumed[i]);
    }
  }
};

void print_programs(const Profile &profile, const Names &names, Output &out) {
  if (profile.programs.empty())
    return;
  out.write("\nPaths across functions:\n");
  for (const Program &program : profile.programs) {
    DirectCalls direct(profile, program);
    out.print("  {}: {} of {} executed ({} bits), {}; calls: {}; whole of direct calls: {:.1f}% of sites, {:.1f}% of "
              "executions\n",
              paint(out, Colour::Name, name_of(program, names)), program.paths.size(), short_number(program.num_paths),
              program.num_bits(), plural(program.functions.size(), "function"), reasons_text(profile, program),
              direct.share_of_sites(), direct.share_of_executions());
  }
}

Json programs_json(const Profile &profile, const Names &names) {
  Json programs = Json::array();
  for (const Program &program : profile.programs) {
    DirectCalls direct(profile, program);
    programs.push_back({{"unit", unit_of(profile, program, names)},
                        {"mode", to_string(program.mode)},
                        {"num_paths", program.num_paths.get_str()},
                        {"bits", program.num_bits()},
                        {"executed_paths", program.paths.size()},
                        {"functions", program.functions.size()},
                        {"cut_sites", program.num_cut_calls()},
                        {"direct_sites", direct.sites},
                        {"whole_direct_sites", direct.whole_sites},
                        {"direct_executions", direct.executions},
                        {"whole_direct_executions", direct.whole_executions}});
  }
  return programs;
}

std::string place_of(const Function &function, const Names &names) {
  return fmt::format("{}:{}", names.file(function.file), function.notes.line);
}

// From right to left.
std::vector<std::string> interesting_cells(const Row &row) {
  if (!has_interesting(*row.function))
    return {"-", "-", "-", "-"};
  const FunctionNotes &notes = row.function->notes;
  return {row.delta ? fmt::format("{:.2f}", *row.delta) : "-", notes.num_slots ? std::to_string(notes.num_slots) : "-",
          std::to_string(num_residual(*row.function)), std::to_string(notes.interesting.size())};
}

void print_table(const std::vector<Row> &rows, const std::vector<const Function *> &left_out, const Profile &profile,
                 const Names &names, bool with_sites, Output &out) {
  bool any_calls = std::any_of(rows.begin(), rows.end(), [](const Row &row) { return row.function->in_program; });
  bool any_context = std::any_of(rows.begin(), rows.end(), [](const Row &row) { return has_contexts(*row.function); });
  bool any_interesting =
      std::any_of(rows.begin(), rows.end(), [](const Row &row) { return has_interesting(*row.function); });
  double all = 0;
  for (const Row &row : rows)
    all += static_cast<double>(row.totals.statements);
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
  static constexpr size_t kBehindMode = 9;
  if (any_context)
    columns.insert(columns.begin() + kBehindMode, {"context", true});
  if (any_calls)
    columns.insert(columns.begin() + kBehindMode, {"whole", true});
  if (any_interesting)
    for (const char *title : {"delta", "slots", "residual", "interesting"})
      columns.insert(columns.begin() + kBehindMode, {title, true});
  Table table(std::move(columns));
  for (const Row &row : rows) {
    const FunctionNotes &notes = row.function->notes;
    double share = all > 0 ? 100 * static_cast<double>(row.totals.statements) / all : 0;
    bool is_cut = notes.num_paths_uncut != mpz_class(notes.num_paths);
    std::vector<std::string> cells{fmt::format("{:.2f}%", share),
                                   std::to_string(row.totals.calls),
                                   std::to_string(row.totals.executions),
                                   std::to_string(num_executed(*row.function)),
                                   short_number(num_own_paths(*row.function)),
                                   is_cut ? short_number(notes.num_paths_uncut) : "-",
                                   std::to_string(notes.num_cuts()),
                                   storage_name(*row.function),
                                   to_string(notes.model.mode),
                                   to_string(notes.stage),
                                   names.function(notes.name),
                                   place_of(*row.function, names)};
    if (any_context)
      cells.insert(cells.begin() + kBehindMode, contexts_text(*row.function));
    if (any_calls)
      cells.insert(cells.begin() + kBehindMode, calls_text(*row.function));
    if (any_interesting)
      for (std::string &cell : interesting_cells(row))
        cells.insert(cells.begin() + kBehindMode, std::move(cell));
    table.add(std::move(cells), with_sites ? sites_text(*row.function, names) : "");
  }
  table.print(out);
  print_programs(profile, names, out);
  if (left_out.empty())
    return;
  out.print("\n{} left out:\n", plural(left_out.size(), "function"));
  for (const Function *function : left_out)
    out.print("  {} ({}): {}\n", paint(out, Colour::Name, names.function(function->notes.name)),
              place_of(*function, names), why_left_out(*function));
}

void print_json(const std::vector<Row> &rows, const std::vector<const Function *> &left_out, const Profile &profile,
                const Names &names, Output &out) {
  Json functions = Json::array(), not_counted = Json::array();
  for (const Row &row : rows) {
    const FunctionNotes &notes = row.function->notes;
    functions.push_back({{"name", notes.name},
                         {"demangled", names.function(notes.name)},
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
                         {"cuts", notes.num_cuts()}});
    if (has_contexts(*row.function)) {
      functions.back()["loops_with_context"] = notes.model.loops.size();
      functions.back()["loops_without_context"] = loops_without_context(*row.function);
    }
    if (has_interesting(*row.function)) {
      functions.back()["interesting_paths"] = notes.interesting.size();
      functions.back()["residual_paths"] = num_residual(*row.function);
      functions.back()["slots"] = notes.num_slots;
      functions.back()["delta"] = row.delta ? Json(*row.delta) : Json(nullptr);
    }
    if (std::vector<int> collapsed = collapsed_heads(*row.function); !collapsed.empty())
      functions.back()["loops_collapsed"] = collapsed;
    if (row.function->in_program) {
      functions.back()["calls_whole"] = num_whole_calls(*row.function);
      functions.back()["call_sites"] = calls_json(*row.function);
    }
  }
  for (const Function *function : left_out)
    not_counted.push_back(left_out_json(*function));
  out.print("{}\n", dump_indented({{"functions", std::move(functions)},
                                   {"programs", programs_json(profile, names)},
                                   {"left_out", std::move(not_counted)}}));
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options);
  std::vector<Row> rows;
  std::vector<const Function *> left_out;
  for (const Function &function : profile.functions) {
    if (!names.selects(function))
      continue;
    if (is_left_out(function)) {
      left_out.push_back(&function);
      continue;
    }
    std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
    rows.push_back({&function, totals_of(function, *decoded), std::nullopt});
    if (has_interesting(function))
      rows.back().delta = delta_of(function, *decoded);
  }
  sort_rows(rows, options.sort, names);
  Output out(options);
  if (options.json)
    print_json(rows, left_out, profile, names, out);
  else
    print_table(rows, left_out, profile, names, options.calls, out);
  out.commit();
  return kGood;
}

} // namespace

Run declare_functions(CLI::App &command) {
  auto options = std::make_shared<Options>();
  command
      .add_option("--sort", options->sort,
                  "name, calls, executed (paths), static (paths, before cutting) or hot (default)")
      ->type_name("KEY")
      ->check([](const std::string &word) {
        return check_word("sort key", word, {"name", "calls", "executed", "static", "hot"});
      });
  command.add_flag("--calls", options->calls,
                   "under each function whose paths go through calls, its calls and why paths do not go through them");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
