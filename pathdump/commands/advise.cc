// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump advise`: lists branches that paths predict better than edges do, and suggestions based on them.
#include <algorithm>

#include "core/models/model.h"
#include "pathdump/commands/commands.h"
#include "pathdump/model/advice.h"
#include "pathdump/model/basis.h"
#include "pathdump/model/branch_correlation.h"
#include "pathdump/model/profile_view.h"
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
  std::string tests; // profile of the tests; empty if not given
  uint64_t limit = 10;
  double threshold = kLeastWorth; // minimum worth or saving of a suggestion in per cent
};

// Numbers of suggestions that are not listed.
struct Omitted {
  uint64_t more;  // beyond -n
  uint64_t small; // below the threshold
};

template <typename T>
size_t shown(const std::vector<T> &list, uint64_t limit) {
  return limit && limit < list.size() ? static_cast<size_t>(limit) : list.size();
}

// Returns the line of the block's branch, which is the block's last line.  Returns null if the block has no lines.
const LineRef *last_line(const Function &function, int block) {
  const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
  return lines.empty() ? nullptr : &lines.back();
}

const LineRef *first_line(const Function &function, int block) {
  const std::vector<LineRef> &lines = function.notes.blocks[static_cast<size_t>(block)].lines;
  return lines.empty() ? nullptr : &lines.front();
}

std::string place_text(const Function &function, const LineRef *line, int block, const Names &names) {
  return line ? fmt::format("{}:{}", names.file((*function.files)[line->file]), line->line)
              : fmt::format("block {}", block);
}

// Returns the position of a branch, such as "a.c:8", or "a.c:8.11" if the line contains several branches.
std::string branch_text(const Function &function, int block, PathFormatter &formatter) {
  const BranchPlace &place = formatter.branches(function).place(block);
  bool has_line = last_line(function, block) != nullptr;
  return has_line && place.file.empty() ? fmt::format("{}:{}", formatter.names().file(function.file), place.number)
                                        : place.text();
}

Json place_json(const Function &function, const LineRef *line, int block, const Names &names) {
  Json json = {{"block", block}};
  if (line)
    json.update({{"file", names.file((*function.files)[line->file])}, {"line", line->line}});
  return json;
}

std::string share_text(uint64_t part, uint64_t whole) {
  return fmt::format("{:.1f}%", per_cent(static_cast<double>(part), static_cast<double>(whole)));
}

// Columns with the percentages of mispredicted branch executions, used in several tables.
// Pairs are known only in profiles that count paths across iterations.
class MissedColumns {
public:
  explicit MissedColumns(const BranchCorrelations &advice) : has_pairs_(advice.has_pairs()) {}

  std::vector<Column> columns() const {
    std::vector<Column> columns = {{"executions", true}, {"by edges", true}, {"by paths", true, Colour::Hot}};
    if (has_pairs_)
      columns.emplace_back(Column{"by pairs", true, Colour::Hot});
    return columns;
  }
  std::vector<std::string> cells(const Mispredictions &missed, bool knows_pairs) const {
    std::vector<std::string> cells = {std::to_string(missed.executions), share_text(missed.by_edges, missed.executions),
                                      share_text(missed.by_paths, missed.executions)};
    if (has_pairs_)
      cells.push_back(knows_pairs ? share_text(missed.by_pairs, missed.executions) : "-");
    return cells;
  }

private:
  bool has_pairs_;
};

// Prints the number of entries that a truncated list omits.
void print_more(uint64_t more, const char *noun, Output &out) {
  if (more)
    out.print("... and {} (-n 0 shows all)\n", plural(more, noun));
}

void print_pieces(const std::vector<AdvicePiece> &pieces, const Omitted &omitted, double threshold, uint64_t runs,
                  Output &out) {
  if (pieces.empty() && omitted.small)
    out.write("No suggestions above the threshold\n\n");
  else if (pieces.empty())
    out.write(
        "No suggestions: no test is decided by an earlier one or has a constant outcome, and no loop has a constant "
        "trip count.\n\n");
  else
    out.print("Suggestions; savings are estimated from path counts{}\n\n",
              runs > 1 ? fmt::format(" and are sums over all {} runs", runs) : "");
  const AdviceKind *kind = nullptr;
  for (size_t i = 0; i < pieces.size(); i++) {
    const AdvicePiece &piece = pieces[i];
    if (piece.kind != kind) {
      kind = piece.kind;
      out.print("{}. {}\n\n", kind->title, kind->use);
    }
    out.print("{}. {} ({})\n", i + 1, piece.place(), piece.worth_text());
    if (!piece.source.empty())
      out.print("      {}\n", piece.source);
    out.print("   {}\n{}", piece.text, i + 1 == pieces.size() || pieces[i + 1].kind != kind ? "\n" : "");
  }
  if (omitted.more)
    out.print("... and {} (-n 0 shows all)\n\n", plural(omitted.more, "more suggestion"));
  if (omitted.small)
    print_remark(
        fmt::format(
            "... and {}: less than {:g}% of the program, or fewer than {} executions (--threshold 0 includes {})\n",
            plural(omitted.small, "smaller suggestion"), threshold, kFewestExecutions,
            omitted.small == 1 ? "it" : "them"),
        out);
}

void print_heading(const BranchCorrelations &advice, const Profile &profile, const Names &names, Output &out) {
  print_counted(profile, names, out);
  bool has_pairs = advice.has_pairs();
  print_remark(fmt::format("Shares of branch executions that an ideal static predictor mispredicts if it knows the "
                           "counts of edges{} of paths (all decisions before the branch){}",
                           has_pairs ? "," : " or",
                           has_pairs ? " or of pairs of paths (also the decisions of the preceding path)" : ""),
               out);
  bool knows_more = std::any_of(advice.rows.begin(), advice.rows.end(), [](const FunctionCorrelations &row) {
    const Model &model = model_of(row.function->notes.model);
    return model.has(Feature::LoopIterations) || model.has(Feature::LoopContexts);
  });
  if (knows_more)
    print_remark("Column 'by paths' cannot be compared with the same column of an acyclic profile, because paths "
                 "across iterations and paths with context contain more decisions",
                 out);
  print_remark(fmt::format("Ranked by the number of mispredictions that {} avoid, compared with edges",
                           has_pairs ? "paths, or pairs of paths where they are known," : "paths"),
               out);
  if (!advice.looked_at.is_all())
    print_remark("Only " + advice.looked_at.text() + ", were examined", out);
  out.write("\n");
}

void print_functions(const BranchCorrelations &advice, uint64_t limit, const Names &names, Output &out) {
  MissedColumns missed_columns(advice);
  std::vector<Column> columns = missed_columns.columns();
  columns.insert(columns.end(), {{"function", false, Colour::Name, 40}, {"place", false, Colour::Place}});
  Table table(std::move(columns));
  auto add = [&](const Mispredictions &missed, bool knows_pairs, const std::string &name, const std::string &place) {
    std::vector<std::string> cells = missed_columns.cells(missed, knows_pairs);
    cells.insert(cells.end(), {name, place});
    table.add(std::move(cells));
  };
  for (size_t i = 0; i < shown(advice.rows, limit); i++) {
    const FunctionCorrelations &row = advice.rows[i];
    add(row.missed, row.has_pairs, names.function(row.function->notes.name), names.location(*row.function));
  }
  add(advice.total, advice.has_pairs(), "total", "");
  out.write("Functions, with totals over all of their branches\n\n");
  table.print(out);
  print_more(advice.rows.size() - shown(advice.rows, limit), "more function", out);
}

void print_correlations(const BranchCorrelations &advice, uint64_t limit, PathFormatter &formatter, Output &out) {
  out.write("\n");
  print_remark(
      "Branches that depend on preceding decisions (in parentheses: mispredictions if only this decision is known)",
      out);
  out.write("\n");
  MissedColumns missed_columns(advice);
  std::vector<Column> columns = missed_columns.columns();
  columns.insert(columns.end(), {{"function", false, Colour::Name, 40},
                                 {"branch", false, Colour::Place},
                                 {"best predictor", false, Colour::Place}});
  Table table(std::move(columns));
  for (size_t i = 0; i < shown(advice.correlations, limit); i++) {
    const Correlation &branch = advice.correlations[i];
    const Function &function = *branch.function;
    std::string told = "-";
    if (branch.decided_by)
      told = fmt::format("{} ({})", branch_text(function, branch.decided_by->block, formatter),
                         share_text(branch.decided_by->missed, branch.missed.executions));
    std::vector<std::string> cells = missed_columns.cells(branch.missed, has_pairs(function));
    cells.insert(cells.end(), {formatter.names().function(function.notes.name),
                               branch_text(function, branch.block, formatter), told});
    table.add(std::move(cells));
  }
  table.print(out);
  print_more(advice.correlations.size() - shown(advice.correlations, limit), "more row", out);
}

void print_alternations(const BranchCorrelations &advice, uint64_t limit, const Names &names, Output &out) {
  out.write("\n");
  print_remark("Loops in which each iteration depends on the previous iteration; shares of mispredicted iterations, "
               "excluding first iterations",
               out);
  out.write("\n");
  Table table({{"iterations", true},
               {"by counts", true},
               {"by previous", true, Colour::Hot},
               {"function", false, Colour::Name, 40},
               {"loop", false, Colour::Place}});
  for (size_t i = 0; i < shown(advice.alternations, limit); i++) {
    const Alternation &loop = advice.alternations[i];
    table.add({std::to_string(loop.executions), share_text(loop.missed, loop.executions),
               share_text(loop.missed_after, loop.executions), names.function(loop.function->notes.name),
               place_text(*loop.function, first_line(*loop.function, loop.head), loop.head, names)});
  }
  table.print(out);
  print_more(advice.alternations.size() - shown(advice.alternations, limit), "more loop", out);
}

void print_text(const BranchCorrelations &advice, const std::vector<AdvicePiece> &pieces, const Omitted &omitted,
                const Profile &profile, const Options &options, PathFormatter &formatter, Output &out) {
  uint64_t limit = options.limit;
  if (advice.rows.empty() && pieces.empty()) {
    out.write("No branch was executed in a function with intraprocedural paths.\n");
    return;
  }
  const Names &names = formatter.names();
  print_pieces(pieces, omitted, options.threshold, profile.runs, out);
  print_heading(advice, profile, names, out);
  print_functions(advice, limit, names, out);
  if (!advice.correlations.empty())
    print_correlations(advice, limit, formatter, out);
  if (!advice.alternations.empty())
    print_alternations(advice, limit, names, out);
  if (!advice.has_pairs())
    out.write("\nCollect a profile with mode=kipf to see pairs of paths and alternating loops.\n");
}

Json missed_json(const Mispredictions &missed, bool has_pairs) {
  Json json = {{"executions", count_json(missed.executions)},
               {"missed_by_edges", count_json(missed.by_edges)},
               {"missed_by_paths", count_json(missed.by_paths)}};
  if (has_pairs)
    json["missed_by_pairs"] = count_json(missed.by_pairs);
  return json;
}

Json advice_json(const BranchCorrelations &advice, const std::vector<AdvicePiece> &pieces, const Omitted &omitted,
                 const Profile &profile, uint64_t limit, const Names &names) {
  Json functions = Json::array(), branches = Json::array(), loops = Json::array();
  auto named = [&](const Function &function, Json json) {
    json.update({{"function", function.notes.name}, {"demangled", names.full(function.notes.name)}});
    return json;
  };
  for (size_t i = 0; i < shown(advice.rows, limit); i++)
    functions.push_back(named(*advice.rows[i].function, missed_json(advice.rows[i].missed, advice.rows[i].has_pairs)));
  for (size_t i = 0; i < shown(advice.correlations, limit); i++) {
    const Correlation &branch = advice.correlations[i];
    const Function &function = *branch.function;
    Json json = named(function, missed_json(branch.missed, has_pairs(function)));
    json["branch"] = place_json(function, last_line(function, branch.block), branch.block, names);
    if (branch.decided_by) {
      int block = branch.decided_by->block;
      json["told_by"] = place_json(function, last_line(function, block), block, names);
      json["told_by"]["missed"] = count_json(branch.decided_by->missed);
    }
    branches.push_back(std::move(json));
  }
  for (size_t i = 0; i < shown(advice.alternations, limit); i++) {
    const Alternation &loop = advice.alternations[i];
    Json json = named(*loop.function, {{"rounds", count_json(loop.executions)},
                                       {"missed", count_json(loop.missed)},
                                       {"missed_after_one", count_json(loop.missed_after)}});
    json["head"] = place_json(*loop.function, first_line(*loop.function, loop.head), loop.head, names);
    loops.push_back(std::move(json));
  }
  return {{"counted", counted_json(profile, names)},
          {"looked_at",
           {{"paths", count_json(advice.looked_at.paths)},
            {"executed_paths", count_json(advice.looked_at.executed)},
            {"share", advice.looked_at.share()}}},
          {"total", missed_json(advice.total, advice.has_pairs())},
          {"more",
           {{"advice", count_json(omitted.more)},
            {"functions", advice.rows.size() - functions.size()},
            {"branches", advice.correlations.size() - branches.size()},
            {"loops", advice.alternations.size() - loops.size()}}},
          {"below_threshold", omitted.small},
          {"advice", pieces_json(pieces)},
          {"functions", std::move(functions)},
          {"branches", std::move(branches)},
          {"loops", std::move(loops)}};
}

int run(const Options &options) {
  std::string file = choose_profile(options.file);
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  ProfileView view(profile, file, names);
  BranchCorrelations advice = find_correlations(profile, file, names);
  std::vector<AdvicePiece> pieces = pieces_of(advice, view.formatter, view.sources);
  add_steady_calls(pieces, advice, {&profile, file}, view.formatter, view.sources);
  Omitted omitted{0, remove_small(pieces, options.threshold)};
  if (!options.tests.empty()) {
    Profile tests = open_profile(options.tests);
    omitted.more +=
        add_untested(pieces, {&tests, options.tests}, {&profile, file}, options.limit, view.formatter, view.sources);
  }
  omitted.more += keep_first(pieces, options.limit);
  Output out(options);
  if (options.json)
    out.print("{}\n", dump_indented(advice_json(advice, pieces, omitted, profile, options.limit, names)));
  else
    print_text(advice, pieces, omitted, profile, options, view.formatter, out);
  out.commit();
  return status_of_selection(options, names, profile, file);
}

} // namespace

Run declare_advise(Subcommand &command) {
  auto options = std::make_shared<Options>();
  add_number_option(command, options->limit,
                    "print at most N suggestions, functions, branches and loops (default 10; 0: all)");
  add_percentage_option(command, "--threshold", options->threshold,
                        fmt::format("omit suggestions that affect and save less than PCT per cent of the executed "
                                    "statements or branches (default {:g}; 0: also those for one or two executions)",
                                    kLeastWorth));
  command.add_option("--tests", options->tests, "PROFILE",
                     "also suggest tests for executed paths that are missing from PROFILE, the profile of the tests");
  add_profile_argument(command, options->file);
  add_common_options(command, *options, kJsonOption | kNameOptions | kSelectionOptions);
  return [options] { return run(*options); };
}

} // namespace pathprof
