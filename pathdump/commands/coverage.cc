// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump coverage`: reports the share of executed paths, and lists paths that were not executed or that a
// reference profile does not contain.
#include <algorithm>
#include <map>

#include "pathdump/commands/commands.h"
#include "pathdump/coverage/changed_paths.h"
#include "pathdump/coverage/evidence.h"
#include "pathdump/coverage/evidence_folder.h"
#include "pathdump/coverage/print_prime.h"
#include "pathdump/coverage/print_conditions.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/compare.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/missing.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  std::string reference;
  bool missing = false;
  bool prime = false;
  bool conditions = false;
  bool vectors = false;
  uint64_t limit = 20;
  bool has_limit = false; // true if -n was given
  double least = 0;       // required coverage in per cent
  ChangedOptions changed;
  std::string evidence; // directory to write evidence to; empty if not given
};

struct PathTotals {
  uint64_t executed = 0;
  mpz_class all = 0;

  void add(const PathTotals &other) {
    executed += other.executed;
    all += other.all;
  }
  double share() const { return all > 0 ? per_cent(static_cast<double>(executed), all.get_d()) : 0; }
};

struct Row {
  std::string name, file; // display names
  std::string demangled;
  uint32_t line = 0;
  const Function *function = nullptr; // null for an interprocedural unit
  PathTotals totals;
};

struct Coverage {
  std::vector<Row> rows; // functions, followed by interprocedural units
  std::map<std::string, PathTotals> files;
  PathTotals total;
};

// Returns the number of executed paths in a function or an interprocedural unit.
template <typename Executed>
uint64_t num_executed(const std::vector<Executed> &paths) {
  return static_cast<uint64_t>(
      std::count_if(paths.begin(), paths.end(), [](const Executed &path) { return path.count > 0; }));
}

// Computes path coverage.  Ignores truncated paths.  Functions with interprocedural paths have no rows of their own;
// instead, each interprocedural unit has a row.
Coverage measure(const Profile &profile, const Names &names) {
  Coverage coverage;
  for (const Function &function : profile.functions)
    if (!is_left_out(function) && !function.in_program && names.selects(function))
      coverage.rows.push_back({names.function(function.notes.name),
                               names.file(function.file),
                               names.full(function.notes.name),
                               function.notes.line,
                               &function,
                               {num_executed(function.paths), num_own_paths(function)}});
  for (const InterproceduralUnit &program : profile.interprocedural_units) {
    bool is_selected = std::any_of(program.functions.begin(), program.functions.end(),
                                   [&](size_t function) { return names.selects(profile.functions[function]); });
    if (is_selected)
      coverage.rows.push_back({name_of(program, names),
                               unit_of(profile, program, names),
                               "",
                               0,
                               nullptr,
                               {num_executed(program.paths), program.num_paths}});
  }
  for (const Row &row : coverage.rows) {
    coverage.files[row.file].add(row.totals);
    coverage.total.add(row.totals);
  }
  return coverage;
}

std::vector<std::string> cells_of(const PathTotals &totals) {
  return {fmt::format("{:.2f}%", totals.share()), std::to_string(totals.executed), short_number(totals.all)};
}

void print_heading(const Profile &profile, const Names &names, bool has_list, Output &out) {
  print_counted(profile, names, out);
  print_remark(
      "Shares refer to all static paths; each executed path is counted once, regardless of its execution count", out);
  if (!has_list)
    out.write("--missing lists the paths that were not executed\n");
  out.write("\n");
}

void print_table(const Coverage &coverage, Output &out) {
  Table table({{"share", true, Colour::Hot},
               {"executed", true},
               {"paths", true},
               {"of", false, Colour::Name, 40},
               {"place", false, Colour::Place}});
  auto add = [&](const PathTotals &totals, const std::string &name, const std::string &place) {
    std::vector<std::string> cells = cells_of(totals);
    cells.insert(cells.end(), {name, place});
    table.add(std::move(cells));
  };
  for (const Row &row : coverage.rows)
    add(row.totals, row.name, row.function ? fmt::format("{}:{}", row.file, row.line) : row.file);
  if (coverage.files.size() > 1)
    for (const auto &[file, totals] : coverage.files)
      add(totals, "file", file);
  add(coverage.total, "total", "");
  table.print(out);
}

Json totals_json(const PathTotals &totals) {
  return {{"executed", totals.executed}, {"num_paths", totals.all.get_str()}, {"share", totals.share()}};
}

Json coverage_json(const Coverage &coverage) {
  Json functions = Json::array(), programs = Json::array(), files = Json::array();
  for (const Row &row : coverage.rows) {
    Json json = totals_json(row.totals);
    if (row.function) {
      json.update({{"name", row.function->notes.name}, {"demangled", row.demangled}});
      json.update({{"file", row.file}, {"line", row.line}});
      functions.push_back(std::move(json));
    } else {
      json["unit"] = row.file;
      programs.push_back(std::move(json));
    }
  }
  for (const auto &[file, totals] : coverage.files) {
    files.push_back(totals_json(totals));
    files.back()["file"] = file;
  }
  return {{"functions", std::move(functions)},
          {"programs", std::move(programs)},
          {"files", std::move(files)},
          {"total", totals_json(coverage.total)}};
}

// -------------------------------------------------------------------------------------------------
// Paths that were not executed in the reference profile.

class PathsNotIn {
public:
  PathsNotIn(const Options &options, ProfileView &view) : view_(view) {
    Profile reference = open_profile(options.reference);
    Comparison comparison =
        compare({&reference, options.reference}, {&view.profile, view.file}, view.names, options.limit, 0,
                [](const PathChange &change) { return change.kind == ChangeKind::New; });
    for (const PathChange &change : comparison.changes)
      paths_.push_back(change.hot_path());
    num_found_ = comparison.num_of_kind[static_cast<size_t>(ChangeKind::New)];
    num_changed_functions_ = comparison.changed.size();
  }

  void print_text(Output &out) {
    out.print("\n{} not executed in the reference profile\n", plural(num_found_, "path"));
    if (paths_.empty())
      return;
    out.write("Ranked by executed statements (executions × statements)\n\n");
    Table table(ranked_path_columns({{"rank", true}}, false, view_.formatter.heading()));
    std::vector<PathLabel> rows = view_.labels(paths_, false);
    for (size_t i = 0; i < rows.size(); i++) {
      const HotPath &hot = paths_[i];
      if (!hot.is_of_program())
        view_.formatter.note(view_.function(hot), view_.decoder.path(hot));
      table.add({std::to_string(i + 1), std::to_string(hot.count), std::to_string(hot.statements), digits(hot.id),
                 rows[i].start, rows[i].end, rows[i].function, rows[i].path});
    }
    table.print(out);
    if (num_found_ > paths_.size())
      out.print("... and {} (-n 0 shows all)\n", plural(num_found_ - paths_.size(), "more path"));
    if (num_changed_functions_)
      out.print("{} not compared because of changes since the reference profile; see '{} diff'\n",
                plural(num_changed_functions_, "function"), program_name);
  }

  Json json() {
    Json paths = Json::array();
    for (const HotPath &hot : paths_)
      paths.push_back(view_.json(hot));
    return {{"found", num_found_}, {"changed_functions", num_changed_functions_}, {"paths", std::move(paths)}};
  }

private:
  ProfileView &view_;
  std::vector<HotPath> paths_; // the paths to list
  uint64_t num_found_;
  size_t num_changed_functions_;
};

// The optional lists that are printed after the coverage table.
struct Lists {
  std::unique_ptr<MissingPaths> missing;
  std::unique_ptr<PathsNotIn> not_in;
};

void print(const Coverage &coverage, const Profile &profile, const PathFormatter &formatter, const Lists &lists,
           bool as_json, Output &out) {
  const Names &names = formatter.names();
  if (as_json) {
    Json json = coverage_json(coverage);
    json["counted"] = counted_json(profile, names);
    if (lists.missing)
      json["missing"] = lists.missing->json();
    if (lists.not_in)
      json["oddballs"] = lists.not_in->json();
    out.print("{}\n", dump_indented(json));
    return;
  }
  print_heading(profile, names, lists.missing != nullptr, out);
  print_table(coverage, out);
  if (lists.missing)
    lists.missing->print_text(out);
  if (lists.not_in)
    lists.not_in->print_text(out);
  formatter.print_legend(out);
}

// Throws Failure if two options contradict each other or if an option would have no effect.
void check_options(const Options &options) {
  check_lines_option(options, "coverage");
  const ChangedOptions &changed = options.changed;
  bool is_changed = !changed.revision.empty(), has_lists = options.missing || !options.reference.empty();
  const std::pair<bool, const char *> faults[] = {
      {!options.evidence.empty() && is_changed,
       "--evidence covers all code and cannot be combined with --changed-since"},
      {!options.evidence.empty() && options.file == "-",
       "--evidence reads the profile a second time, but standard input ('-') can be read only once"},
      {!is_changed && (!changed.earlier.empty() || !changed.annotate.empty()),
       "--earlier and --annotate require --changed-since"},
      {!changed.annotate.empty() && options.json, "--annotate and --json cannot be combined"},
      {options.conditions && (has_lists || options.prime),
       "--missing, --not-in and --prime apply to paths and cannot be combined with --conditions"},
      {options.vectors && !options.conditions, "--vectors requires --conditions"},
      {options.vectors && !changed.annotate.empty(), "--vectors and --annotate cannot be combined"},
      {is_changed && (has_lists || options.prime),
       "--changed-since already lists missing paths and cannot be combined with --missing, --not-in or --prime"},
      {options.file == "-" && options.reference == "-", "standard input ('-') can be read only once"},
      {options.missing && options.limit == 0,
       "--missing cannot list all paths ('-n 0'), because there can be up to 2^60 of them; use -n with a positive "
       "number"},
      {options.prime && !options.reference.empty(),
       "--not-in compares executed paths and cannot be combined with --prime"},
      {options.has_limit && !has_lists && !options.conditions && !is_changed && !options.prime,
       "-n limits the lists that --missing and --not-in print; use one of these options"},
  };
  for (const auto &[is_wrong, message] : faults)
    if (is_wrong)
      throw Failure(kWrongUse, fmt::format("coverage: {}", message));
}

// Throws Failure if --missing cannot be used, because the profile contains only interprocedural paths.
void check_missing(const Profile &profile, const std::string &file) {
  bool has_own_paths = std::any_of(profile.functions.begin(), profile.functions.end(), [](const Function &function) {
    return !is_left_out(function) && !function.in_program;
  });
  if (!profile.interprocedural_units.empty() && !has_own_paths)
    throw Failure(kWrongUse, fmt::format("coverage: --missing applies to intraprocedural paths; {} contains only "
                                         "interprocedural paths (mode=context, mode=piecewise)",
                                         file));
}

// Prints the coverage of paths, with the lists that the options request.
int report_paths(const Options &options, const std::string &file) {
  Profile profile = open_profile(file);
  if (options.missing)
    check_missing(profile, file);
  Names names(options, {&profile});
  decode_all_or_fail(file, profile);
  Coverage coverage = measure(profile, names);
  ProfileView view(profile, file, names, options);
  Lists lists;
  if (options.missing)
    lists.missing = std::make_unique<MissingPaths>(profile, file, names, view.formatter, options.limit);
  if (!options.reference.empty())
    lists.not_in = std::make_unique<PathsNotIn>(options, view);
  Output out(options);
  print(coverage, profile, view.formatter, lists, options.json, out);
  out.commit();
  return status_of_selection(options, names, profile, file, coverage.total.share() < options.least ? kMissed : kGood);
}

// Prints the coverage of conditions, changed code, prime paths or paths.
int report(const Options &options, const std::string &file) {
  if (options.conditions)
    return cover_conditions(options, {file, options.vectors, options.limit, options.least, options.changed});
  if (!options.changed.revision.empty()) {
    ChangedOptions changed = options.changed;
    changed.least = options.least;
    changed.limit = options.limit;
    return cover_changed_code(file, changed, options);
  }
  if (options.prime)
    return print_prime_coverage(options, {file, options.missing, options.limit, options.has_limit, options.least});
  return report_paths(options, file);
}

// Prints the report and, if --evidence is given, writes the coverage evidence for all functions and all criteria.
int run(const Options &options) {
  check_options(options);
  std::string file = choose_profile(options.file);
  if (!options.evidence.empty())
    check_evidence_folder(options.evidence);
  int status = report(options, file);
  if (!options.evidence.empty())
    write_evidence_of(file, options.evidence, options);
  return status;
}

} // namespace

Run declare_coverage(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_flag("--missing", options->missing,
                   "list paths that were not executed, starting with those nearest to an executed path");
  command.add_flag(
      "--prime", options->prime,
      "report prime paths (simple paths and cycles that are not contained in other simple paths) with their counts");
  command.add_flag("--conditions", options->conditions,
                   "report decisions, conditions and MC/DC instead of paths, for programs built with conditions=1");
  command.add_flag("--vectors", options->vectors,
                   "with --conditions, list all decisions with the executed vectors of condition values");
  command.add_option("--not-in,--oddball", options->reference, "REF",
                     "list paths that were executed in FILE but not in the profile REF");
  command.add_option("--changed-since", options->changed.revision, "REV",
                     "report only code that has changed since the git revision REV: "
                     "unexecuted paths, lines and branch outcomes or, with --conditions, changed decisions");
  command.add_option("--earlier", options->changed.earlier, "OLD",
                     "with --changed-since, also print the counts in OLD, a profile of revision REV, "
                     "for functions that have not changed");
  command
      .add_option("--annotate", options->changed.annotate, "github|gitlab",
                  "with --changed-since, print the findings as GitHub annotations or as a GitLab code quality report")
      .accept("annotations", {"github", "gitlab"});
  command.add_option("--evidence", options->evidence, "DIR",
                     "write the coverage of each function, measured by all criteria, to files in the directory DIR");
  add_percentage_option(
      command, "--fail-under", options->least,
      "exit with status 1 if less than PCT per cent of all paths were executed or, with --conditions, "
      "if less than PCT per cent of all conditions are shown to be independent (default 0)");
  add_number_option(command, options->limit,
                    "list at most N paths or decisions; with --changed-since, list at most N paths per function "
                    "(0: all, not accepted with --missing; default: 20, or all executed prime paths)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  return [options, command] {
    options->has_limit = command.has("--number");
    return run(*options);
  };
}

} // namespace pathprof
