// SPDX-License-Identifier: GPL-3.0-or-later
// Implements `pathdump path`: prints one path block by block.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

#include <unistd.h>

#include <fmt/ranges.h>

#include "core/models/model.h"
#include "pathdump/commands/commands.h"
#include "pathdump/model/basis.h"
#include "pathdump/coverage/find_path.h"
#include "pathdump/describe/decisions.h"
#include "pathdump/describe/flow_json.h"
#include "pathdump/model/interprocedural_paths.h"
#include "pathdump/describe/sources.h"
#include "pathdump/describe/line_sequence.h"
#include "pathdump/model/profile_view.h"
#include "pathdump/ui/failure.h"
#include "pathdump/ui/json.h"
#include "pathdump/ui/names.h"
#include "pathdump/ui/opening.h"
#include "pathdump/ui/options.h"
#include "pathdump/ui/output.h"
#include "pathdump/ui/program.h"
#include "pathdump/ui/table.h"
#include "pathdump/ui/text.h"
#include "profile/model/source_names.h"

namespace pathprof {

namespace {

struct Options : CommonOptions {
  std::vector<std::string> arguments;
};

// A path of a function with its execution count.
struct Found {
  const Function &function;
  ExecutedPath executed;
  Path path;

  // Returns the flags of the edge through which the path leaves its i-th block, or an empty list for the last block.
  Json taken_from(size_t i) const {
    size_t edge = i;
    for (const CollapsedLoopVisit &visit : path.loop_visits)
      edge += visit.blocks <= i;
    return edge < path.edges.size() ? flags_json(function.notes.graph.edge(path.edges[edge]).flags) : Json::array();
  }
};

template <typename Executed>
Executed find_executed(const std::vector<Executed> &paths, decltype(Executed::id) id) {
  auto at = std::lower_bound(paths.begin(), paths.end(), id,
                             [](const Executed &path, auto wanted) { return path.id < wanted; });
  return at != paths.end() && at->id == id ? *at : Executed{id, 0};
}

ExecutedPath find_executed(const Function &function, uint64_t id) {
  return find_executed(id < function.notes.num_paths ? function.paths : function.cut_short, id);
}

void print_json(const Found &found, PathFormatter &formatter, Output &out) {
  const Names &names = formatter.names();
  const FunctionNotes &notes = found.function.notes;
  Json blocks = Json::array();
  for (size_t i = 0; i < found.path.blocks.size(); i++) {
    Json block = block_json(found.function, found.path.blocks[i], names);
    block["taken"] = found.taken_from(i);
    blocks.push_back(std::move(block));
  }
  Json json = {{"function", notes.name},
               {"demangled", names.full(notes.name)},
               {"file", names.file(found.function.file)},
               {"line", notes.line},
               {"id", std::to_string(found.executed.id)},
               {"count", count_json(found.executed.count)},
               {"statements", count_json(statements_of(found.function, found.path))},
               {"start", to_string(found.path.start)},
               {"end", to_string(found.path.end)},
               {"blocks", std::move(blocks)}};
  if (has_cycles(found.function, found.executed))
    json["cycles"] = count_json(found.executed.cycles);
  if (model_of(notes.model).has(Feature::InterestingPaths))
    json["residual"] = is_residual(found.function, found.executed.id);
  add_decisions(json, found.function, found.path, formatter);
  add_context(json, found.path);
  out.print("{}\n", dump_indented(json));
}

std::string block_name(int block) {
  return block == kEntryBlock ? "ENTRY" : block == kExitBlock ? "EXIT" : std::to_string(block);
}

// Returns the decision at the end of the i-th block, or the flags of the edge through which the path leaves the block.
std::string taken_text(const Found &found, size_t i, const std::vector<Decision> &decisions) {
  if (found.path.blocks[i] == kExitBlock)
    return "";
  bool is_last = i + 1 == found.path.blocks.size();
  auto count = std::count(found.path.blocks.begin(), found.path.blocks.begin() + static_cast<ptrdiff_t>(i),
                          found.path.blocks[i]);
  for (const Decision &decision : decisions)
    if (decision.block == found.path.blocks[i] && decision.kind == Decision::Kind::Branch &&
        !decision.outcome.empty() && count-- == 0)
      return decision.text() + (is_last ? fmt::format(" ({})", to_string(found.path.end)) : "");
  if (i + 1 == found.path.blocks.size() && !found.path.ends_in_loop_visit())
    return to_string(found.path.end);
  std::vector<std::string> flags = found.taken_from(i);
  return fmt::format("{}", fmt::join(flags, ","));
}

// Returns "context" for a block in the path's context, followed by a number if there are several nested contexts.
// Returns an empty string for blocks after the context.
std::string context_name(const Path &path, size_t i) {
  if (i >= path.context_blocks)
    return "";
  auto part = std::upper_bound(path.contexts.begin(), path.contexts.end(), i) - path.contexts.begin();
  return path.contexts.size() == 1 ? "context" : fmt::format("context {}", part + 1);
}

void print_decisions(const PathElements &path, const PathFormatter &formatter, Output &out) {
  static const std::string title = "Decisions: ";
  static constexpr size_t kIndent = 2;
  out.print("{}{}\n\n", title, paint(out, Colour::Place, formatter.paragraph(out, path, title.size(), kIndent)));
}

void print_text(const Found &found, PathFormatter &formatter, Sources &sources, Output &out) {
  const Names &names = formatter.names();
  std::vector<Decision> decisions;
  if (!formatter.in_lines())
    decisions = decisions_of(formatter.branches(found.function), found.path);
  const FunctionNotes &notes = found.function.notes;
  std::string cycles;
  if (has_cycles(found.function, found.executed))
    cycles = " in " + plural(found.executed.cycles, "cycle");
  const char *kind = !model_of(notes.model).has(Feature::InterestingPaths) ? ""
                     : notes.is_interesting(found.executed.id)             ? "interesting "
                                                                           : "residual ";
  out.print("{}path {} of {} ({}:{}): executed {}{}, {}, from {} to {}\nCounted: {}\n", kind, found.executed.id,
            paint(out, Colour::Name, names.function(notes.name)), names.file(found.function.file), notes.line,
            plural(found.executed.count, "time"), cycles,
            plural(statements_of(found.function, found.path), "statement"), to_string(found.path.start),
            to_string(found.path.end), counted_text(notes));
  if (formatter.in_lines())
    out.write("\n");
  else
    print_decisions(formatter.elements(found.function, found.path), formatter, out);
  std::vector<Column> columns{{"block", true}, {"stmts", true}, {"then"}, {"lines", false, Colour::Place}};
  bool has_context = found.path.context_blocks > 0;
  if (has_context)
    columns.insert(columns.begin(), {"context"});
  Table table(std::move(columns));
  size_t passed = 0;
  auto add_passages = [&](size_t blocks) {
    for (; passed < found.path.loop_visits.size() && found.path.loop_visits[passed].blocks == blocks; passed++) {
      const CollapsedLoopVisit &visit = found.path.loop_visits[passed];
      std::vector<std::string> cells = {fmt::format("{{{}}}", visit.head), "", "collapsed loop",
                                        loop_visit_text(found.function, visit)};
      if (has_context)
        cells.insert(cells.begin(), context_name(found.path, blocks - 1));
      table.add(std::move(cells));
    }
  };
  for (size_t i = 0; i < found.path.blocks.size(); i++) {
    add_passages(i);
    int block = found.path.blocks[i];
    Path part = single_block(found.path, i);
    std::vector<Stretch> line_sequence = line_sequence_of(found.function, part);
    std::vector<std::string> cells = {block_name(block), std::to_string(notes.blocks[block].statements),
                                      taken_text(found, i, decisions),
                                      line_sequence.empty() ? "" : line_sequence_text(found.function, part, names)};
    if (has_context)
      cells.insert(cells.begin(), context_name(found.path, i));
    table.add(std::move(cells), source_text(out, sources, found.function, line_sequence));
  }
  add_passages(found.path.blocks.size());
  print_doubts(out, sources);
  table.print(out);
  formatter.note(found.function, decisions);
  formatter.print_legend(out);
  sources.warn();
}

// -------------------------------------------------------------------------------------------------
// Interprocedural paths.

// Returns the index of the interprocedural unit that `wanted` names.  A unit is named by its source file or, if it is
// the only unit, by "program".  Returns nothing if no unit matches.
std::optional<size_t> find_unit(const Profile &profile, const std::string &wanted, const Names &names) {
  std::vector<size_t> found;
  for (size_t i = 0; i < profile.interprocedural_units.size(); i++) {
    const InterproceduralUnit &unit = profile.interprocedural_units[i];
    if (wanted == "program" || is_end_of_path(wanted, unit.path) || is_end_of_path(wanted, names.file(unit.source)))
      found.push_back(i);
  }
  if (found.size() < 2)
    return found.empty() ? std::nullopt : std::make_optional(found.front());
  std::vector<std::string> choices;
  for (size_t unit : found)
    choices.push_back(names.file(profile.interprocedural_units[unit].source));
  throw Failure(kWrongUse, fmt::format("several source files have interprocedural paths; name one of: {}",
                                       fmt::join(choices, " ")));
}

WideNumber parse_id(const std::string &text, const InterproceduralUnit &unit) {
  mpz_class id;
  bool has_digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  bool is_number = has_digits && id.set_str(text, 10) == 0;
  if (!is_number || id >= unit.num_paths || !unit.regenerate(wide(id)))
    throw Failure(kWrongUse, fmt::format("unknown path ID '{}'; the path IDs of {} are 0 to {}", text, unit.source,
                                         mpz_class(unit.num_paths - 1).get_str()));
  return wide(id);
}

// Describes how the path leaves the i-th block of a step: returns the flags of the edge, "call" or "return". If the
// path ends in this block, describes the end of the path.
std::string taken_text(const ShownPath &shown, size_t step, const Path &piece, size_t i) {
  const InterproceduralPath &path = shown.path();
  if (i + 1 < piece.blocks.size())
    return fmt::format(
        "{}",
        fmt::join(
            flags_json(shown.function_of(step).notes.graph.edge(piece.edges[i]).flags).get<std::vector<std::string>>(),
            ","));
  if (step + 1 == path.steps.size())
    return to_string(path.end);
  PathStep::From next = path.steps[step + 1].from;
  return next == PathStep::From::Call ? "call" : next == PathStep::From::Return ? "return" : "";
}

// Adds a row for each block of the step.  If the path returns from a call into the middle of a block, the row describes
// only the part of the block after the call.
void add_rows(Output &out, Table &table, const ShownPath &shown, size_t step, const Names &names, Sources &sources) {
  const InterproceduralPath &path = shown.path();
  const Function &function = shown.function_of(step);
  Path piece = piece_of(shown.interprocedural_unit(), path, step);
  for (size_t i = 0; i < piece.blocks.size(); i++) {
    Path part = single_block(piece, i);
    part.end = PathEnd::Exit;
    std::vector<Stretch> line_sequence = line_sequence_of(function, part, shown.limits(step, i, piece.blocks.size()));
    bool named_own_file = false, is_rest = i == 0 && goes_on_behind_call(path.steps[step]);
    std::string indent(2 * shown.depth(step), ' ');
    std::vector<std::string> cells = {
        i == 0 ? indent + names.function(function.notes.name) : "", block_name(piece.blocks[i]),
        is_rest ? "-" : std::to_string(function.notes.blocks[piece.blocks[i]].statements),
        taken_text(shown, step, piece, i), stretches_text(function, line_sequence, names, named_own_file)};
    if (path.prefix_len)
      cells.insert(cells.begin(), shown.is_context(step) ? "context" : "");
    table.add(std::move(cells), source_text(out, sources, function, line_sequence));
  }
}

void print_text(const ShownPath &shown, const ExecutedProgramPath &executed, PathFormatter &formatter, Sources &sources,
                Output &out) {
  const Names &names = formatter.names();
  const InterproceduralPath &path = shown.path();
  out.print("path {} of the {}: executed {}, {}, from {} to {}\nCounted: {}\n", executed.id,
            name_of(shown.interprocedural_unit(), names), plural(executed.count, "time"),
            plural(shown.statements(), "statement"), to_string(path.start), to_string(path.end),
            counted_text(shown.first_function().notes));
  if (formatter.in_lines())
    out.write("\n");
  else
    print_decisions(shown.elements(formatter), formatter, out);
  std::vector<Column> columns{{"function", false, Colour::Name, 40},
                              {"block", true},
                              {"stmts", true},
                              {"then"},
                              {"lines", false, Colour::Place}};
  if (path.prefix_len)
    columns.insert(columns.begin(), {"context"});
  Table table(std::move(columns));
  for (size_t step = 0; step < path.steps.size(); step++)
    add_rows(out, table, shown, step, names, sources);
  print_doubts(out, sources);
  table.print(out);
  for (size_t step = 0; step < path.steps.size() && !formatter.in_lines(); step++)
    formatter.note(shown.function_of(step), shown.decisions(step, formatter));
  formatter.print_legend(out);
  sources.warn();
}

void print_json(const Profile &profile, const ShownPath &shown, const ExecutedProgramPath &executed,
                PathFormatter &formatter, Output &out) {
  PathFormatter lines = formatter.by_lines();
  size_t prefix_len = 0;
  Json steps = steps_json(profile, shown.interprocedural_unit(), shown.path(), &prefix_len);
  out.print("{}\n", dump_indented({{"unit", shown.unit(formatter.names())},
                                   {"mode", to_string(shown.interprocedural_unit().mode)},
                                   {"id", digits(executed.id)},
                                   {"count", count_json(executed.count)},
                                   {"statements", count_json(shown.statements())},
                                   {"start", to_string(shown.path().start)},
                                   {"end", to_string(shown.path().end)},
                                   {"lines", shown.text(lines)},
                                   {"decisions", shown.decisions_json(formatter)},
                                   {"prefix_len", prefix_len},
                                   {"steps", std::move(steps)}}));
}

int print_path_of_unit(const Profile &profile, size_t index, const std::string &number, const std::string &file,
                       const Options &options, const Names &names) {
  const InterproceduralUnit &unit = profile.interprocedural_units[index];
  ExecutedProgramPath executed = find_executed(unit.paths, parse_id(number, unit));
  ShownPath shown(profile, index, executed.id);
  ProfileView view(profile, file, names, options);
  Output out(options);
  if (options.json)
    print_json(profile, shown, executed, view.formatter, out);
  else
    print_text(shown, executed, view.formatter, view.sources, out);
  out.commit();
  return kGood;
}

bool is_number(const std::string &text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_existing_file(const std::string &text) {
  return text == "-" || access(text.c_str(), F_OK) == 0;
}

// Throws Failure if the arguments do not have the form [FILE] FUNC ID.  The message names the missing or misplaced
// argument.
void check_arguments(const std::vector<std::string> &arguments) {
  const std::string usage = program_name + " path [FILE] FUNC ID";
  if (arguments.empty() || arguments.size() > 3)
    throw Failure(kWrongUse, fmt::format("path: expected a function and a path ID; usage: {}", usage));
  const std::string &last = arguments.back();
  if (arguments.size() > 1 && !is_number(last) && is_number(arguments[arguments.size() - 2]))
    throw Failure(kWrongUse, fmt::format("path: the path ID must come last; usage: {}", usage));
  if (arguments.size() < 3 && !is_number(last)) {
    std::string file = arguments.size() > 1 || is_existing_file(last) ? arguments.front() + " " : "";
    throw Failure(
        kWrongUse,
        is_existing_file(last)
            ? fmt::format("path: missing function and path ID; usage: {}", usage)
            : fmt::format(
                  "path: missing path ID; usage: {}; '{} report {}--function \"{}\"' lists the IDs of executed paths",
                  usage, program_name, file, last));
  }
  bool is_profile = std::filesystem::path(arguments.front()).extension() == ".pathprof";
  if (arguments.size() < 2 || (arguments.size() == 2 && is_profile))
    throw Failure(kWrongUse, fmt::format("path: missing function; usage: {}", usage));
  if (arguments.size() == 3 && !is_existing_file(arguments[0]) && is_existing_file(arguments[1]))
    throw Failure(kWrongUse, fmt::format("path: the profile must come first; use {} path {} {} {}", program_name,
                                         arguments[1], arguments[0], last));
}

int run(const Options &options) {
  const std::vector<std::string> &arguments = options.arguments;
  check_lines_option(options, "path");
  check_arguments(arguments);
  std::string file = choose_profile(arguments.size() == 3 ? arguments.front() : "");
  const std::string &wanted = arguments[arguments.size() - 2], &number = arguments.back();
  Profile profile = open_profile(file);
  Names names(options, {&profile});
  bool is_function = std::any_of(profile.functions.begin(), profile.functions.end(),
                                 [&](const Function &one) { return is_meant(wanted, one, names); });
  if (std::optional<size_t> unit = is_function ? std::nullopt : find_unit(profile, wanted, names))
    return print_path_of_unit(profile, *unit, number, file, options, names);
  const Function &function = find_function(profile, wanted, names);
  if (function.in_program)
    throw Failure(
        kWrongUse,
        fmt::format("{} has only interprocedural paths, which belong to a source file; use {} path [FILE] SOURCE ID",
                    function.notes.name, program_name));
  if (is_left_out(function))
    throw Failure(kWrongUse, fmt::format("{} has no paths because it was left out: {}", function.notes.name,
                                         why_left_out(function)));
  std::unique_ptr<Decoded> decoded = decode_or_fail(file, function);
  uint64_t id = parse_id(number, function, *decoded);
  Found found{function, find_executed(function, id), *decoded->regenerate(id)};
  ProfileView view(profile, file, names, options);
  Output out(options);
  if (options.json)
    print_json(found, view.formatter, out);
  else
    print_text(found, view.formatter, view.sources, out);
  out.commit();
  return kGood;
}

} // namespace

Run declare_path(Subcommand &command) {
  auto options = std::make_shared<Options>();
  command.add_operand("[FILE]_FUNC_ID", options->arguments,
                      "profile (default: the only *.pathprof in the working directory), function (NAME, FILE:NAME or "
                      "NAME@CHECKSUM) and path ID; for an interprocedural path, name the source file instead of the "
                      "function, or 'program' if only one source file has such paths");
  add_common_options(command, *options, kJsonOption | kNameOptions | kLinesOption);
  return [options] { return run(*options); };
}

} // namespace pathprof
