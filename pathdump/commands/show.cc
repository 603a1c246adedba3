// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump show`: prints the source with line counts and marks the lines of the hottest paths.
#include <algorithm>

#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/export/json.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/listing.h"
#include "pathdump/describe/sources.h"
#include "pathdump/model/profile_view.h"
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

// Letters that mark the lines of a path, one letter per path.
const std::string marks = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

struct Options : CommonOptions {
  std::string file;
  uint64_t limit = 5;
  double threshold = 0; // minimum share of a path in per cent
  bool all = false;
  RankOptions rank;
};

class Show {
public:
  Show(const Profile &profile, const std::string &file, const Options &options)
      : options_(options), names_(options, {&profile}), view_(profile, file, names_, options),
        costs_(open_costs("show", options.rank.cost, profile, file)),
        basis_(basis_of("show", options.rank, profile, file, costs_.get())) {
    view_.formatter.mark_calls(profile);
    listings_ = make_listings(profile, view_.decoder, view_.names, basis_.ranking(), options.limit, options.threshold);
    auto &functions = listings_.functions;
    functions.erase(
        std::remove_if(functions.begin(), functions.end(), [&](const Listing &listing) { return !is_shown(listing); }),
        functions.end());
    sort(functions);
    auto first_idle = std::stable_partition(functions.begin(), functions.end(), lines_ran);
    if (options.json || options.all || !options.functions.empty())
      return;
    num_hidden_ = static_cast<size_t>(functions.end() - first_idle);
    functions.erase(first_idle, functions.end());
  }

  void print_text(Output &out) {
    out.print("{}: {}\n", paint(out, Colour::Heading, title_of(view_.profile, view_.file)),
              plural(view_.profile.runs, "run"));
    print_counted(view_.profile, view_.names, out);
    print_basis(basis_, listings_.weight, out);
    if (std::any_of(listings_.functions.begin(), listings_.functions.end(),
                    [](const Listing &listing) { return listing.has_run(); }))
      out.write(
          "In each path's column, a letter marks a line on the path, and a dot marks any other line with code.\n");
    for (const Listing &listing : listings_.functions) {
      out.write("\n");
      print_header(out, listing);
      print_paths(out, listing);
      print_lines(out, listing);
    }
    print_left_out(out);
    print_more_paths(out);
    if (view_.formatter.in_conditions())
      view_.formatter.print_legend(out);
    if (num_hidden_)
      out.print("\n{} not executed (--all shows {})\n", plural(num_hidden_, "function"),
                num_hidden_ == 1 ? "it" : "them");
    else if (listings_.functions.empty())
      out.write("\nNo function to show.\n");
    if (std::any_of(listings_.functions.begin(), listings_.functions.end(), lines_ran))
      print_cost_hint("show", basis_, view_.file, out);
    view_.sources.warn();
  }

  void print_json(Output &out) {
    Json functions = Json::array(), left_out = Json::array();
    for (const Listing &listing : listings_.functions)
      functions.push_back(listing_json(listing));
    for (const Function *function : listings_.left_out)
      if (view_.names.selects_file(function->file))
        left_out.push_back(left_out_json(*function));
    Json json = {{"program", view_.profile.program},
                 {"runs", count_json(view_.profile.runs)},
                 {"counted", counted_json(view_.profile, view_.names)}};
    add_basis(json, basis_);
    json.update({{"functions", std::move(functions)}, {"left_out", std::move(left_out)}});
    out.print("{}\n", dump_indented(json));
  }

  ExitStatus status() const {
    return status_of_selection(options_, view_.names, view_.profile, view_.file, kGood, Selectable::Code);
  }

private:
  void sort(std::vector<Listing> &functions) const {
    std::stable_sort(functions.begin(), functions.end(), [&](const Listing &a, const Listing &b) {
      if (basis_.order == "name")
        return view_.names.function(a.name) < view_.names.function(b.name);
      if (basis_.order == "count" && a.totals.executions != b.totals.executions)
        return a.totals.executions > b.totals.executions;
      return hotter(a, b);
    });
  }

  bool is_shown(const Listing &listing) const {
    if (listing.lines.empty())
      return view_.names.selects_file(listing.file);
    return std::any_of(listing.lines.begin(), listing.lines.end(),
                       [&](const auto &line) { return view_.names.selects_file(line.first.first); });
  }

  double share(Weight weight) const {
    return per_cent(static_cast<double>(weight), static_cast<double>(listings_.weight));
  }

  std::string name_of(size_t function) const {
    return view_.names.function(view_.profile.functions[function].notes.name);
  }

  std::vector<std::string> callers(const Listing &listing, bool full) const {
    std::vector<std::string> callers;
    for (size_t function : listing.inlined_into)
      callers.push_back(full ? view_.names.full(view_.profile.functions[function].notes.name) : name_of(function));
    return callers;
  }

  // Returns a summary of the function, such as "called 3 times, 2 of 6 paths executed".
  std::string facts(const Listing &listing) const {
    std::vector<std::string> facts;
    if (listing.body && listing.totals.executions) {
      const Function &function = view_.profile.functions[*listing.body];
      facts.push_back(fmt::format("{:.2f}% of all {}", share(listing.weight), basis_.name()));
      facts.push_back("called " + plural(listing.totals.calls, "time"));
      if (function.activity)
        facts.push_back(plural(function.activity->num_paths, "interprocedural path") + " through the function");
      else
        facts.push_back(
            fmt::format("{} of {} executed", function.paths.size(), plural(function.notes.num_paths, "path")));
      if (!function.cut_short.empty())
        facts.push_back(fmt::format("{} truncated", function.cut_short.size()));
    } else if (listing.body) {
      facts.push_back(listing.inlined_into.empty() ? "never executed" : "out-of-line copy never executed");
    }
    std::vector<std::string> into = callers(listing, false);
    static constexpr size_t kFew = 3;
    size_t more = into.size() > kFew + 1 ? into.size() - kFew : 0;
    into.resize(into.size() - more);
    if (more)
      into.push_back(fmt::format("{} others", more));
    if (!into.empty())
      facts.push_back(fmt::format("inlined into {}", fmt::join(into, ", ")));
    return fmt::format("{}", fmt::join(facts, ", "));
  }

  void print_header(Output &out, const Listing &listing) const {
    out.print("{} {}: {}\n", paint(out, Colour::Heading, view_.names.function(listing.name)),
              paint(out, Colour::Place, fmt::format("({}:{})", view_.names.file(listing.file), listing.line)),
              facts(listing));
  }

  // Prints the table of paths.  Adds a column with function names if some of the paths belong to functions other than
  // the listed function.
  void print_paths(Output &out, const Listing &listing) {
    if (listing.paths.empty())
      return;
    bool has_others = std::any_of(listing.paths.begin(), listing.paths.end(),
                                  [&](const HotPath &hot) { return hot.function != listing.body; });
    std::vector<Column> columns = {{"", true, Colour::Heading}, {"share", true, Colour::Hot}};
    for (Column &column : path_columns(basis_.has_cycles))
      columns.push_back(std::move(column));
    if (has_others)
      columns.push_back({"function", false, Colour::Name, 40});
    columns.push_back({view_.formatter.heading(), false, Colour::Place});
    Table table(std::move(columns));
    std::vector<PathLabel> rows = view_.labels(listing.paths);
    for (size_t i = 0; i < listing.paths.size(); i++) {
      const HotPath &hot = listing.paths[i];
      std::vector<std::string> cells = {std::string(1, marks[i]), fmt::format("{:.2f}%", share(hot.weight))};
      for (std::string &cell : path_cells(hot, rows[i].start, rows[i].end, basis_.has_cycles))
        cells.push_back(std::move(cell));
      if (has_others)
        cells.push_back(name_of(hot.function));
      cells.push_back(rows[i].path);
      table.add(std::move(cells));
    }
    fit_paths(table, rows, view_.formatter);
    table.print(out);
  }

  struct Widths {
    size_t count, line, paths;
    uint64_t hottest; // highest line count
  };

  Widths widths_of(const Listing &listing) const {
    Widths widths = {5, 4, listing.paths.size(), 0};
    for (const auto &[place, line] : listing.lines) {
      widths.hottest = std::max(widths.hottest, line.count.count());
      widths.line = std::max(widths.line, std::to_string(place.second).size());
    }
    widths.count = std::max(widths.count, std::to_string(widths.hottest).size());
    return widths;
  }

  void print_lines(Output &out, const Listing &listing) {
    Widths widths = widths_of(listing);
    auto files = lines_by_file(listing, view_.names);
    if (files.empty())
      return;
    std::string title = fmt::format("{:>{}}  {:>{}}", "count", widths.count, "line", widths.line);
    if (widths.paths)
      title += "  " + marks.substr(0, widths.paths);
    out.print("\n{}\n", paint(out, Colour::Heading, title));
    for (const auto &[file, lines] : files) {
      if (file != listing.file)
        out.print("{}\n", paint(out, Colour::Place, "in " + view_.names.file(file)));
      print_file(out, view_.sources.number_of(unit_of(view_.profile, listing, file), file), lines, widths);
    }
  }

  void print_file(Output &out, size_t file, const LinesOfFile &lines, const Widths &widths) {
    if (!view_.sources[file].doubt.empty())
      out.print("{}\n", paint(out, Colour::Hot, "WARNING: " + text_of_doubt(view_.sources[file])));
    for (const auto &[number, line] : with_lines_between(lines, view_.sources, file))
      if (number)
        print_line(out, file, number, line, widths);
      else
        out.print("{:>{}}\n", "...", widths.count + 2 + widths.line);
  }

  // Prints a source line; `line` is null for a line without code.
  void print_line(Output &out, size_t file, uint32_t number, const ListedLine *line, const Widths &widths) {
    uint64_t count = line ? line->count.count() : 0;
    Colour colour = !line || count == 0 ? Colour::Faint : count > widths.hottest / 2 ? Colour::Hot : Colour::None;
    std::string text = paint(out, colour, fmt::format("{:>{}}", line ? std::to_string(count) : "-", widths.count)) +
                       paint(out, Colour::Faint, fmt::format("  {:>{}}  ", number, widths.line));
    std::string letters(widths.paths, line ? '.' : ' ');
    if (line)
      for (uint32_t path : line->paths)
        letters[path] = marks[path];
    for (size_t i = 0; i < letters.size(); i++)
      text += letters[i] == marks[i] ? paint_series(out, i, letters.substr(i, 1)) : letters.substr(i, 1);
    if (const std::string *source = view_.sources.line(file, number)) {
      std::string code = without_tabs(*source);
      size_t used = widths.count + widths.line + widths.paths + 6;
      if (out.width())
        code = cut_text(code, std::max(out.width(), used) - used);
      text += (widths.paths ? "  " : "") + (count || !line ? code : paint(out, Colour::Faint, code));
    }
    text.erase(text.find_last_not_of(' ') + 1);
    out.write(text + "\n");
  }

  // Prints the number of rows that the tables omit, and the option that shows them. A path has a row in each function
  // whose code it executes.
  void print_more_paths(Output &out) const {
    uint64_t more = 0;
    bool are_limited = false;
    for (const Listing &listing : listings_.functions) {
      more += listing.num_paths - listing.paths.size();
      are_limited |= listing.num_paths > options_.limit && listing.paths.size() == options_.limit;
    }
    if (!more)
      return;
    std::string how = fmt::format("(--threshold 0 includes {})", more == 1 ? "it" : "them");
    if (are_limited && options_.threshold > 0)
      how = "(use a larger -n and --threshold 0 to show more)";
    else if (are_limited && options_.limit < marks.size())
      how = fmt::format("(-n N marks up to N paths per function; the maximum is {})", marks.size());
    else if (are_limited)
      how = "(--json -n 0 lists all)";
    out.print("\n... and {} of executed paths in {} {}\n", plural(more, "more row"),
              listings_.functions.size() == 1 ? "this function" : "these functions", how);
  }

  void print_left_out(Output &out) const {
    for (const Function *function : listings_.left_out)
      if (view_.names.selects_file(function->file))
        out.print(
            "\n{} {}: left out: {}\n", paint(out, Colour::Heading, view_.names.function(function->notes.name)),
            paint(out, Colour::Place, fmt::format("({}:{})", view_.names.file(function->file), function->notes.line)),
            why_left_out(*function));
  }

  Json listing_json(const Listing &listing) {
    Json paths = Json::array(), lines = Json::array();
    for (const HotPath &hot : listing.paths) {
      Json json = {{"rank", paths.size() + 1}, {"share", share(hot.weight)}};
      json.update(view_.json(hot));
      paths.push_back(std::move(json));
    }
    for (const auto &[file, numbers] : lines_by_file(listing, view_.names))
      for (const auto &[number, line] : numbers) {
        Json ranks = Json::array();
        for (uint32_t path : line->paths)
          ranks.push_back(path + 1);
        Json json = {{"line", number}, {"count", count_json(line->count.count())}, {"paths", std::move(ranks)}};
        if (file != listing.file)
          json["file"] = view_.names.file(file);
        lines.push_back(std::move(json));
      }
    return {{"name", listing.name},
            {"demangled", view_.names.full(listing.name)},
            {"file", view_.names.file(listing.file)},
            {"line", listing.line},
            {"share", share(listing.weight)},
            {"calls", count_json(listing.totals.calls)},
            {"executions", count_json(listing.totals.executions)},
            {"inlined_into", callers(listing, true)},
            {"paths", std::move(paths)},
            {"lines", std::move(lines)}};
  }

  const Options &options_;
  Names names_;
  ProfileView view_;
  std::unique_ptr<Costs> costs_;
  Basis basis_;
  Listings listings_;
  size_t num_hidden_ = 0; // number of omitted functions that were not executed
};

int run(const Options &options) {
  check_lines_option(options, "show");
  if (!options.json && (options.limit == 0 || options.limit > marks.size()))
    throw Failure(kWrongUse,
                  fmt::format("show: -n must be between 1 and {}; with --json, any number is accepted", marks.size()));
  if (options.json && options.all)
    throw Failure(kWrongUse,
                  "show: --all has no effect with --json, which always includes functions that were not executed");
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Show show(profile, file, options);
  Output out(options);
  if (options.json)
    show.print_json(out);
  else
    show.print_text(out);
  out.commit();
  return show.status();
}

} // namespace

Run declare_show(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_number_option(
      command, options->limit,
      "mark at most N paths per function (default 5, maximum 52); with --json, N has no maximum, and 0 marks all "
      "paths");
  add_percentage_option(
      command, "--threshold", options->threshold,
      "show only paths that account for at least PCT per cent of all executed statements or cycles, and the "
      "functions of these paths (default 0)");
  command.add_flag("--all", options->all, "also show functions that were not executed, after all other functions");
  add_rank_options(command, options->rank);
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  command.option("--file").description("show only source files whose path or base name matches GLOB");
  return [options] { return run(*options); };
}

} // namespace pathprof
