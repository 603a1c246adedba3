// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump coverage`: reports the share of executed paths, and lists paths that were not executed or that a
// reference profile does not contain.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>

#include "pathdump/commands/commands.h"
#include "pathdump/coverage/changed_paths.h"
#include "pathdump/coverage/evidence.h"
#include "pathdump/coverage/output_folder.h"
#include "pathdump/coverage/print_conditions.h"
#include "pathdump/coverage/print_prime.h"
#include "pathdump/coverage/print_summary.h"
#include "pathdump/coverage/thresholds.h"
#include "pathdump/html/tree.h"
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
  ObjectOptions objects;
  bool lists_branches = false;
  bool no_exceptions = false;
  double least = 0; // required coverage of paths or, with --conditions, of conditions, in per cent
  Thresholds thresholds;
  ChangedOptions changed;
  std::string justifications;            // file with justifications; empty if not given
  std::string html;                      // directory to write pages to; empty if not given
  std::string evidence;                  // directory to write evidence to; empty if not given
  std::vector<std::string> test_results; // JUnit files, for the evidence
};

void print_paths(const CoverageSummary &summary, Output &out) {
  Table table({{"share", true, Colour::Hot},
               {"executed", true},
               {"paths", true},
               {"of", false, Colour::Name, 40},
               {"place", false, Colour::Place}});
  auto add = [&](const Tally &paths, const std::string &name, const std::string &place) {
    table.add({share_text(paths), std::to_string(paths.covered), short_number(paths.total), name, place});
  };
  for (const PathCoverage &row : summary.paths)
    add(row.paths, row.name, row.function ? fmt::format("{}:{}", row.file, row.line) : row.file);
  add(summary.total.paths, "total", "");
  table.print(out);
}

Json totals_json(const Tally &paths) {
  return {{"executed", paths.covered},
          {"num_paths", paths.total.get_str()},
          {"share", paths.is_empty() ? 0 : paths.share()},
          {"justified", paths.justified}};
}

Json coverage_json(const CoverageSummary &summary) {
  Json functions = Json::array(), programs = Json::array(), files = Json::array();
  for (const PathCoverage &row : summary.paths) {
    Json json = totals_json(row.paths);
    if (row.function) {
      json.update({{"name", row.function->notes.name}, {"demangled", row.demangled}});
      json.update({{"file", row.file}, {"line", row.line}});
      functions.push_back(std::move(json));
    } else {
      json["unit"] = row.file;
      programs.push_back(std::move(json));
    }
  }
  for (const auto &[name, file] : summary.files) {
    files.push_back(totals_json(file.paths));
    files.back()["file"] = name;
    files.back().update(summary_json(file));
  }
  Json total = totals_json(summary.total.paths);
  total.update(summary_json(summary.total));
  return {{"functions", std::move(functions)},
          {"programs", std::move(programs)},
          {"files", std::move(files)},
          {"total", std::move(total)}};
}

// -------------------------------------------------------------------------------------------------
// Paths that were not executed in the reference profile.

class PathsNotIn {
public:
  PathsNotIn(const Options &options, ProfileView &view) : view_(view) {
    Profile reference = open_profile(options.reference);
    Comparison comparison =
        compare({&reference, options.reference}, {&view.profile, view.file}, view.names, options.limit, {},
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
    fit_paths(table, rows, view_.formatter);
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

  bool has_paths() const { return missing || not_in; }
};

void print_json(const CoverageSummary &summary, const ProfileView &view, const Lists &lists, const Options &options,
                Output &out) {
  Json json = coverage_json(summary);
  json["counted"] = counted_json(view.profile, view.names);
  json["justifications"] = justifications_json(summary);
  if (options.lines)
    json["missing_lines"] = missing_lines_json(summary);
  if (options.lists_branches)
    json["missing_branches"] = missing_branches_json(summary);
  if (lists.missing)
    json["missing"] = lists.missing->json();
  if (lists.not_in)
    json["oddballs"] = lists.not_in->json();
  out.print("{}\n", dump_indented(json));
}

void print_text(const CoverageSummary &summary, const ProfileView &view, const Lists &lists, const Options &options,
                Output &out) {
  print_counted(view.profile, view.names, out);
  out.write("\n");
  print_files(summary, out);
  if (options.lines && !lists.has_paths())
    print_missing_lines(summary, out);
  if (options.lists_branches)
    print_missing_branches(summary, out);
  print_justifications(summary, out);
  out.write("\n");
  print_remark("Shares of paths are relative to all static paths; an executed path is counted once, however often it "
               "was executed",
               out);
  if (!lists.missing)
    out.write("--lines, --branches and --missing list the lines, branch outcomes and paths that were not executed\n");
  out.write("\n");
  print_paths(summary, out);
  if (lists.missing)
    lists.missing->print_text(out);
  if (lists.not_in)
    lists.not_in->print_text(out);
  view.formatter.print_legend(out);
}

bool is_same_place(const std::string &a, const std::string &b) {
  auto place = [](const std::string &name) {
    std::filesystem::path path = std::filesystem::weakly_canonical(std::filesystem::absolute(name));
    return path.has_filename() ? path : path.parent_path();
  };
  return place(a) == place(b);
}

// Throws Failure if two options contradict each other or if an option would have no effect.
void check_options(const Options &options) {
  if (options.missing || options.prime || !options.reference.empty() || !options.changed.revision.empty())
    check_lines_option(options, "coverage"); // otherwise, --lines lists lines
  const ChangedOptions &changed = options.changed;
  bool is_changed = !changed.revision.empty(), has_lists = options.missing || !options.reference.empty();
  bool is_special = options.conditions || is_changed || options.prime; // not the summary
  const std::pair<bool, const char *> faults[] = {
      {!options.evidence.empty() && is_changed,
       "--evidence covers all code and cannot be combined with --changed-since"},
      {!options.evidence.empty() && options.file == "-",
       "--evidence reads the profile a second time, but standard input ('-') can be read only once"},
      {!is_changed && (!changed.earlier.empty() || !changed.annotate.empty()),
       "--earlier and --annotate require --changed-since"},
      {!changed.annotate.empty() && options.json, "--annotate and --json cannot be combined"},
      {is_special &&
           (options.lists_branches || options.no_exceptions ||
            (is_changed && !options.conditions ? options.thresholds.any_beyond_branches() : options.thresholds.any())),
       "--branches, --no-exceptions and --fail-under-... apply to the summary and cannot be combined with "
       "--conditions, --changed-since or --prime; only --fail-under-line and --fail-under-branch can be combined with "
       "--changed-since"},
      {!options.html.empty() && !options.evidence.empty() && is_same_place(options.html, options.evidence),
       "--html and --evidence name the same directory; use two directories"},
      {is_special && !options.html.empty(),
       "--html shows the summary and cannot be combined with --conditions, --changed-since or --prime"},
      {is_special && (!options.justifications.empty() || options.thresholds.accept_justified),
       "--justifications and --accept-justified apply to the summary and cannot be combined with --conditions, "
       "--changed-since or --prime"},
      {options.thresholds.accept_justified && !options.thresholds.any() && options.least <= 0,
       "--accept-justified requires --fail-under or --fail-under-..."},
      {options.conditions && (has_lists || options.prime),
       "--missing, --not-in and --prime apply to paths and cannot be combined with --conditions"},
      {options.vectors && !options.conditions, "--vectors requires --conditions"},
      {options.vectors && !changed.annotate.empty(), "--vectors and --annotate cannot be combined"},
      {is_changed && (has_lists || options.prime),
       "--changed-since already lists missing paths and cannot be combined with --missing, --not-in or --prime"},
      {options.file == "-" && options.reference == "-", "standard input ('-') can be read only once"},
      {!options.test_results.empty() && options.evidence.empty(), "--test-results requires --evidence"},
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

// Throws Failure if the report that the options request cannot be made from the profile.
void check_profile(const Profile &profile, const Options &options, const std::string &file) {
  if (options.conditions)
    check_has_conditions(profile, file);
  else if (options.prime)
    check_has_prime_paths(profile, file);
  else if (options.missing)
    check_missing(profile, file);
}

// Prints the summary, with the lists that the options request.
int report_paths(const Profile &profile, const Options &options, const std::string &file) {
  Names names(options, {&profile});
  decode_all_or_fail(file, profile);
  Thresholds thresholds = options.thresholds;
  thresholds.path = std::max(thresholds.path, options.least);
  CoverageSummary summary =
      summarise(profile, file, names, {!options.no_exceptions, options.lists_branches || !options.html.empty()},
                justifications_for(options.justifications, names));
  ProfileView view(profile, file, names, options);
  Lists lists;
  if (options.missing)
    lists.missing = std::make_unique<MissingPaths>(profile, file, names, view.formatter, options.limit);
  if (!options.reference.empty())
    lists.not_in = std::make_unique<PathsNotIn>(options, view);
  if (!options.html.empty()) // before the report, whose reader may end early
    write_output_folder(html::kPagesFolder, options.html, html::coverage_pages(summary, view));
  Output out(options);
  (options.json ? print_json : print_text)(summary, view, lists, options, out);
  out.commit();
  warn_of_unmeasured_decisions(summary.total.unmeasured_decisions, thresholds.condition);
  std::vector<std::string> faults = missed_thresholds(summary.total, thresholds);
  for (std::string &fault : faults_of(summary))
    faults.push_back(std::move(fault));
  for (const std::string &fault : faults)
    std::cerr << program_name << ": coverage: " << fault << "\n";
  return status_of_selection(options, names, profile, file, faults.empty() ? kGood : kMissed);
}

// Prints the coverage of conditions, changed code or prime paths, or the summary.
int report(const Options &options, const std::string &file) {
  Profile profile = open_profile_with_objects(file, options.objects);
  if (!options.changed.earlier.empty())
    add_earlier(profile, open_profile(options.changed.earlier));
  check_profile(profile, options, file);
  if (options.conditions)
    return cover_conditions(profile, options, {file, options.vectors, options.limit, options.least, options.changed});
  if (!options.changed.revision.empty()) {
    ChangedOptions changed = options.changed;
    changed.least = options.least;
    changed.line = options.thresholds.line;
    changed.branch = options.thresholds.branch;
    changed.limit = options.limit;
    return cover_changed_code(std::move(profile), file, changed, options);
  }
  if (options.prime)
    return print_prime_coverage(profile, options,
                                {file, options.missing, options.limit, options.has_limit, options.least});
  return report_paths(profile, options, file);
}

// Writes the evidence. Its verdict agrees with the exit status of the report, because it uses the same thresholds.
ExitStatus write_evidence(const Options &options, const std::string &file) {
  if (!options.reference.empty() && options.reference != "-")
    parse_image(options.reference, open_image(options.reference)); // throws Failure if the profile cannot be read
  EvidenceOptions evidence{options.evidence,   options.objects,        options.justifications,
                           options.thresholds, !options.no_exceptions, options.test_results};
  double &least = options.conditions ? evidence.thresholds.condition
                  : options.prime    ? evidence.thresholds.prime
                                     : evidence.thresholds.path;
  least = std::max(least, options.least);
  evidence.reports_faults = options.conditions || options.prime;
  evidence.check = [&](const Profile &profile) { check_profile(profile, options, file); };
  return write_evidence_of(file, options, evidence);
}

// Prints the report and, if --evidence is given, writes the coverage evidence for all functions and all criteria.
int run(const Options &options) {
  check_options(options);
  std::string file = choose_profile(options.file);
  if (!options.evidence.empty())
    check_output_folder(kEvidenceFolder, options.evidence);
  if (!options.html.empty())
    check_output_folder(html::kPagesFolder, options.html);
  ExitStatus status = kGood;
  if (!options.evidence.empty()) // before the report, whose reader may end early
    status = write_evidence(options, file);
  return std::max<int>(status, report(options, file));
}

} // namespace

Run declare_coverage(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_flag("--branches", options->lists_branches, "list the outcomes of executed branches that were not taken");
  command.add_flag("--no-exceptions", options->no_exceptions,
                   "leave exception edges, and paths through them, out of the totals");
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
  add_object_options(command, options->objects);
  command.add_option("--justifications", options->justifications, "JUST",
                     "read justifications of uncovered code from the file JUST (default: pathprof-justifications.json "
                     "at the top of the source tree, if it exists)");
  command.add_flag("--accept-justified", options->thresholds.accept_justified,
                   "compare the sum of covered and justified code with the thresholds");
  struct {
    const char *name, *items;
    double &least;
  } const thresholds[] = {
      {"line", "lines (with --changed-since, of all changed lines)", options->thresholds.line},
      {"branch", "branch outcomes (with --changed-since, of those on changed lines)", options->thresholds.branch},
      {"function", "functions", options->thresholds.function},
      {"condition", "conditions (masking MC/DC)", options->thresholds.condition},
      {"path", "paths", options->thresholds.path}};
  for (const auto &threshold : thresholds)
    add_percentage_option(
        command, fmt::format("--fail-under-{}", threshold.name), threshold.least,
        fmt::format("exit with status 1 if less than PCT per cent of all {} are covered", threshold.items));
  command.add_option("--html", options->html, "DIR",
                     "write pages with the coverage of each directory, file, function and line to the directory DIR");
  command.add_option("--evidence", options->evidence, "DIR",
                     "write the coverage of each function, measured by all criteria, to files in the directory DIR");
  command
      .add_option("--test-results", options->test_results, "XML",
                  "with --evidence, include the results of the tests from a JUnit file; may be repeated")
      .one_value_each();
  add_percentage_option(
      command, "--fail-under", options->least,
      "exit with status 1 if less than PCT per cent of all paths were executed or, with --conditions, "
      "if less than PCT per cent of all conditions are shown to be independent (default 0)");
  add_number_option(
      command, options->limit,
      "list at most N paths or decisions, or with --changed-since at most N paths per function; 0 lists all and "
      "cannot be combined with --missing (default: all executed prime paths, 20 in all other lists)");
  add_profile_argument(command, options->file);
  add_common_options(command, *options,
                     kJsonOption | kNameOptions | kSelectionOptions | kLinesOption | kSourceTreeOptions);
  command.option("--lines").description(
      "list the lines that were not executed; in lists of paths, show the line sequence "
      "of each path instead of its decisions");
  return [options, command] {
    options->has_limit = command.has("--number");
    return run(*options);
  };
}

} // namespace pathprof
