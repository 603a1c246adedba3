// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump coverage --prime`: reports executed and missing prime paths.
#include "pathdump/coverage/print_prime.h"

#include <algorithm>
#include <deque>
#include <iostream>
#include <map>
#include <tuple>

#include "pathdump/coverage/print_summary.h"
#include "pathdump/coverage/thresholds.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/prime.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/progress.h"
#include "pathdump/ui/selection.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"

namespace pathprof {

PrimeTotals totals_of(const FunctionPrimePaths &paths) {
  return {paths.executed().size(), paths.total().all, paths.num_unmeasured(), paths.total().is_exact};
}

void PrimeTotals::add(const PrimeTotals &other) {
  executed += other.executed;
  all += other.all;
  unmeasured += other.unmeasured;
  is_exact &= other.is_exact;
}

double PrimeTotals::share() const {
  mpz_class measured = all - unmeasured;
  return measured > 0 ? per_cent(static_cast<double>(executed), measured.get_d()) : 0;
}

std::string missed_prime_threshold(const PrimeTotals &total, double least) {
  if (least <= 0)
    return "";
  Tally measured{total.executed, total.all - total.unmeasured, 0};
  if (std::string missed = missed_threshold("prime paths", measured, least); !missed.empty())
    return missed;
  return total.is_exact ? ""
                        : "--fail-under: the share of executed prime paths is not known exactly, because there are too "
                          "many prime paths to count";
}

namespace {

bool has_run(const Function &function) {
  return std::any_of(function.paths.begin(), function.paths.end(),
                     [](const ExecutedPath &path) { return path.count > 0; });
}

struct Missing {
  const FunctionPrimePaths *of;
  MissingPrimePath path;
};

class PrimeReport {
public:
  PrimeReport(ProfileView &view, const PrimeCoverageOptions &options) : view_(view), options_(options) {
    Progress progress(view.profile.functions.size(), "functions");
    for (const Function &function : view.profile.functions) {
      progress.advance();
      if (!view.names.selects(function) || is_left_out(function))
        continue;
      if (!counts_prime_paths(function)) {
        other_modes_.push_back(&function);
        continue;
      }
      std::unique_ptr<Decoded> decoded = decode_or_fail(options.file, function);
      const FunctionPrimePaths &paths = functions_.emplace_back(function, *decoded);
      files_[view.names.file(function.file)].add(totals_of(paths));
      total_.add(totals_of(paths));
      if (options.missing)
        look_for_missing(paths);
    }
    std::stable_sort(missing_.begin(), missing_.end(), [](const Missing &a, const Missing &b) {
      return std::tie(a.path.distance, b.path.count) < std::tie(b.path.distance, a.path.count);
    });
    if (missing_.size() > options.limit)
      missing_.erase(missing_.begin() + static_cast<ptrdiff_t>(options.limit), missing_.end());
  }

  const PrimeTotals &total() const { return total_; }

  void print_text(Output &out) {
    print_heading(out);
    print_table(out);
    print_remarks(out);
    print_executed(out);
    if (options_.missing)
      print_missing(out);
    view_.formatter.print_legend(out);
  }

  Json json() {
    Json functions = Json::array(), files = Json::array(), others = Json::array();
    for (const FunctionPrimePaths &paths : functions_)
      functions.push_back(function_json(paths));
    for (const auto &[file, totals] : files_) {
      files.push_back(totals_json(totals));
      files.back()["file"] = file;
    }
    for (const Function *function : other_modes_)
      others.push_back(function->notes.name);
    Json json = {{"criterion", "prime"},         {"functions", std::move(functions)},
                 {"files", std::move(files)},    {"other_modes", std::move(others)},
                 {"total", totals_json(total_)}, {"counted", counted_json(view_.profile, view_.names)}};
    if (options_.missing)
      json["missing"] = missing_json();
    return json;
  }

private:
  std::string name_of(const FunctionPrimePaths &paths) const {
    return view_.names.function(paths.function().notes.name);
  }

  void look_for_missing(const FunctionPrimePaths &paths) {
    PrimeTotals totals = totals_of(paths);
    if (!has_run(paths.function())) {
      num_not_run_++;
      return;
    }
    mpz_class num = totals.all - totals.unmeasured - static_cast<unsigned long>(totals.executed);
    num_missing_ += num;
    are_all_known_ &= totals.is_exact;
    if (num == 0 && totals.is_exact)
      return;
    MissingPrimePaths found = paths.missing(options_.limit);
    for (MissingPrimePath &path : found.paths)
      missing_.push_back({&paths, std::move(path)});
    if (!found.is_complete)
      unfinished_.push_back(&paths);
  }

  // ---- text ----

  void print_heading(Output &out) {
    print_counted(view_.profile, view_.names, out);
    print_remark("Prime paths are simple paths and cycles that are not contained in other simple paths; "
                 "shares are relative to the measured prime paths",
                 out);
    print_remark("executed: prime paths that were executed at least once; paths: all prime paths, executed or not",
                 out);
    if (!options_.missing)
      out.write("--missing lists the prime paths that were not executed\n");
    out.write("\n");
  }

  static std::vector<std::string> cells_of(const PrimeTotals &totals) {
    return {(totals.is_exact ? "" : "≤") + share_text(totals.share()), std::to_string(totals.executed),
            (totals.is_exact ? "" : "≥") + short_number(totals.all),
            (totals.is_exact || totals.unmeasured == 0 ? "" : "≥") + short_number(totals.unmeasured)};
  }

  void print_table(Output &out) {
    Table table({{"share", true, Colour::Hot},
                 {"executed", true},
                 {"paths", true},
                 {"not measured", true},
                 {"of", false, Colour::Name, 40},
                 {"place", false, Colour::Place}});
    auto add = [&](const PrimeTotals &totals, const std::string &name, const std::string &place) {
      std::vector<std::string> cells = cells_of(totals);
      cells.insert(cells.end(), {name, place});
      table.add(std::move(cells));
    };
    for (const FunctionPrimePaths &paths : functions_)
      add(totals_of(paths), name_of(paths), view_.names.location(paths.function()));
    if (files_.size() > 1)
      for (const auto &[file, totals] : files_)
        add(totals, "file", file);
    add(total_, "total", "");
    table.print(out);
  }

  void print_remarks(Output &out) {
    std::vector<std::string> remarks;
    if (!total_.is_exact)
      remarks.push_back("≥ and ≤: there are too many prime paths to count exactly, so the numbers are bounds");
    if (total_.unmeasured > 0)
      remarks.push_back("Not measured: prime paths that span longer sequences of paths than were counted; "
                        "mode=kipf,k=auto counts sequences that are long enough");
    if (!other_modes_.empty())
      remarks.push_back(
          fmt::format("{} not measured, because only mode=kipf, mode=acyclic and mode=preferential count acyclic paths",
                      other_modes_.size() == 1 ? view_.names.function(other_modes_.front()->notes.name) + " is"
                                               : plural(other_modes_.size(), "function") + " are"));
    for (const FunctionPrimePaths &paths : functions_)
      if (paths.function().is_pruned)
        remarks.push_back(fmt::format("{}: sequences were truncated because the forest was full, "
                                      "so the counts of prime paths are lower bounds; increase PATHPROF_FOREST_MAX",
                                      name_of(paths)));
    if (!remarks.empty())
      out.write("\n");
    for (const std::string &remark : remarks)
      print_remark(remark, out);
  }

  struct Executed {
    const FunctionPrimePaths *of;
    PrimePath path;
    uint64_t count;
  };

  // Prints the executed prime paths of all functions. If -n is given, prints at most that many paths.
  void print_executed(Output &out) {
    std::vector<Executed> rows;
    std::vector<PathLabel> texts;
    for (const FunctionPrimePaths &paths : functions_)
      for (auto &[path, count] : paths.by_count())
        rows.push_back({&paths, path, count});
    size_t num_rows = rows.size();
    if (options_.has_limit && options_.limit && rows.size() > options_.limit)
      rows.resize(options_.limit);
    out.print("\n{} executed\n", plural(num_rows, "prime path"));
    if (rows.empty())
      return;
    print_remark("count: executions of the prime path; kind: simple path, or cycle that returns to its first block; "
                 "blocks: number of basic blocks on the prime path",
                 out);
    out.write("\n");
    for (const Executed &row : rows)
      texts.push_back(row.of->path_label(row.path, view_.formatter));
    complete(texts, view_.formatter);
    Table table({{"count", true, Colour::Hot},
                 {"kind"},
                 {"blocks", true},
                 {"function", false, Colour::Name, 40},
                 {view_.formatter.heading(), false, Colour::Place}});
    for (size_t i = 0; i < rows.size(); i++) {
      table.add({std::to_string(rows[i].count), texts[i].start, std::to_string(num_blocks(rows[i].path)),
                 texts[i].function, texts[i].path});
      view_.formatter.note(rows[i].of->function(), rows[i].of->path(rows[i].path));
    }
    fit_paths(table, texts, view_.formatter);
    table.print(out);
    if (num_rows > rows.size())
      out.print("... and {} (-n 0 shows all)\n", plural(num_rows - rows.size(), "more prime path"));
  }

  static size_t num_blocks(const PrimePath &path) { return path.size() - is_cycle(path); }

  void print_missing(Output &out) {
    out.print("\n{}{} not executed (in functions that were executed)\n", are_all_known_ ? "" : "At least ",
              num_missing_ == 1 ? "1 prime path" : short_number(num_missing_) + " prime paths");
    if (num_not_run_)
      out.print("{} {} no executed path\n", plural(num_not_run_, "function"), num_not_run_ == 1 ? "has" : "have");
    if (!missing_.empty())
      print_missing_table(out);
    for (const FunctionPrimePaths *paths : unfinished_)
      out.print("{}: the search was stopped early, so the list may omit nearer prime paths\n", name_of(*paths));
  }

  std::string difference_text(const Missing &missing) {
    std::vector<Difference> differences = missing.of->differences(missing.path.path, missing.path.nearest);
    if (differences.empty())
      return "needed: " + missing.of->needed(missing.path, view_.formatter);
    Decoded decoded(missing.of->function().notes);
    return Decisions(missing.of->function(), decoded).text(differences, view_.formatter);
  }

  void print_missing_table(Output &out) {
    print_remark("differs in: decisions that the nearest executed prime path does not contain", out);
    print_remark("needed: if all decisions occur on the nearest executed prime path, how to execute them in this order",
                 out);
    out.write("\n");
    Table table({{"rank", true},
                 {"differs in", true, Colour::Hot},
                 {"kind"},
                 {"blocks", true},
                 {"function", false, Colour::Name, 40},
                 {view_.formatter.heading(), false, Colour::Place}});
    std::vector<PathLabel> texts;
    for (const Missing &missing : missing_)
      texts.push_back(missing.of->path_label(missing.path.path, view_.formatter));
    for (const Missing &missing : missing_) // all listed paths must be known before they are described
      view_.formatter.elements(missing.of->function(), missing.of->path(missing.path.nearest));
    complete(texts, view_.formatter);
    for (size_t i = 0; i < missing_.size(); i++) {
      const Missing &missing = missing_[i];
      const Function &function = missing.of->function();
      table.add({std::to_string(i + 1), std::to_string(missing.path.distance), texts[i].start,
                 std::to_string(num_blocks(missing.path.path)), texts[i].function, texts[i].path},
                nearest_text(fmt::format("nearest: {}, executed {}: ", FunctionPrimePaths::kind(missing.path.nearest),
                                         plural(missing.path.count, "time")),
                             view_.formatter.elements(function, missing.of->path(missing.path.nearest)),
                             view_.formatter, out) +
                    fmt::format("      {}\n", difference_text(missing)));
      view_.formatter.note(function, missing.of->path(missing.path.path));
    }
    fit_paths(table, texts, view_.formatter);
    table.print(out);
    if (num_missing_ > missing_.size())
      out.print("... and {} more (use -n N to show N)\n",
                short_number(num_missing_ - static_cast<unsigned long>(missing_.size())));
  }

  // ---- JSON ----

  static Json totals_json(const PrimeTotals &totals) {
    return {{"executed", totals.executed},
            {"num_paths", totals.all.get_str()},
            {"not_measured", totals.unmeasured.get_str()},
            {"exact", totals.is_exact},
            {"share", totals.share()}};
  }

  Json function_json(const FunctionPrimePaths &paths) {
    const Function &function = paths.function();
    Json json = totals_json(totals_of(paths)), list = Json::array();
    for (const auto &[path, count] : paths.by_count())
      list.push_back(paths.path_json(path, count, view_.formatter));
    json.update({{"name", function.notes.name},
                 {"demangled", view_.names.full(function.notes.name)},
                 {"file", view_.names.file(function.file)},
                 {"line", function.notes.line},
                 {"k", sequence_length(function)},
                 {"forest_pruned", function.is_pruned},
                 {"paths", std::move(list)}});
    return json;
  }

  Json missing_json() {
    Json paths = Json::array(), unfinished = Json::array();
    PathFormatter codes = view_.formatter.by_codes();
    for (const Missing &missing : missing_) {
      const Function &function = missing.of->function();
      Decoded decoded(function.notes);
      Json json = missing.of->path_json(missing.path.path, 0, view_.formatter);
      json["function"] = function.notes.name;
      json["distance"] = missing.path.distance;
      json["nearest"] = missing.of->path_json(missing.path.nearest, missing.path.count, view_.formatter);
      json["nearest"]["differences"] =
          Decisions(function, decoded).json(missing.of->differences(missing.path.path, missing.path.nearest));
      if (missing.path.distance == 0)
        json["needed"] = missing.of->needed(missing.path, codes);
      paths.push_back(std::move(json));
    }
    for (const FunctionPrimePaths *function : unfinished_)
      unfinished.push_back(function->function().notes.name);
    return {{"num_paths", num_missing_.get_str()},
            {"exact", are_all_known_},
            {"functions_never_run", num_not_run_},
            {"unfinished", std::move(unfinished)},
            {"paths", std::move(paths)}};
  }

  ProfileView &view_;
  const PrimeCoverageOptions &options_;
  std::deque<FunctionPrimePaths> functions_;  // a deque, because `missing_` and `unfinished_` point to the elements
  std::vector<const Function *> other_modes_; // functions whose mode does not count acyclic paths
  std::map<std::string, PrimeTotals> files_;
  PrimeTotals total_;
  std::vector<Missing> missing_;
  std::vector<const FunctionPrimePaths *> unfinished_; // functions whose search for missing paths was stopped early
  mpz_class num_missing_ = 0;                          // number of missing prime paths in executed functions
  bool are_all_known_ = true;                          // false if `num_missing_` is a lower bound
  uint64_t num_not_run_ = 0;                           // number of functions without executed paths
};

} // namespace

void check_has_prime_paths(const Profile &profile, const std::string &file) {
  if (std::none_of(profile.functions.begin(), profile.functions.end(), counts_prime_paths))
    throw Failure(
        kWrongUse,
        fmt::format("coverage: --prime: {} contains no counts of acyclic paths; compile with mode=kipf,k=auto", file));
}

int print_prime_coverage(const Profile &profile, const CommonOptions &common, const PrimeCoverageOptions &options) {
  Names names(common, {&profile});
  ProfileView view(profile, options.file, names, common);
  PrimeReport report(view, options);
  Output out(common);
  if (common.json)
    out.print("{}\n", dump_indented(report.json()));
  else
    report.print_text(out);
  out.commit();
  std::string missed = missed_prime_threshold(report.total(), options.least);
  if (!missed.empty())
    std::cerr << program_name << ": coverage: " << missed << "\n";
  return status_of_selection(common, names, profile, options.file, missed.empty() ? kGood : kMissed);
}

} // namespace pathprof
