// SPDX-License-Identifier: GPL-3.0-or-later
// Decodes and formats interprocedural paths.
#include "pathdump/model/interprocedural_paths.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "core/numbering/saturate.h"
#include "pathdump/ui/text.h"

namespace pathprof {

// Returns the call depth of each step; the outermost activation has depth 0.
static std::vector<size_t> depths_of(const InterproceduralPath &path) {
  std::vector<int64_t> levels;
  for (const PathStep &step : path.steps) {
    int64_t before = levels.empty() ? 0 : levels.back();
    levels.push_back(before + (step.from == PathStep::From::Call) - (step.from == PathStep::From::Return));
  }
  int64_t least = *std::min_element(levels.begin(), levels.end());
  std::vector<size_t> depths;
  for (int64_t level : levels)
    depths.push_back(static_cast<size_t>(level - least));
  return depths;
}

ShownPath::ShownPath(const Profile &profile, size_t unit, WideNumber id)
    : profile_(profile), unit_(profile.interprocedural_units[unit]), id_(id), path_(*unit_.regenerate(id)),
      depths_(depths_of(path_)) {}

const Function &ShownPath::function_of(size_t step) const {
  return profile_.functions[unit_.functions[static_cast<size_t>(path_.steps[step].procedure)]];
}

bool ShownPath::is_shown(size_t step) const {
  return !is_context(step) || path_.steps[step + 1].from != PathStep::From::Restart ||
         path_.steps[step].blocks != std::vector<int>{kEntryBlock};
}

uint64_t ShownPath::statements(size_t step) const {
  uint64_t sum = 0;
  const std::vector<int> &blocks = path_.steps[step].blocks;
  bool is_behind = goes_on_behind_call(path_.steps[step]) && path_.steps[step].from != PathStep::From::Return;
  for (size_t i = is_behind; i < blocks.size(); i++)
    if (blocks[i] != kEntryBlock && blocks[i] != kExitBlock)
      sum += function_of(step).notes.blocks[static_cast<size_t>(blocks[i])].statements;
  return sum;
}

uint64_t ShownPath::statements() const {
  uint64_t sum = 0;
  for (size_t step = path_.prefix_len; step < path_.steps.size(); step++)
    sum += statements(step);
  return sum;
}

bool ShownPath::is_selected(const Names &names) const {
  for (size_t step = path_.prefix_len; step < path_.steps.size(); step++)
    if (names.selects(function_of(step)))
      return true;
  return false;
}

// Returns the number of lines in the step's last block up to the call that ends the step, or SIZE_MAX if the step does
// not end at a call.
size_t ShownPath::lines_before_call(size_t step) const {
  bool calls = step + 1 < path_.steps.size() && path_.steps[step + 1].from == PathStep::From::Call;
  return calls ? function_of(step).notes.calls[static_cast<size_t>(path_.steps[step + 1].call)].num_lines : SIZE_MAX;
}

std::vector<Stretch> ShownPath::line_sequence(size_t step) const {
  Path piece = piece_of(unit_, path_, step);
  piece.end = PathEnd::Exit; // the last block is printed completely
  return line_sequence_of(function_of(step), piece, limits(step, 0, 1));
}

LineLimits ShownPath::limits(size_t step, size_t i, size_t number) const {
  LineLimits limits;
  if (i + 1 == number)
    limits.kept = lines_before_call(step);
  if (i == 0 && goes_on_behind_call(path_.steps[step]))
    limits.skipped = function_of(step).notes.calls[static_cast<size_t>(path_.steps[step].call)].num_lines;
  return limits;
}

// Returns true if the step returns from a call that is not part of the path.
bool ShownPath::returns_from_elsewhere(size_t step) const {
  size_t depth = 0;
  for (size_t before = step; before-- > 0;) {
    const PathStep &later = path_.steps[before + 1];
    if (later.from == PathStep::From::Return)
      depth++;
    else if (later.from == PathStep::From::Call && --depth == 0)
      return false;
  }
  return path_.steps[step].from == PathStep::From::Return;
}

std::vector<Decision> ShownPath::decisions(size_t step, PathFormatter &formatter) const {
  const PathStep &at = path_.steps[step];
  std::vector<Decision> decisions = decisions_of(formatter.branches(function_of(step)), piece_of(unit_, path_, step));
  bool is_behind_call = goes_on_behind_call(at);
  if (!decisions.empty() && decisions.front().kind == Decision::Kind::Start &&
      (is_behind_call || at.from == PathStep::From::Call))
    decisions.erase(decisions.begin());
  if (is_behind_call && (at.from != PathStep::From::Return || returns_from_elsewhere(step))) {
    Decision start;
    start.kind = Decision::Kind::Start;
    start.block = function_of(step).notes.calls[static_cast<size_t>(at.call)].block;
    start.place = "after " + formatter.branches(function_of(step)).call(at.call);
    decisions.insert(decisions.begin(), std::move(start));
  }
  return decisions;
}

PathElements ShownPath::step_elements(size_t step, PathFormatter &formatter) const {
  bool named_own_file = false;
  if (!formatter.in_lines())
    if (PathElements path = formatter.elements(function_of(step), decisions(step, formatter), named_own_file);
        !path.empty())
      return path;
  std::vector<Stretch> stretches = line_sequence(step);
  if (!stretches.empty())
    return {text_element(stretches_text(function_of(step), stretches, formatter.names(), named_own_file))};
  const std::vector<int> &blocks = path_.steps[step].blocks;
  bool has_lines = std::any_of(function_of(step).notes.blocks.begin(), function_of(step).notes.blocks.end(),
                               [](const BlockNotes &block) { return !block.lines.empty(); });
  if (blocks.empty() || has_lines)
    return {};
  return {text_element(fmt::format("blocks {}", fmt::join(blocks, " ")))};
}

static const char *arrow_to(const PathStep &step) {
  return step.from == PathStep::From::Call ? "> " : step.from == PathStep::From::Return ? "< " : "";
}

PathElements ShownPath::said(const std::vector<size_t> &steps, PathFormatter &formatter) const {
  PathElements path;
  bool in_context = false;
  const std::string *named_file = nullptr;
  for (size_t step : steps) {
    const Function &function = function_of(step);
    if (in_context && !is_context(step))
      path.back().close = ")";
    std::string open = !in_context && is_context(step) ? "(" : "";
    in_context = is_context(step);
    std::string arrow = path.empty() ? "" : arrow_to(path_.steps[step]);
    path.push_back(text_element(arrow + open + formatter.names().function(function.notes.name), true));
    bool named_own_file = named_file && *named_file == function.file;
    PathElements decided = formatter.in_lines()
                               ? step_elements(step, formatter)
                               : formatter.elements(function, decisions(step, formatter), named_own_file);
    path.insert(path.end(), decided.begin(), decided.end());
    if (named_own_file)
      named_file = &function.file;
    bool calls = step + 1 < path_.steps.size() && path_.steps[step + 1].from == PathStep::From::Call;
    if (calls && !formatter.in_lines())
      path.push_back(text_element("@" + formatter.branches(function).call(path_.steps[step + 1].call), true));
  }
  return path;
}

PathElements ShownPath::elements(PathFormatter &formatter) const {
  std::vector<size_t> shown;
  for (size_t step = 0; step < path_.steps.size(); step++)
    if (is_shown(step))
      shown.push_back(step);
  return said(shown, formatter);
}

Json ShownPath::decisions_json(PathFormatter &formatter) const {
  Json json = Json::array();
  bool in_context = false;
  for (size_t step = 0; step < path_.steps.size(); step++) {
    if (!is_shown(step))
      continue;
    const Function &function = function_of(step);
    if (in_context != is_context(step))
      json.push_back(in_context ? ")" : "(");
    in_context = is_context(step);
    if (path_.steps[step].from == PathStep::From::Call || path_.steps[step].from == PathStep::From::Return)
      json.push_back(path_.steps[step].from == PathStep::From::Call ? ">" : "<");
    json.push_back(formatter.names().function(function.notes.name));
    for (const Decision &decision : decisions(step, formatter))
      json.push_back(decision.text());
    if (step + 1 < path_.steps.size() && path_.steps[step + 1].from == PathStep::From::Call)
      json.push_back("@" + formatter.branches(function).call(path_.steps[step + 1].call));
  }
  if (in_context)
    json.push_back(")");
  return json;
}

std::string ShownPath::calls_text(const Names &names) const {
  static constexpr size_t kMost = 5;
  std::string text = names.function(first_function().notes.name);
  size_t number = path_.steps.size() - path_.prefix_len;
  for (size_t i = 1; i < number; i++) {
    if (number > kMost && i == kMost / 2) {
      text += " ...";
      i = number - kMost / 2;
    }
    size_t step = path_.prefix_len + i;
    text += fmt::format(" {}{}", arrow_to(path_.steps[step]), names.function(function_of(step).notes.name));
  }
  return text;
}

PathElements ShownPath::short_elements(PathFormatter &formatter) const {
  static constexpr size_t kMost = 5;
  if (path_.prefix_len + 1 == path_.steps.size())
    return step_elements(path_.prefix_len, formatter);
  if (formatter.in_lines())
    return {text_element(calls_text(formatter.names()))};
  std::vector<size_t> first, last;
  size_t number = path_.steps.size() - path_.prefix_len;
  for (size_t i = 0; i < number; i++)
    if (number <= kMost || i < kMost / 2)
      first.push_back(path_.prefix_len + i);
    else if (i >= number - kMost / 2)
      last.push_back(path_.prefix_len + i);
  PathElements path = said(first, formatter);
  if (last.empty())
    return path;
  path.push_back(text_element("...", true));
  PathElements rest = said(last, formatter);
  rest.front().text.insert(0, arrow_to(path_.steps[last.front()]));
  path.insert(path.end(), rest.begin(), rest.end());
  return path;
}

std::vector<std::string> ShownPath::calls(const PathFormatter &formatter) const {
  std::vector<std::string> names;
  for (size_t step = path_.prefix_len; step < path_.steps.size(); step++)
    for (std::string &name : formatter.calls(function_of(step), piece_of(unit_, path_, step)))
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
  return names;
}

PathLabel ShownPath::path_label(PathFormatter &formatter, bool is_short) const {
  static constexpr size_t kLongest = 300; // length limit of texts that disambiguate rows
  const Names &names = formatter.names();
  PathLabel row = {names.function(first_function().notes.name),
                   to_string(path_.start),
                   to_string(path_.end),
                   is_short ? short_elements(formatter) : elements(formatter),
                   {"path " + digits(id_), "of " + unit(names), to_string(unit_.mode)}};
  row.calls = calls(formatter);
  if (!is_short || formatter.in_lines())
    return row;
  std::vector<size_t> behind_context;
  for (size_t step = path_.prefix_len; step < path_.steps.size(); step++)
    behind_context.push_back(step);
  for (PathElements &longer : std::vector<PathElements>{said(behind_context, formatter), elements(formatter)})
    row.longer.push_back(codes_of(longer).size() <= kLongest ? std::move(longer) : row.elements);
  return row;
}

std::string ShownPath::step_line(const Output &out, PathFormatter &formatter, size_t step) const {
  static constexpr size_t kIndent = 10, kMaxDepth = 20;
  size_t indent = kIndent + 2 * std::min(depth(step), kMaxDepth);
  std::string function = formatter.names().function(function_of(step).notes.name);
  std::string name = paint(out, is_context(step) ? Colour::Faint : Colour::Name, function);
  PathElements path = step_elements(step, formatter);
  size_t used = indent + is_context(step) + num_characters(function) + 1;
  std::string line = path.empty() ? name : name + " " + formatter.paragraph(out, path, used, indent + 4);
  return fmt::format("{:{}}{}\n", "", indent, is_context(step) ? "(" + line + ")" : line);
}

std::string ShownPath::outline(const Output &out, PathFormatter &formatter, size_t limit, Sources *sources) const {
  std::vector<size_t> shown;
  for (size_t step = 0; step < path_.steps.size(); step++)
    if (is_shown(step))
      shown.push_back(step);
  std::string text;
  size_t left_out = limit && shown.size() > limit ? shown.size() - limit + 1 : 0, first_left_out = limit / 2;
  for (size_t i = 0; i < shown.size(); i++) {
    if (left_out && i == first_left_out) {
      text += fmt::format("          ... {} more steps\n", left_out);
      i += left_out;
    }
    text += step_line(out, formatter, shown[i]);
    if (!formatter.in_lines())
      formatter.note(function_of(shown[i]), decisions(shown[i], formatter));
    if (!sources)
      continue;
    std::vector<Stretch> stretches = line_sequence(shown[i]);
    for (Stretch &stretch : stretches)
      stretch.contexts = is_context(shown[i]);
    text += source_text(out, *sources, function_of(shown[i]), stretches);
  }
  return text;
}

// A step that continues after a call starts with the block of the call. The cost of this block is included in the step
// that ends at the call.
double cost_of(const Costs &costs, const ShownPath &path, uint64_t count) {
  double sum = 0;
  const InterproceduralPath &whole = path.path();
  for (size_t step = whole.prefix_len; step < whole.steps.size(); step++) {
    size_t function = path.interprocedural_unit().functions[static_cast<size_t>(whole.steps[step].procedure)];
    sum += costs.of(function, piece_of(path.interprocedural_unit(), whole, step),
                    goes_on_behind_call(whole.steps[step]), count);
  }
  return sum;
}

uint64_t for_each_path(const Profile &profile, size_t index,
                       const std::function<void(const HotPath &, const ShownPath &)> &see, const Costs *costs) {
  const InterproceduralUnit &unit = profile.interprocedural_units[index];
  uint64_t executions = 0;
  for (const ExecutedProgramPath &executed : unit.paths) {
    ShownPath path(profile, index, executed.id);
    uint64_t statements = path.statements();
    size_t first = unit.functions[static_cast<size_t>(path.path().steps[path.path().prefix_len].procedure)];
    saturating_add(executions, executed.count);
    HotPath hot = {static_cast<Weight>(executed.count) * statements,
                   executed.count,
                   std::nullopt,
                   statements,
                   first,
                   executed.id,
                   index,
                   std::nullopt};
    if (costs)
      hot.set_cost(cost_of(*costs, path, executed.count));
    see(hot, path);
  }
  return executions;
}

Json program_path_json(const HotPath &hot, const ShownPath &path, PathFormatter &formatter) {
  PathFormatter lines = formatter.by_lines();
  const Names &names = formatter.names();
  Json json = path_json(hot, path.first_function(), path.path().start, path.path().end, path.text(lines), names);
  json["decisions"] = path.decisions_json(formatter);
  if (std::vector<std::string> calls = path.calls(formatter); !calls.empty())
    json["calls"] = std::move(calls);
  json["unit"] = path.unit(names);
  json["mode"] = to_string(path.interprocedural_unit().mode);
  return json;
}

std::string unit_of(const Profile &profile, const InterproceduralUnit &unit, const Names &names) {
  return unit.source.empty() ? profile.program : names.file(unit.source);
}

PathLabel path_label(const Profile &profile, Decoder &decoder, const HotPath &hot, PathFormatter &formatter,
                     bool is_short) {
  if (hot.is_of_program())
    return ShownPath(profile, hot.program, hot.id).path_label(formatter, is_short);
  return path_label(profile.functions[hot.function], decoder.path(hot), hot.id, formatter);
}

std::string name_of(const InterproceduralUnit &unit, const Names &names) {
  std::string source = unit.source.empty() ? "the whole program" : names.file(unit.source);
  return fmt::format("{} paths of {}", to_string(unit.mode), source);
}

} // namespace pathprof
