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
  for (const InterproceduralUnit &unit : profile.interprocedural_units) {
    bool is_selected = std::any_of(unit.functions.begin(), unit.functions.end(),
                                   [&](size_t function) { return names.selects(profile.functions[function]); });
    if (is_selected)
      coverage.rows.push_back({name_of(unit, names),
                               unit_of(profile, unit, names),
                               "",
                               0,
                               nullptr,
                               {num_executed(unit.paths), unit.num_paths}});
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
  PathsNotIn(const Profile &reference, const Options &options, ProfileView &view)
      : view_(view),
        comparison_(compare({&reference, options.reference}, {&view.profile, view.file}, view.names, 0, 0)) {
    for (const PathChange &change : comparison_.changes)
      if (change.kind == ChangeKind::New)
        changes_.push_back(change);
    num_found_ = changes_.size();
    if (options.limit && changes_.size() > options.limit)
      changes_.resize(options.limit);
  }

  void print_text(Output &out) {
    out.print("\n{} not executed in the reference profile\n", plural(num_found_, "path"));
    if (changes_.empty())
      return;
    out.write("Ranked by executed statements (executions × statements)\n\n");
    Table table(ranked_path_columns({{"rank", true}}, false, view_.formatter.heading()));
    std::vector<PathLabel> rows;
    for (const PathChange &change : changes_)
      rows.push_back(row_of(hot_of(change)));
    disambiguate(rows, view_.formatter);
    for (size_t i = 0; i < rows.size(); i++) {
      const PathChange &change = changes_[i];
      if (!change.is_of_program)
        view_.formatter.note(view_.profile.functions[change.function[1]], view_.decoder.path(hot_of(change)));
      table.add({std::to_string(i + 1), std::to_string(change.count[1]), std::to_string(change.statements),
                 digits(change.id), rows[i].start, rows[i].end, rows[i].function, rows[i].path});
    }
    table.print(out);
    if (num_found_ > changes_.size())
      out.print("... and {} (-n 0 shows all)\n", plural(num_found_ - changes_.size(), "more path"));
    if (!comparison_.changed.empty())
      out.print("{} not compared because of changes since the reference profile; see '{} diff'\n",
                plural(comparison_.changed.size(), "function"), program_name);
  }

  Json json() {
    Json paths = Json::array();
    for (const PathChange &change : changes_)
      paths.push_back(path_of(change));
    return {{"found", num_found_}, {"changed_functions", comparison_.changed.size()}, {"paths", std::move(paths)}};
  }

private:
  static HotPath hot_of(const PathChange &change) {
    return {change.weight[1],
            change.count[1],
            std::nullopt,
            change.statements,
            change.function[1],
            change.id,
            change.is_of_program ? change.function[1] : HotPath::kNoProgram};
  }

  PathLabel row_of(const HotPath &hot) {
    if (hot.is_of_program())
      return ShownPath(view_.profile, hot.program, hot.id).path_label(view_.formatter, false);
    return view_.label(hot);
  }

  Json path_of(const PathChange &change) {
    HotPath hot = hot_of(change);
    if (hot.is_of_program())
      return program_path_json(hot, ShownPath(view_.profile, hot.program, hot.id), view_.formatter);
    return view_.json(hot);
  }

  ProfileView &view_;
  Comparison comparison_;
  std::vector<PathChange> changes_;
  uint64_t num_found_;
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

// Throws Failure if --earlier or --annotate is given without --changed-since, or if --annotate is given together with
// --json.
void check_changed_options(const Options &options) {
  const ChangedOptions &changed = options.changed;
  if (changed.revision.empty() && (!changed.earlier.empty() || !changed.annotate.empty()))
    throw Failure(kWrongUse, "coverage: --earlier and --annotate require --changed-since");
  if (!changed.annotate.empty() && options.json)
    throw Failure(kWrongUse, "coverage: --annotate and --json cannot be combined");
}

int run_conditions(const Options &options) {
  if (options.missing || options.prime || !options.reference.empty())
    throw Failure(kWrongUse,
                  "coverage: --missing, --oddball and --prime apply to paths and cannot be combined with --conditions");
  if (options.vectors && !options.changed.annotate.empty())
    throw Failure(kWrongUse, "coverage: --vectors and --annotate cannot be combined");
  return cover_conditions(
      options, {choose_profile(options.file), options.vectors, options.limit, options.least, options.changed});
}

// Prints the report of --changed-since.
int run_changed(const Options &options, const std::string &file) {
  if (options.missing || options.prime || !options.reference.empty())
    throw Failure(kWrongUse, "coverage: --changed-since already lists missing paths and cannot be combined with "
                             "--missing, --oddball or --prime");
  ChangedOptions changed = options.changed;
  changed.least = options.least;
  changed.limit = options.limit;
  return cover_changed_code(file, changed, options);
}

int report(const Options &options) {
  check_lines_option(options, "coverage");
  check_changed_options(options);
  if (options.conditions)
    return run_conditions(options);
  if (options.vectors)
    throw Failure(kWrongUse, "coverage: --vectors requires --conditions");
  std::string file = choose_profile(options.file);
  if (!options.changed.revision.empty())
    return run_changed(options, file);
  if (file == "-" && options.reference == "-")
    throw Failure(kWrongUse, "coverage: standard input ('-') can be read only once");
  if (options.missing && options.limit == 0)
    throw Failure(kWrongUse,
                  "coverage: --missing cannot list all paths ('-n 0'), because there can be up to 2^60 of them; "
                  "use -n with a positive number");
  if (options.prime && !options.reference.empty())
    throw Failure(kWrongUse, "coverage: --oddball compares executed paths and cannot be combined with --prime");
  if (options.prime)
    return print_prime_coverage(options, {file, options.missing, options.limit, options.has_limit, options.least});
  if (options.has_limit && !options.missing && options.reference.empty())
    throw Failure(kWrongUse,
                  "coverage: -n limits the lists that --missing and --oddball print; use one of these options");
  Profile profile = open_profile(file);
  bool has_own_paths = std::any_of(profile.functions.begin(), profile.functions.end(), [](const Function &function) {
    return !is_left_out(function) && !function.in_program;
  });
  if (options.missing && !profile.interprocedural_units.empty() && !has_own_paths)
    throw Failure(kWrongUse, fmt::format("coverage: --missing applies to intraprocedural paths; {} contains only "
                                         "interprocedural paths (mode=context, mode=piecewise)",
                                         file));
  Names names(options, {&profile});
  for (const Function &function : profile.functions)
    if (!is_left_out(function))
      decode_or_fail(file, function);
  Coverage coverage = measure(profile, names);
  Lists lists;
  ProfileView view(profile, file, names, options);
  if (options.missing)
    lists.missing = std::make_unique<MissingPaths>(profile, file, names, view.formatter, options.limit);
  std::optional<Profile> reference;
  if (!options.reference.empty()) {
    reference = open_profile(options.reference);
    lists.not_in = std::make_unique<PathsNotIn>(*reference, options, view);
  }
  Output out(options);
  print(coverage, profile, view.formatter, lists, options.json, out);
  out.commit();
  return status_of_selection(options, names, profile, file, coverage.total.share() < options.least ? kMissed : kGood);
}

// Prints the report and, if --evidence is given, writes the coverage evidence for all functions and all criteria.
int run(const Options &options) {
  if (options.evidence.empty())
    return report(options);
  if (!options.changed.revision.empty())
    throw Failure(kWrongUse, "coverage: --evidence covers all code and cannot be combined with --changed-since");
  std::string file = choose_profile(options.file);
  if (file == "-")
    throw Failure(
        kWrongUse,
        "coverage: --evidence reads the profile a second time, but standard input ('-') can be read only once");
  check_evidence_folder(options.evidence);
  int status = report(options);
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
  command
      .add_option("--oddball", options->reference, "list paths that were executed in FILE but not in the profile REF")
      .type_name("REF");
  command
      .add_option("--changed-since", options->changed.revision,
                  "report only code that has changed since the git revision REV: "
                  "unexecuted paths, lines and branch outcomes or, with --conditions, changed decisions")
      .type_name("REV");
  command
      .add_option("--earlier", options->changed.earlier,
                  "with --changed-since, also print the counts in OLD, a profile of revision REV, "
                  "for functions that have not changed")
      .type_name("OLD");
  command
      .add_option("--annotate", options->changed.annotate,
                  "with --changed-since, print the findings as GitHub annotations or as a GitLab code quality report")
      .type_name("github|gitlab")
      .accept("annotations", {"github", "gitlab"});
  command
      .add_option("--evidence", options->evidence,
                  "write the coverage of each function, measured by all criteria, to files in the directory DIR")
      .type_name("DIR");
  command
      .add_option("--fail-under", options->least,
                  "exit with status 1 if less than PCT per cent of all paths were executed or, with --conditions, "
                  "if less than PCT per cent of all conditions are shown to be independent (default 0)")
      .type_name("PCT")
      .check(check_percentage);
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
