// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump diff`: lists the paths that differ between two profiles, or between failing and passing runs.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/ranges.h>

#include "pathdump/commands/commands.h"
#include "pathdump/cost/cost_option.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/compare.h"
#include "pathdump/model/hot.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/model/fault_localization.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/line_changes.h"
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
#include "profile/model/visible.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> files; // profiles A and B
  RunOptions runs;
  uint64_t limit = 20;
  double threshold = -1; // minimum change in per cent of the statements, or 100 × minimum score; -1 if not given
  bool markdown = false;
  std::string cost; // value of --cost

  // Returns the smallest change that is listed. By default, it applies only to paths that both profiles contain,
  // because a path that was executed once in a long run can be important.
  double smallest_change() const { return threshold < 0 ? 0.01 : threshold; }
  bool lists_all_new_paths() const { return threshold < 0; }
};

Json weight_json(Weight weight, bool is_negative = false) {
  static constexpr Weight kExactInDouble = Weight{1} << 53;
  if (weight > kExactInDouble)
    return (is_negative ? "-" : "") + digits(weight);
  auto number = static_cast<int64_t>(weight);
  return is_negative ? -number : number;
}

void print_rest(Output &out, uint64_t more, bool is_limited) {
  if (more && is_limited)
    out.print("... and {} more {} (-n 0 shows all)\n", more, more == 1 ? "path" : "paths");
}

// Adds the path's uninstrumented callees, if any, under the key "calls".
void add_calls(Json &json, const PathLabel &row) {
  if (!row.calls.empty())
    json["calls"] = row.calls;
}

// -------------------------------------------------------------------------------------------------
// Comparison of two profiles.

Colour colour_of_kind(const std::string &kind) {
  return kind == "new" || kind == "hotter" ? Colour::Hot : Colour::Place;
}

// -------------------------------------------------------------------------------------------------
// Line-by-line differences of functions whose graph has changed.

// Texts of the lines and branches of a changed function, as displayed.
class LineTexts {
public:
  // Keeps references to its arguments, which are A's and B's version of the function.
  LineTexts(const Function &a, ProfileView &view_a, const Function &b, ProfileView &view_b)
      : function_{&a, &b}, view_{&view_a, &view_b} {}

  // Returns the outcomes of each branch, such as "true 60, false 40; case 3: 5, default: 0" for two branches.
  std::string outcomes(const LineChange &change, int side) const {
    const Branches &branches = view_[side]->formatter.branches(*function_[side]);
    std::vector<std::string> texts;
    for (const std::vector<EdgeCount> &edges : change.outcomes[side]) {
      std::vector<std::string> counts;
      for (const EdgeCount &edge : edges)
        counts.push_back(outcome(branches.outcome(edge.edge), edge.count));
      texts.push_back(fmt::format("{}", fmt::join(counts, ", ")));
    }
    return fmt::format("{}", fmt::join(texts, "; "));
  }

  // Returns the text of the line in B or, if B does not contain the line, in A. Returns an empty string if the source
  // file is missing or has changed since it was compiled.
  std::string source(const LineChange &change) const {
    static constexpr size_t kMost = 60;
    int side = change.line[1] != 0;
    const Function &function = *function_[side];
    Sources &sources = view_[side]->sources;
    size_t file = sources.number_of(*function.sources, (*function.files)[function.notes.file]);
    const std::string *line = sources[file].doubt.empty() ? sources.line(file, change.line[side]) : nullptr;
    size_t begin = line ? line->find_first_not_of(" \t") : std::string::npos;
    return begin == std::string::npos ? std::string() : cut_text(without_tabs(line->substr(begin)), kMost);
  }

private:
  static std::string outcome(const std::string &name, uint64_t count) {
    if (name == "T" || name == "F")
      return fmt::format("{} {}", name == "T" ? "true" : "false", count);
    return name.empty() ? std::to_string(count) : fmt::format("{}: {}", name, count);
  }

  const Function *function_[2];
  ProfileView *view_[2];
};

static const char *kind_of(const LineChange &change) {
  if (!change.line[0] || !change.line[1])
    return change.line[1] ? "new" : "gone";
  return change.size() == 0 ? "other outcomes" : change.grows() ? "hotter" : "colder";
}

// Returns the `limit` largest changes (0: all), in the order of `changes`, which are sorted by line.
static std::vector<const LineChange *> largest(const std::vector<LineChange> &changes, uint64_t limit) {
  std::vector<const LineChange *> chosen;
  for (const LineChange &change : changes)
    chosen.push_back(&change);
  if (limit == 0 || chosen.size() <= limit)
    return chosen;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [](const LineChange *a, const LineChange *b) { return a->size() > b->size(); });
  chosen.resize(limit);
  std::sort(chosen.begin(), chosen.end()); // pointers into one vector, so in line order
  return chosen;
}

// Returns the cells of a row: the kind of change, then the line number, count and outcomes in A, then the same three
// cells for B, and the text of the line.
static std::vector<std::string> cells_of(const LineChange &change, const LineTexts &texts) {
  std::vector<std::string> cells = {kind_of(change)};
  for (int side : {0, 1}) {
    bool is_there = change.line[side] != 0;
    cells.push_back(is_there ? std::to_string(change.line[side]) : "-");
    cells.push_back(is_there ? std::to_string(change.count[side]) : "-");
    cells.push_back(texts.outcomes(change, side));
  }
  cells.push_back(texts.source(change));
  return cells;
}

static std::string rest_text(const std::vector<LineChange> &changes, size_t shown) {
  return changes.size() == shown ? ""
                                 : fmt::format("... and {} more {} (-n 0 shows all)", changes.size() - shown,
                                               changes.size() - shown == 1 ? "line" : "lines");
}

// Prints the `limit` largest changes (0: all), sorted by line, as a table.
void print_changed_lines(const std::vector<LineChange> &changes, uint64_t limit, const LineTexts &texts, Output &out) {
  Table table({{"    kind", false},
               {"line A", true, Colour::Place},
               {"count A", true},
               {"outcomes A"},
               {"line B", true, Colour::Place},
               {"count B", true},
               {"outcomes B"},
               {"source"}});
  std::vector<const LineChange *> chosen = largest(changes, limit);
  for (const LineChange *change : chosen) {
    std::vector<std::string> cells = cells_of(*change, texts);
    cells.front() = "    " + cells.front();
    table.add(std::move(cells));
  }
  if (!chosen.empty())
    table.print(out);
  if (std::string rest = rest_text(changes, chosen.size()); !rest.empty())
    out.print("    {}\n", rest);
}

// Returns `text` as Markdown code for a table cell, so that none of it is interpreted as markup.  Returns "" if `text`
// is empty.  Encloses the text between two runs of backquotes, which are longer than any run of backquotes in the text.
// Escapes vertical bars, because a bar ends a table cell even inside code.
std::string markdown_code(const std::string &text) {
  if (text.empty())
    return "";
  size_t longest = 0, run = 0;
  std::string escaped;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
    escaped += c == '|' ? std::string("\\|") : std::string(1, c);
  }
  std::string fence(longest + 1, '`');
  const char *space = text.front() == '`' || text.back() == '`' ? " " : "";
  return fence + space + escaped + space + fence;
}

// Prints a row of a Markdown table.
void print_markdown_row(const std::vector<std::string> &cells, Output &out) {
  out.print("| {} |\n", fmt::join(cells, " | "));
}

// Prints the `limit` largest changes (0: all), sorted by line, as a Markdown table.
void print_changed_lines_markdown(const std::vector<LineChange> &changes, uint64_t limit, const LineTexts &texts,
                                  Output &out) {
  print_markdown_row({"kind", "line A", "count A", "outcomes A", "line B", "count B", "outcomes B", "source"}, out);
  print_markdown_row({"---", "---:", "---:", "---", "---:", "---:", "---", "---"}, out);
  std::vector<const LineChange *> chosen = largest(changes, limit);
  for (const LineChange *change : chosen) {
    std::vector<std::string> cells = cells_of(*change, texts);
    cells.back() = markdown_code(cells.back());
    print_markdown_row(cells, out);
  }
  if (std::string rest = rest_text(changes, chosen.size()); !rest.empty())
    out.print("\n{}\n", rest);
}

// Returns all changes as a JSON list.  The line number in A or B is null if A or B does not contain the line.
Json changed_lines_json(const std::vector<LineChange> &changes) {
  Json list = Json::array();
  for (const LineChange &change : changes) {
    Json json = {{"kind", kind_of(change)}};
    for (int side : {0, 1}) {
      std::string suffix = side ? "_b" : "_a";
      Json branches = Json::array();
      for (const std::vector<EdgeCount> &outcomes : change.outcomes[side]) {
        branches.push_back(Json::array());
        for (const EdgeCount &outcome : outcomes)
          branches.back().push_back(count_json(outcome.count));
      }
      json["line" + suffix] = change.line[side] ? Json(change.line[side]) : Json();
      json["count" + suffix] = count_json(change.count[side]);
      json["branches" + suffix] = std::move(branches);
    }
    list.push_back(std::move(json));
  }
  return list;
}

// -------------------------------------------------------------------------------------------------

class Diff {
public:
  Diff(const Comparison &comparison, const Options &options, const Names &names)
      : comparison_(comparison), options_(options),
        names_(names), view_{{*side(0).profile, side(0).file, names, options},
                             {*side(1).profile, side(1).file, names, options}} {
    for (int i : {0, 1})
      view_[i].formatter.mark_calls(*side(i).profile);
    view_[1].formatter.list_with(view_[0].formatter);
  }

  void print_text(Output &out) {
    for (int i : {0, 1})
      out.print("{}: {}: {}, {} and {} executed, {}, {} {}\n", paint(out, Colour::Heading, letter(i)),
                visible(side(i).file), plural(side(i).profile->runs, "run"), plural(side(i).functions, "function"),
                plural(side(i).paths, "distinct path"), plural(side(i).executions, "path execution"),
                digits(side(i).weight), unit());
    const uint64_t *num = comparison_.num_of_kind;
    out.print("{} new in B, {} gone, {} hotter, {} colder, {} unchanged\n", plural(num[0], "path"), num[1], num[2],
              num[3], comparison_.num_equal);
    print_counted(*side(0).profile, *side(1).profile, names_, out);
    out.write("\n");
    print_remark(summary(), out);
    print_changed(out);
    if (!comparison_.changes.empty()) {
      out.write("\n");
      print_remark(
          fmt::format("Ranked by the change in {}{}; columns A and B show execution counts, and columns A% and B% show "
                      "shares of {} in A or B",
                      costs() ? fmt::format("cost ({}, measured by {})", costs()->event(), costs()->tool())
                              : "executed statements (executions × statements)",
                      comparison_.scale.is_needed() ? " per run" : "",
                      costs() ? "the cost of all paths" : "all statements executed"),
          out);
      out.write("\n");
      print_table(out);
    }
    print_rest(out, num_more(), comparison_.changes.size() == options_.limit);
    print_below_threshold(out);
    for (const ProfileView &view : view_)
      view.formatter.print_legend(out);
  }

  void print_json(Output &out) {
    Json sides = Json::array(), changes = Json::array(), changed = Json::array();
    for (int i : {0, 1})
      sides.push_back({{"file", side(i).file},
                       {"program", side(i).profile->program},
                       {"runs", count_json(side(i).profile->runs)},
                       {"functions_executed", side(i).functions},
                       {"paths_executed", side(i).paths},
                       {"path_executions", count_json(side(i).executions)}});
    for (int i : {0, 1})
      if (costs())
        sides[i]["cost"] = side(i).costs->json();
      else
        sides[i]["statements_executed"] = weight_json(side(i).weight);
    for (const PathChange &change : comparison_.changes)
      changes.push_back(change_json(change, changes.size() + 1));
    for (const ChangedFunction &one : comparison_.changed) {
      if (one.is_program) {
        const InterproceduralUnit &unit = side(1).profile->interprocedural_units[one.function[1]];
        changed.push_back({{"unit", unit_of(*side(1).profile, unit, names_)},
                           {"reason", one.why},
                           {"share_a", share(one.weight[0], 0)},
                           {"share_b", share(one.weight[1], 1)}});
        continue;
      }
      const Function &function = side(1).profile->functions[one.function[1]];
      changed.push_back({{"function", function.notes.name},
                         {"demangled", names_.full(function.notes.name)},
                         {"file", names_.file(function.file)},
                         {"line", function.notes.line},
                         {"reason", one.why},
                         {"share_a", share(one.weight[0], 0)},
                         {"share_b", share(one.weight[1], 1)}});
      if (one.is_compared)
        changed.back()["lines"] = changed_lines_json(one.lines);
    }
    Json json = {{"a", sides[0]}, {"b", sides[1]}};
    for (size_t kind = 0; kind < kNumChangeKinds; kind++)
      json[to_string(static_cast<ChangeKind>(kind))] = comparison_.num_of_kind[kind];
    json["equal"] = comparison_.num_equal;
    json["more"] = num_more();
    json["below_threshold"] = comparison_.num_below_threshold;
    json["summary"] = summary();
    json["paths"] = std::move(changes);
    json["changed_functions"] = std::move(changed);
    out.print("{}\n", dump_indented(json));
  }

  // Warns about source files that have changed since compilation.  Warns separately for A and B, because each path is
  // described with the source files of one of the two profiles.
  void warn_of_sources() {
    for (int i : {0, 1}) {
      for (const PathChange &change : comparison_.changes)
        if (!change.is_of_program && change.function[i] != kNoFunction) {
          const Function &function = side(i).profile->functions[change.function[i]];
          view_[i].sources.number_of(*function.sources, function.file);
        }
      view_[i].sources.warn_of_doubts(std::string(letter(i)) + ": ");
    }
  }

  // Prints the differences as Markdown for a pull request.
  void print_markdown(Output &out) {
    out.write("### pathprof: changed paths\n\n");
    for (int i : {0, 1})
      out.print("- {}: {}, {}, {} {}\n", letter(i), markdown_code(visible(side(i).file)),
                plural(side(i).profile->runs, "run"), digits(side(i).weight), unit());
    const uint64_t *num = comparison_.num_of_kind;
    out.print("\n{} new in B, {} gone, {} hotter, {} colder, {} unchanged.\n", plural(num[0], "path"), num[1], num[2],
              num[3], comparison_.num_equal);
    out.print("\n{}\n", summary());
    print_changed_markdown(out);
    if (!comparison_.changes.empty()) {
      out.write("\n");
      print_markdown_row({"kind", "A", "A%", "B", "B%", "function", "path"}, out);
      print_markdown_row({"---", "---:", "---:", "---:", "---:", "---", "---"}, out);
    }
    std::vector<PathLabel> rows = distinct_rows();
    for (size_t i = 0; i < rows.size(); i++) {
      const PathChange &change = comparison_.changes[i];
      print_markdown_row({to_string(change.kind), std::to_string(change.count[0]),
                          fmt::format("{:.2f}", share(change.weight[0], 0)), std::to_string(change.count[1]),
                          fmt::format("{:.2f}", share(change.weight[1], 1)), markdown_code(rows[i].function),
                          markdown_code(rows[i].path)},
                         out);
    }
    bool has_rest = num_more() || comparison_.num_below_threshold;
    out.write(has_rest ? "\n" : "");
    print_rest(out, num_more(), comparison_.changes.size() == options_.limit);
    print_below_threshold(out);
  }

private:
  void print_below_threshold(Output &out) const {
    if (uint64_t number = comparison_.num_below_threshold)
      out.print("... and {} below {:g}% of the {} (--threshold 0 includes {})\n", plural(number, "smaller change"),
                options_.smallest_change(), whole(), number == 1 ? "it" : "them");
  }

  // Returns a description of the most important differences in a few sentences.
  std::string summary() const {
    std::vector<std::string> sentences = {statements_text()};
    if (uint64_t runs[] = {side(0).profile->runs, side(1).profile->runs}; runs[0] != runs[1])
      sentences.push_back(
          fmt::format("The counts are totals of {} in A and {} in B; paths are compared and ranked by their counts per "
                      "run.",
                      plural(runs[0], "run"), plural(runs[1], "run")));
    if (std::string changed = changed_text(); !changed.empty())
      sentences.push_back(changed);
    if (std::string most = largest_function_text(); !most.empty())
      sentences.push_back(most);
    return fmt::format("{}", fmt::join(sentences, " "));
  }

  std::string statements_text() const {
    Weight a = comparison_.scaled_weight(0), b = comparison_.scaled_weight(1);
    const char *per_run = comparison_.scale.is_needed() ? " per run" : "";
    if (a == b)
      return fmt::format(
          costs() ? "A and B have the same cost{}." : "A and B executed the same number of statements{}.", per_run);
    if (a == 0 || b == 0)
      return fmt::format(costs() ? "Only {} has a cost." : "Only {} executed statements.", letter(a == 0));
    double change = per_cent(static_cast<double>(b > a ? b - a : a - b), static_cast<double>(a));
    if (change < 0.1)
      return fmt::format(costs() ? "The costs of A and B{} differ by less than 0.1%."
                                 : "The numbers of statements that A and B executed{} differ by less than 0.1%.",
                         per_run);
    if (b > a && change >= 200)
      return fmt::format(costs() ? "B cost {:.1f} times as much{} as A."
                                 : "B executed {:.1f} times as many statements{} as A.",
                         change / 100 + 1, per_run);
    return costs()
               ? fmt::format("B cost {:.1f}% {}{} than A.", change, b > a ? "more" : "less", per_run)
               : fmt::format("B executed {:.1f}% {} statements{} than A.", change, b > a ? "more" : "fewer", per_run);
  }

  // Returns a sentence about the functions whose control flow changed, or an empty string if there are none.
  std::string changed_text() const {
    static constexpr size_t kMost = 3;
    std::vector<std::string> names;
    Weight weight[2] = {};
    for (const ChangedFunction &one : comparison_.changed) {
      if (one.is_program)
        continue; // the functions of the interprocedural unit are listed separately
      names.push_back(names_.function(side(1).profile->functions[one.function[1]].notes.name));
      for (int i : {0, 1})
        weight[i] += one.weight[i];
    }
    if (names.empty())
      return {};
    return fmt::format("{} changed ({}): {:.2f}% of the {} in A, {:.2f}% in B.", plural(names.size(), "function"),
                       some_of(names, kMost, ", "), share(weight[0], 0), whole(), share(weight[1], 1));
  }

  // Returns a sentence about the function with the largest change in executed statements or, if the profiles contain
  // different numbers of runs, in the share of the statements. Returns an empty string if there is no such change.
  std::string largest_function_text() const {
    bool is_by_share = side(0).profile->runs != side(1).profile->runs;
    auto size = [&](const Overlap &one) {
      double weight[2];
      for (int i : {0, 1})
        weight[i] = is_by_share ? share(one.weight[i], i) : static_cast<double>(one.weight[i]);
      return one.is_program ? 0 : std::abs(weight[1] - weight[0]);
    };
    auto most = std::max_element(comparison_.overlaps.begin(), comparison_.overlaps.end(),
                                 [&](const Overlap &x, const Overlap &y) { return size(x) < size(y); });
    if (most == comparison_.overlaps.end() || size(*most) <= 0)
      return {};
    int i = most->function[1] != kNoFunction;
    std::string name = names_.function(side(i).profile->functions[most->function[i]].notes.name);
    if (is_by_share)
      return fmt::format("The share of {} changed most: {:.2f}% of the {} in A, {:.2f}% in B.", name,
                         share(most->weight[0], 0), whole(), share(most->weight[1], 1));
    return fmt::format("The largest change is in {}: {} in A, {} in B.", name,
                       most->weight[0] == 1 && !costs() ? "1 statement" : digits(most->weight[0]) + " " + unit(),
                       digits(most->weight[1]));
  }

  LineTexts texts_of(const ChangedFunction &one) {
    return {side(0).profile->functions[one.function[0]], view_[0], side(1).profile->functions[one.function[1]],
            view_[1]};
  }

  void print_changed_markdown(Output &out) {
    for (const ChangedFunction &one : comparison_.changed) {
      if (one.is_program)
        continue; // the functions of the interprocedural unit are listed separately
      const Function &function = side(1).profile->functions[one.function[1]];
      out.print("\n{} ({}): {}.\n", markdown_code(names_.function(function.notes.name)),
                markdown_code(names_.location(function)),
                text_of_changed(one) + (one.is_compared ? "" : "; not compared"));
      if (!one.lines.empty()) {
        out.write("\n");
        print_changed_lines_markdown(one.lines, options_.limit, texts_of(one), out);
      }
    }
  }

  const Side &side(int i) const { return comparison_.sides[i]; }
  // Returns the measured costs of B, or null if the profiles are compared by statements.
  const Costs *costs() const { return side(1).costs; }
  std::string unit() const { return costs() ? costs()->event() : "statements"; }
  const char *whole() const { return costs() ? "cost" : "statements"; }
  static const char *letter(int i) { return i ? "B" : "A"; }

  double share(Weight weight, int i) const { return comparison_.share(weight, i); }

  uint64_t num_more() const {
    uint64_t all = 0;
    for (uint64_t num : comparison_.num_of_kind)
      all += num;
    return all - comparison_.changes.size() - comparison_.num_below_threshold;
  }

  // Description of a path, based on B if B contains the function, and otherwise on A.
  struct Description {
    const Function &function; // function in which the path starts
    PathLabel row;
    std::string lines, unit;
    Json decisions;
  };
  Description describe(const PathChange &change) {
    int i = change.side();
    size_t index = change.function[i];
    if (change.is_of_program) {
      ShownPath path(*side(i).profile, index, change.id);
      PathFormatter lines = view_[i].formatter.by_lines();
      return {path.first_function(), path.path_label(view_[i].formatter, false), path.text(lines),
              names_.file(path.interprocedural_unit().source), path.decisions_json(view_[i].formatter)};
    }
    const Function &function = side(i).profile->functions[index];
    Path path = *view_[i].decoder.decoded(index).regenerate(change.id);
    Json decisions = Json::object();
    add_decisions(decisions, function, path, view_[i].formatter);
    view_[i].formatter.note(function, path);
    return {function, path_label(function, path, change.id, view_[i].formatter),
            line_sequence_text(function, path, names_), "", std::move(decisions)};
  }

  // Returns the labels of the changed paths, disambiguated so that no two labels are identical.
  std::vector<PathLabel> distinct_rows() {
    std::vector<PathLabel> rows;
    for (const PathChange &change : comparison_.changes)
      rows.push_back(std::move(describe(change).row));
    complete(rows, view_[0].formatter);
    return rows;
  }

  void print_table(Output &out) {
    Table table({{"rank", true},
                 {"kind", false, Colour::None, 0, colour_of_kind},
                 {"change", true},
                 {"A", true},
                 {"A%", true, Colour::Faint},
                 {"B", true},
                 {"B%", true, Colour::Faint},
                 {"stmts", true},
                 {"id", true},
                 {"from"},
                 {"to"},
                 {"function", false, Colour::Name, 40},
                 {view_[0].formatter.heading(), false, Colour::Place}});
    std::vector<PathLabel> rows = distinct_rows();
    for (size_t i = 0; i < rows.size(); i++) {
      const PathChange &change = comparison_.changes[i];
      table.add({std::to_string(i + 1), to_string(change.kind),
                 (change.size() == 0 ? ""
                  : change.grows()   ? "+"
                                     : "-") +
                     change_text(change),
                 std::to_string(change.count[0]), fmt::format("{:.2f}%", share(change.weight[0], 0)),
                 std::to_string(change.count[1]), fmt::format("{:.2f}%", share(change.weight[1], 1)),
                 std::to_string(change.statements), digits(change.id), rows[i].start, rows[i].end, rows[i].function,
                 rows[i].path});
    }
    fit_paths(table, rows, view_[0].formatter);
    table.print(out);
  }

  // Returns the change without its sign. A change per run has one decimal place.
  std::string change_text(const PathChange &change) const {
    return comparison_.scale.is_needed() ? fmt::format("{:.1f}", comparison_.scale.per_run(change.size()))
                                         : digits(change.size());
  }

  std::string name_of_changed(const Output &out, const ChangedFunction &one) const {
    if (one.is_program)
      return name_of(side(1).profile->interprocedural_units[one.function[1]], names_);
    const Function &function = side(1).profile->functions[one.function[1]];
    return fmt::format("{} ({}:{})", paint(out, Colour::Name, names_.function(function.notes.name)),
                       names_.file(function.file), function.notes.line);
  }

  void print_changed(Output &out) {
    if (comparison_.changed.empty())
      return;
    out.print("\n{} changed; compared by lines and branches instead of paths:\n",
              plural(comparison_.changed.size(), "function"));
    for (const ChangedFunction &one : comparison_.changed) {
      out.print("  {}: {}{}\n", name_of_changed(out, one), text_of_changed(one),
                one.is_compared ? "" : "; not compared");
      if (!one.lines.empty())
        print_changed_lines(one.lines, options_.limit, texts_of(one), out);
    }
  }

  std::string text_of_changed(const ChangedFunction &one) const {
    return fmt::format("{}; {:.2f}% of the {} in A, {:.2f}% in B", one.why, share(one.weight[0], 0),
                       costs() ? "cost" : "statements executed", share(one.weight[1], 1));
  }

  Json change_in_json(const PathChange &change) const {
    if (!comparison_.scale.is_needed())
      return weight_json(change.size(), !change.grows());
    double size = comparison_.scale.per_run(change.size());
    return change.grows() ? size : -size;
  }

  Json change_json(const PathChange &change, uint64_t rank) {
    Description path = describe(change);
    const FunctionNotes &notes = path.function.notes;
    Json json = {{"rank", rank},
                 {"kind", to_string(change.kind)},
                 {"change", change_in_json(change)},
                 {"count_a", count_json(change.count[0])},
                 {"share_a", share(change.weight[0], 0)},
                 {"count_b", count_json(change.count[1])},
                 {"share_b", share(change.weight[1], 1)},
                 {"statements", count_json(change.statements)},
                 {"function", notes.name},
                 {"demangled", names_.full(notes.name)},
                 {"file", names_.file(path.function.file)},
                 {"line", notes.line},
                 {"id", digits(change.id)},
                 {"start", path.row.start},
                 {"end", path.row.end},
                 {"lines", path.lines}};
    json.update(path.decisions.is_array() ? Json{{"decisions", path.decisions}} : path.decisions);
    add_calls(json, path.row);
    if (!path.unit.empty())
      json["unit"] = path.unit;
    return json;
  }

  const Comparison &comparison_;
  const Options &options_;
  const Names &names_;
  ProfileView view_[2];
};

// Throws Failure if the costs of the two profiles were measured in different units.
void check_units(const Costs &a, const Costs &b) {
  if (a.tool() == b.tool() && a.event() == b.event())
    return;
  throw Failure(kWrongUse, fmt::format("diff: --cost: A was measured in {} by {}, but B in {} by {}; measure both with "
                                       "the same tool, as in 'pathprof record --cost=callgrind -- PROG'",
                                       a.event(), a.tool(), b.event(), b.tool()));
}

int run_comparison(const Options &options) {
  if (std::count(options.files.begin(), options.files.end(), "-") > 1)
    throw Failure(kWrongUse, "diff: standard input ('-') can be read only once");
  Profile a = open_profile(options.files[0]), b = open_profile(options.files[1]);
  Names names(options, {&a, &b});
  std::unique_ptr<Costs> costs[] = {open_costs("diff", options.cost, a, options.files[0]),
                                    open_costs("diff", options.cost, b, options.files[1])};
  if (costs[0])
    check_units(*costs[0], *costs[1]);
  Side sides[] = {{&a, options.files[0]}, {&b, options.files[1]}};
  for (int i : {0, 1})
    sides[i].costs = costs[i].get();
  Comparison comparison =
      compare(sides[0], sides[1], names, options.limit, {options.smallest_change(), options.lists_all_new_paths()});
  Output out(options);
  Diff diff(comparison, options, names);
  if (options.json)
    diff.print_json(out);
  else if (options.markdown)
    diff.print_markdown(out);
  else
    diff.print_text(out);
  out.commit();
  diff.warn_of_sources();
  Selection selection(options, names);
  selection.add(a, options.files[0]);
  selection.add(b, options.files[1]);
  return selection.status(kGood);
}

// -------------------------------------------------------------------------------------------------
// Comparison of failing and passing runs.

struct Found {
  const SuspiciousPath &suspect;
  PathLabel row;
  std::string lines;
  Json decisions;
};

// Describes the suspicious paths.  Source files are looked up relative to the profile of the first failing run.
std::vector<Found> decode(const Runs &runs, const std::vector<SuspiciousPath> &suspicious_paths,
                          PathFormatter &formatter) {
  PathFormatter lines = formatter.by_lines();
  std::map<const Function *, std::unique_ptr<Decoded>> decoded;
  std::vector<Found> found;
  const Profile *marked = nullptr; // the profile that was last passed to mark_calls
  for (const SuspiciousPath &suspect : suspicious_paths) {
    if (const Profile &own = runs.profile_of(suspect); &own != marked)
      formatter.mark_calls(*(marked = &own));
    if (suspect.profile) {
      ShownPath path(*suspect.profile, suspect.unit, suspect.id);
      found.push_back({suspect, path.path_label(formatter, false), path.text(lines),
                       Json{{"decisions", path.decisions_json(formatter)}}});
      continue;
    }
    std::unique_ptr<Decoded> &one = decoded[suspect.function];
    if (!one)
      one = decode_or_fail(runs.file_of(suspect), *suspect.function);
    Path path = *one->regenerate(suspect.id);
    Json decisions = Json::object();
    add_decisions(decisions, *suspect.function, path, formatter);
    formatter.note(*suspect.function, path);
    found.push_back({suspect, path_label(*suspect.function, path, suspect.id, formatter),
                     lines.text(*suspect.function, path), std::move(decisions)});
  }
  return found;
}

void print_suspects(const Runs &runs, const std::vector<Found> &found, const PathFormatter &formatter, Output &out) {
  out.print("{} failed, {} passed\n", plural(runs.num_failed(), "run"), runs.num_passed());
  if (!found.empty())
    print_remark("Ranked by suspiciousness (Ochiai score); the columns 'failed' and 'passed' show how many failing and "
                 "passing runs executed the path",
                 out);
  out.write("\n");
  if (found.empty())
    return;
  Table table({{"rank", true},
               {"score", true, Colour::Hot},
               {"failed", true},
               {"passed", true},
               {"stmts", true},
               {"id", true},
               {"from"},
               {"to"},
               {"function", false, Colour::Name, 40},
               {formatter.heading(), false, Colour::Place}});
  std::vector<PathLabel> rows;
  for (const Found &one : found)
    rows.push_back(one.row);
  complete(rows, formatter);
  for (size_t i = 0; i < rows.size(); i++) {
    const SuspiciousPath &suspect = found[i].suspect;
    table.add({std::to_string(i + 1), fmt::format("{:.3f}", suspect.score),
               fmt::format("{}/{}", suspect.failed, runs.num_failed()),
               fmt::format("{}/{}", suspect.passed, runs.num_passed()), std::to_string(suspect.statements),
               digits(suspect.id), rows[i].start, rows[i].end, rows[i].function, rows[i].path});
  }
  fit_paths(table, rows, formatter);
  table.print(out);
}

Json suspects_json(const Runs &runs, const std::vector<Found> &found, uint64_t more, const Names &names) {
  Json paths = Json::array();
  for (const auto &[suspect, row, lines, decisions] : found) {
    const FunctionNotes &notes = suspect.function->notes;
    paths.push_back({{"rank", paths.size() + 1},
                     {"score", suspect.score},
                     {"failed", suspect.failed},
                     {"passed", suspect.passed},
                     {"statements", count_json(suspect.statements)},
                     {"function", notes.name},
                     {"demangled", names.full(notes.name)},
                     {"file", names.file(suspect.function->file)},
                     {"line", notes.line},
                     {"id", digits(suspect.id)},
                     {"start", row.start},
                     {"end", row.end},
                     {"lines", lines}});
    paths.back().update(decisions);
    add_calls(paths.back(), row);
  }
  return {{"failed", runs.num_failed()}, {"passed", runs.num_passed()}, {"more", more}, {"paths", std::move(paths)}};
}

int run_suspects(const Options &options) {
  Names names(options);
  Selection selection(options, names);
  Runs runs = read_runs(options.runs.failed, options.runs.passed, selection);
  names = Names(options, runs.profiles());
  uint64_t num_found = 0;
  std::vector<SuspiciousPath> suspicious_paths =
      runs.suspicious_paths(names, options.limit, std::max(options.threshold, 0.0) / 100, &num_found);
  Sources sources(names, options.runs.failed.front());
  PathFormatter formatter(names, &sources, options);
  Output out(options);
  std::vector<Found> found = decode(runs, suspicious_paths, formatter);
  if (options.json) {
    out.print("{}\n", dump_indented(suspects_json(runs, found, num_found - found.size(), names)));
  } else {
    print_suspects(runs, found, formatter, out);
    print_rest(out, num_found - found.size(), true);
    if (found.empty())
      out.write("No suspicious path was found.\n");
    formatter.print_legend(out);
  }
  out.commit();
  return selection.status(kGood);
}

int run(const Options &options) {
  check_lines_option(options, "diff");
  bool has_runs = options.runs.are_given();
  if (options.markdown && (options.json || has_runs))
    throw Failure(kWrongUse, "diff: --markdown requires two profiles and cannot be combined with --json");
  if (has_runs && !options.files.empty())
    throw Failure(kWrongUse, "diff: --pass and --fail cannot be combined with two profiles to compare");
  if (has_runs && !options.cost.empty())
    throw Failure(kWrongUse, "diff: --cost requires two profiles to compare");
  if (!options.cost.empty() && options.cost != kDefaultCost)
    throw Failure(kWrongUse, "diff: --cost takes no value; it compares the costs that are stored with the profiles");
  if (has_runs)
    options.runs.check("diff", "diff --pass FILE... --fail FILE...");
  if (!has_runs && options.files.size() != 2)
    throw Failure(kWrongUse, "diff: expected two profiles: diff A B, or diff --pass FILE... --fail FILE...");
  return has_runs ? run_suspects(options) : run_comparison(options);
}

} // namespace

Run declare_diff(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_run_options(command, options->runs, "FILE...", "compare with the profiles of passing runs, one profile per run",
                  "rank paths by suspiciousness in the profiles of failing runs, one profile per run");
  add_number_option(command, options->limit, "print at most N paths (default 20; 0: all)");
  add_percentage_option(
      command, "--threshold", options->threshold,
      "omit changes of less than PCT per cent of the statements executed in the longer run "
      "(default 0.01; new and gone paths are always shown) or, with --pass and --fail, paths with scores "
      "below PCT/100 (default 0)");
  add_cost_option(command, options->cost);
  command.option("--cost").description("compare the costs that 'pathprof record --cost' stored with the profiles");
  command.add_flag("--markdown", options->markdown, "print Markdown, for example for a pull request");
  command.add_operand("A_B", options->files, "profiles to compare ('-': standard input)");
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions | kLinesOption);
  return [options] { return run(*options); };
}

} // namespace pathprof
