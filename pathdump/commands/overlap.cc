// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump overlap`: computes the paths that two profiles share (Ball and Larus 1996, Table 3), which shows
// whether a training input executes the important paths.
#include <algorithm>

#include "pathdump/commands/commands.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/compare.h"
#include "pathdump/model/interprocedural_paths.h"
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
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::string a, b;
  uint64_t limit = 20;
  double least = 0; // required share of statements in per cent
};

template <typename T>
double share(T part, T whole) {
  return per_cent(static_cast<double>(part), static_cast<double>(whole));
}

// Percentages of the paths, executions and statements in one profile that belong to paths executed in both profiles.
struct Shares {
  double paths, executions, statements;
};
Shares shares_of(const Overlap &overlap, int side) {
  return {share(overlap.common, overlap.paths[side]), share(overlap.common_executions[side], overlap.executions[side]),
          share(overlap.common_weight[side], overlap.weight[side])};
}

class Printer {
public:
  Printer(Comparison comparison, const Names &names, Output &out)
      : comparison_(std::move(comparison)), names_(names), out_(out) {
    for (const Overlap &overlap : comparison_.overlaps)
      total_.add(overlap);
    std::stable_sort(comparison_.overlaps.begin(), comparison_.overlaps.end(), [](const Overlap &x, const Overlap &y) {
      return std::make_pair(x.weight[1], x.weight[0]) > std::make_pair(y.weight[1], y.weight[0]);
    });
  }

  const Overlap &total() const { return total_; }

  void print_text(uint64_t limit) const {
    for (int side : {0, 1})
      out_.print("{}: {}: {}\n", "AB"[side], visible(comparison_.sides[side].file),
                 plural(comparison_.sides[side].profile->runs, "run"));
    print_counted(*comparison_.sides[0].profile, *comparison_.sides[1].profile, names_, out_);
    out_.write("\n");
    print_total();
    out_.write("\n");
    print_functions(limit);
    if (!comparison_.changed.empty())
      out_.print("{} changed and cannot be compared; see '{} diff'\n", plural(comparison_.changed.size(), "function"),
                 program_name);
  }

  Json json(uint64_t limit) const {
    Json functions = Json::array();
    for (size_t i = 0; i < shown(limit); i++) {
      const Overlap &overlap = comparison_.overlaps[i];
      Json json = {{"function", name_of(overlap)}};
      if (const Function *function = function_of(overlap))
        json.update({{"file", names_.file(function->file)}, {"line", function->notes.line}});
      json.update(overlap_json(overlap));
      functions.push_back(std::move(json));
    }
    return {{"a", comparison_.sides[0].file},
            {"b", comparison_.sides[1].file},
            {"total", overlap_json(total_)},
            {"functions", std::move(functions)},
            {"changed_functions", comparison_.changed.size()}};
  }

private:
  size_t shown(uint64_t limit) const {
    return limit ? std::min<size_t>(limit, comparison_.overlaps.size()) : comparison_.overlaps.size();
  }

  void print_total() const {
    Table table(
        {{""}, {"in A", true}, {"in B", true}, {"of all in A", true, Colour::Hot}, {"of all in B", true, Colour::Hot}});
    Shares of_a = shares_of(total_, 0), of_b = shares_of(total_, 1);
    auto add = [&](const char *what, const std::string &a, const std::string &b, double share_a, double share_b) {
      table.add({what, a, b, fmt::format("{:.1f}%", share_a), fmt::format("{:.1f}%", share_b)});
    };
    add("common paths", std::to_string(total_.common), std::to_string(total_.common), of_a.paths, of_b.paths);
    add("executions of common paths", std::to_string(total_.common_executions[0]),
        std::to_string(total_.common_executions[1]), of_a.executions, of_b.executions);
    add("statements of common paths", digits(total_.common_weight[0]), digits(total_.common_weight[1]), of_a.statements,
        of_b.statements);
    table.print(out_);
    out_.print("\noverlap {:.1f}%: sum over all paths; each path contributes its share of the executed statements "
               "in A or in B, whichever is smaller\n",
               total_.shared);
  }

  void print_functions(uint64_t limit) const {
    Table table({{"paths in A", true},
                 {"paths in B", true},
                 {"common", true},
                 {"of B: paths", true},
                 {"executions", true},
                 {"statements", true, Colour::Hot},
                 {"function", false, Colour::Name},
                 {"place", false, Colour::Place}});
    for (size_t i = 0; i < shown(limit); i++) {
      const Overlap &overlap = comparison_.overlaps[i];
      Shares of_b = shares_of(overlap, 1);
      auto text = [&](double part) { return overlap.paths[1] ? fmt::format("{:.1f}%", part) : "-"; };
      table.add({std::to_string(overlap.paths[0]), std::to_string(overlap.paths[1]), std::to_string(overlap.common),
                 text(of_b.paths), text(of_b.executions), text(of_b.statements), name_of(overlap),
                 location_of(overlap)});
    }
    print_remark(
        "Functions, ranked by statements executed in B; the percentages show how many of the function's paths, "
        "executions and statements in B belong to common paths",
        out_);
    out_.write("\n");
    table.print(out_);
    if (shown(limit) < comparison_.overlaps.size())
      out_.print("... and {} (-n 0 shows all)\n", plural(comparison_.overlaps.size() - shown(limit), "more function"));
  }

  std::string name_of(const Overlap &overlap) const {
    int side = overlap.function[1] != kNoFunction;
    const Profile &profile = *comparison_.sides[side].profile;
    if (overlap.is_program)
      return pathprof::name_of(profile.interprocedural_units[overlap.function[side]], names_);
    return names_.function(profile.functions[overlap.function[side]].notes.name);
  }

  // Returns the function that the row describes, as contained in B or, if B does not contain the function, in A.
  // Returns null if the row describes an interprocedural unit.
  const Function *function_of(const Overlap &overlap) const {
    int side = overlap.function[1] != kNoFunction;
    return overlap.is_program ? nullptr : &comparison_.sides[side].profile->functions[overlap.function[side]];
  }

  std::string location_of(const Overlap &overlap) const {
    const Function *function = function_of(overlap);
    return function ? names_.location(*function) : "";
  }

  static Json overlap_json(const Overlap &overlap) {
    Json json = {{"common_paths", overlap.common}, {"overlap", overlap.shared}};
    for (int side : {0, 1}) {
      Shares shares = shares_of(overlap, side);
      json[side ? "b" : "a"] = {{"paths", overlap.paths[side]},
                                {"executions", count_json(overlap.executions[side])},
                                {"common_executions", count_json(overlap.common_executions[side])},
                                {"statements", digits(overlap.weight[side])},
                                {"common_statements", digits(overlap.common_weight[side])},
                                {"share_of_paths", shares.paths},
                                {"share_of_executions", shares.executions},
                                {"share_of_statements", shares.statements}};
    }
    return json;
  }

  Comparison comparison_;
  const Names &names_;
  Output &out_;
  Overlap total_;
};

int run(const Options &options) {
  if (options.a == "-" && options.b == "-")
    throw Failure(kWrongUse, "overlap: standard input ('-') can be read only once");
  Profile a = open_profile(options.a), b = open_profile(options.b);
  Names names(options, {&a, &b});
  Comparison comparison = compare({&a, options.a}, {&b, options.b}, names, 1, {});
  Output out(options);
  Printer printer(std::move(comparison), names, out);
  if (options.json)
    out.print("{}\n", dump_indented(printer.json(options.limit)));
  else
    printer.print_text(options.limit);
  out.commit();
  Selection selection(options, names);
  selection.add(a, options.a);
  selection.add(b, options.b);
  return selection.status(shares_of(printer.total(), 1).statements < options.least ? kMissed : kGood);
}

} // namespace

Run declare_overlap(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_operand("A", options->a, "profile to compare with B, such as the profile of a training run").required();
  command.add_operand("B", options->b, "profile to compare with A, such as the profile of a production run").required();
  add_percentage_option(command, "--fail-under", options->least,
                        "exit with status 1 if the common paths account for less than PCT per cent of the statements "
                        "executed in B (default 0)");
  add_number_option(command, options->limit, "print at most N functions (default 20; 0: all)");
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
