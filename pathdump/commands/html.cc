// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump html`: writes an HTML page with the hot paths, the source and the control-flow graphs.
#include <algorithm>
#include <memory>

#include <unistd.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/coverage/tested_paths.h"
#include "pathdump/html/changes.h"
#include "pathdump/html/page.h"
#include "pathdump/html/fault_localization.h"
#include "pathdump/model/fault_localization.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/merging.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/selection.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string file;
  html::Limits limits;
  std::string revision; // git revision of --changed-since
  std::string baseline; // earlier profile of --baseline
  std::string cost;     // value of --cost
  RunOptions runs;
};

void check(const Options &options) {
  if (options.output == "-" && isatty(STDOUT_FILENO))
    throw Failure(kWrongUse, "html: cannot write HTML to a terminal; use -o FILE");
  if (!options.runs.are_given())
    return;
  options.runs.check("html", "html --pass FILE... --fail FILE...");
  if (!options.file.empty() || !options.baseline.empty() || !options.cost.empty())
    throw Failure(kWrongUse, "html: --pass and --fail cannot be combined with a profile, --baseline or --cost");
  for (const std::vector<std::string> *files : {&options.runs.passed, &options.runs.failed})
    if (std::count(files->begin(), files->end(), "-"))
      throw Failure(kWrongUse, "html: --pass and --fail read each profile twice, but standard input ('-') can be read "
                               "only once; write it to a file first");
}

void write_page(const Profile &profile, const std::string &file, const Options &options, html::Additions &additions) {
  if (!options.revision.empty())
    additions.changed.emplace(options.revision);
  std::unique_ptr<Costs> costs = open_costs("html", options.cost, profile, file);
  additions.basis = basis_of("html", {"", options.cost}, profile, file, costs.get());
  if (!options.runs.are_given())
    additions.hint = cost_hint("html", additions.basis, file);
  Output out(options);
  html::print_page(profile, file, options, options.limits, additions, out);
  out.commit();
}

// Writes one page for the combined profiles of all runs.  Source files are looked up relative to the profile of the
// first failing run.
int run_suspects(const Options &options) {
  Names names(options);
  Selection selection(options, names);
  Runs runs = read_runs(options.runs.failed, options.runs.passed, selection);
  std::vector<std::string> files = options.runs.failed;
  files.insert(files.end(), options.runs.passed.begin(), options.runs.passed.end());
  Profile sum = open_merged(files);
  names = Names(options, {&sum});
  html::Additions additions;
  additions.leading = std::make_unique<html::FaultLocalization>(runs, sum, names);
  write_page(sum, options.runs.failed.front(), options, additions);
  return selection.status(kGood);
}

int run(const Options &options) {
  check(options);
  if (options.runs.are_given())
    return run_suspects(options);
  std::string file = choose_profile(options.file);
  if (file == "-" && options.baseline == "-")
    throw Failure(kWrongUse, "html: standard input ('-') can be read only once");
  Profile profile = open_profile(file), before;
  html::Additions additions;
  if (file != "-")
    additions.tested = read_tests_of(file, options);
  if (!options.baseline.empty()) {
    before = open_profile(options.baseline);
    additions.leading = std::make_unique<html::Changes>(before, options.baseline, profile, file,
                                                        Names(options, {&before, &profile}), options);
  }
  write_page(profile, file, options, additions);
  return status_of_selection(options, Names(options, {&profile}), profile, file);
}

} // namespace

Run declare_html(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_percentage_option(
      command, "--top", options->limits.top,
      "show the source and graph of the hottest functions that account for PCT per cent of all executed "
      "statements or cycles (default 99)");
  add_number_option(command, options->limits.number,
                    "show the source and graph of at most N functions (default 500; 0: no limit)");
  command.add_option("--changed-since", options->revision, "REV",
                     "mark the lines that have changed since the git revision REV");
  command.add_option("--baseline", options->baseline, "PROFILE",
                     "list the differences from the earlier profile PROFILE, and the earlier count of each path ('-': "
                     "standard input)");
  add_cost_option(command, options->cost);
  add_run_options(command, options->runs, "FILE...",
                  "write a page for the passing runs (one profile per run) and the failing runs given with --fail",
                  "write a page for the failing runs (one profile per run) and the passing runs given with --pass, "
                  "with a list of the paths that distinguish failing from passing runs");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kNameOptions | kFullNamesOption | kSelectionOptions | kLinesOption);
  return [options] { return run(*options); };
}

} // namespace pathprof
