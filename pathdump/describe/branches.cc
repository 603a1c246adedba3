// SPDX-License-Identifier: GPL-3.0-or-later
// Names branches and their outcomes.
#include "pathdump/describe/branches.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/graph/loop.h"
#include "pathdump/describe/conditions.h"
#include "pathdump/describe/line_sequence.h"

namespace pathprof {

static bool has_condition(const FlowGraph &graph, int block) {
  const std::vector<int> &succs = graph.succs(block);
  return std::any_of(succs.begin(), succs.end(), [&](int e) { return graph.edge(e).flags & (kTrue | kFalse); });
}

// If different conditions share a position, appends a number to the position of each condition except the first: "#2",
// "#3". Such conditions are operands of a decision, conditions in a macro, or comparisons of a lowered switch. Copies
// of a condition that the compiler created have the same text and therefore get the same number. If the column is known
// but the text is not, all conditions at the position are treated as copies of one condition.
template <typename HidesText>
static void tell_conditions_apart(const Branches &branches, std::vector<BranchPlace> &places, HidesText hides_text) {
  const FunctionNotes &notes = branches.function().notes;
  std::map<std::string, std::vector<int>> same;
  for (const BranchNotes &branch : notes.branches)
    if (int block = static_cast<int>(branch.block); !branch.is_switch && has_condition(notes.graph, block))
      same[branches.place(block).text()].push_back(block);
  for (const auto &[place, blocks] : same) {
    auto may_be_other = [&](int block) {
      return !branches.condition(block).empty() || !notes.branch_at(block)->column;
    };
    if (blocks.size() == 1 || std::none_of(blocks.begin(), blocks.end(), may_be_other))
      continue;
    std::map<std::string, size_t> known; // number of each source text
    for (int block : blocks) {
      std::string text = branches.condition(block);
      if (text.empty() || hides_text(block))
        text += fmt::format(" {}", block);
      size_t number = known.insert({text, known.size() + 1}).first->second;
      if (number > 1)
        places[static_cast<size_t>(block)].number += fmt::format("#{}", number);
    }
  }
}

Branches::Branches(const Function &function, const Names &names, Sources *sources)
    : function_(function), names_(names), sources_(sources), places_(function.notes.blocks.size()),
      outcomes_(static_cast<size_t>(function.notes.graph.num_edges())), leaves_loop_(outcomes_.size(), 0) {
  name_places();
  for (int block = 0; block < function.notes.graph.num_blocks(); block++)
    if (decides(block))
      name_outcomes(block);
  make_quiet_places_distinct();
  turn_as_in_source();
  tell_conditions_apart(*this, places_, [&](int block) { return is_at_macro(block) || is_of_lowered_switch(block); });
  find_loop_exits();
}

// ---- positions ----

// Returns the position of the branch. If the position is unknown, returns the last line of the block that does not come
// from an inlined function or, if there is no such line, the last line of the block.
LineRef Branches::line_of(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  if (branch && branch->at.line)
    return branch->at;
  LineRef last;
  for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(block)].lines)
    if (line.line && (line.site == 0 || last.line == 0 || last.site != 0))
      last = line;
  return last;
}

std::string Branches::file_text(const LineRef &at) const {
  const std::string &file = (*function_.files)[at.file];
  if (at.site == 0 && file == function_.file)
    return {};
  return other_place_text(file, at.site ? function_.notes.sites[at.site - 1].function : std::string(), names_);
}

// Sets the displayed position of each block to the line number. If branches on the same line have different columns,
// appends the column.
void Branches::name_places() {
  std::map<std::pair<uint32_t, uint32_t>, std::set<uint32_t>> columns;
  for (const BranchNotes &branch : function_.notes.branches)
    if (branch.at.line && branch.column)
      columns[{branch.at.file, branch.at.line}].insert(branch.column);
  for (int block = 0; block < function_.notes.graph.num_blocks(); block++) {
    BranchPlace &place = places_[static_cast<size_t>(block)];
    LineRef at = line_of(block);
    place.number = at.line ? std::to_string(at.line) : fmt::format("block {}", block);
    place.line = place.number;
    if (at.line)
      place.file = file_text(at);
    const BranchNotes *branch = function_.notes.branch_at(block);
    if (branch && branch->at.line && branch->column && columns[{at.file, at.line}].size() > 1)
      place.number += fmt::format(".{}", branch->column);
  }
}

// Some blocks have several successors only because they contain a call that can throw. If several of these blocks have
// the same position, appends the block number to each position, so that the positions are distinct.
void Branches::make_quiet_places_distinct() {
  std::map<std::string, std::vector<int>> same;
  for (int block = 0; block < function_.notes.graph.num_blocks(); block++)
    if (is_quiet(block))
      same[place(block).text()].push_back(block);
  for (const auto &[text, blocks] : same)
    for (int block : blocks)
      if (blocks.size() > 1)
        places_[static_cast<size_t>(block)].number += fmt::format(" (block {})", block);
}

// ---- outcomes ----

// Returns true if the block has several successors only because it contains a call that can throw.
bool Branches::is_quiet(int block) const {
  const FlowGraph &graph = function_.notes.graph;
  const std::vector<int> &succs = graph.succs(block);
  return decides(block) &&
         std::count_if(succs.begin(), succs.end(), [&](int e) { return !(graph.edge(e).flags & (kEh | kAbnormal)); }) ==
             1 &&
         std::none_of(succs.begin(), succs.end(), [&](int e) { return graph.edge(e).flags & (kTrue | kFalse); });
}

// Returns the value or value range of a case label.
std::string Branches::label_text(const BranchNotes &branch, const CaseLabel &label) const {
  auto number = [&](int64_t value) {
    return branch.is_unsigned ? std::to_string(static_cast<uint64_t>(value)) : std::to_string(value);
  };
  return label.low == label.high ? number(label.low) : number(label.low) + " ... " + number(label.high);
}

// Returns the case labels as spelled in the source, or nothing if the source text contains fewer labels than the notes.
// In the notes, all labels of a statement have the position of the first label, and labels with consecutive values are
// merged into a range.
static std::vector<std::string> source_labels(const std::string &text, const std::vector<CaseLabel> &labels) {
  std::vector<std::string> texts =
      text.empty() ? std::vector<std::string>() : labels_at(text, labels.front().column - 1);
  bool has_range = std::any_of(texts.begin(), texts.end(),
                               [](const std::string &one) { return one.find("...") != std::string::npos; });
  uint64_t values = 0;
  for (const CaseLabel &label : labels)
    values += has_range ? 1 : static_cast<uint64_t>(label.high) - static_cast<uint64_t>(label.low) + 1;
  return values <= texts.size() ? texts : std::vector<std::string>();
}

std::string Branches::case_text(const BranchNotes &branch, const CaseLabels &labels) const {
  static constexpr size_t kMost = 4;
  static constexpr uint32_t kMostLines = 40;
  std::vector<std::vector<CaseLabel>> places; // labels that share a position
  for (const CaseLabel &label : labels.labels) {
    auto same = std::find_if(places.begin(), places.end(), [&](const std::vector<CaseLabel> &place) {
      return label.line && place.front().line == label.line && place.front().column == label.column;
    });
    if (same == places.end())
      same = places.insert(places.end(), std::vector<CaseLabel>());
    same->push_back(label);
  }
  auto lines_from = [&](const CaseLabel &label) {
    std::string text;
    for (uint32_t i = 0; i < kMostLines && sources_ && label.line && label.column && branch.at.line; i++)
      if (const std::string *line = sources_->line(function_, (*function_.files)[branch.at.file], label.line + i))
        text += *line + "\n";
    return text;
  };
  std::vector<std::string> parts;
  for (const std::vector<CaseLabel> &place : places) {
    std::vector<std::string> texts = source_labels(lines_from(place.front()), place);
    for (size_t i = 0; texts.empty() && i < place.size(); i++)
      parts.push_back(label_text(branch, place[i]));
    // If the case labels of a statement have several positions, the text at each position includes all later labels of
    // the statement, so duplicates are skipped.
    std::copy_if(texts.begin(), texts.end(), std::back_inserter(parts),
                 [&](const std::string &text) { return std::find(parts.begin(), parts.end(), text) == parts.end(); });
  }
  if (parts.size() > kMost + 1) {
    parts[kMost] = fmt::format("+{}", parts.size() - kMost);
    parts.resize(kMost + 1);
  }
  std::string text = parts.empty() ? "" : fmt::format("case {}", fmt::join(parts, ","));
  if (!labels.has_default)
    return text;
  return text.empty() ? "default" : text + ",default";
}

std::string Branches::outcome_of(int block, size_t successor) const {
  const FlowGraph &graph = function_.notes.graph;
  const BranchNotes *branch = function_.notes.branch_at(block);
  const Edge &edge = graph.edge(graph.succs(block)[successor]);
  if (branch && branch->is_switch)
    if (std::string text = case_text(*branch, branch->cases[successor]); !text.empty())
      return text;
  bool says_truth = !branch || sense_of(*branch) != Sense::Unknown;
  if (says_truth && (edge.flags & kTrue))
    return "T";
  if (says_truth && (edge.flags & kFalse))
    return "F";
  if (edge.flags & kEh)
    return "throws";
  if (is_quiet(block) && !(edge.flags & kAbnormal))
    return {};
  if (edge.dst == kExitBlock)
    return "to the end";
  const LineRef at = [&] {
    for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(edge.dst)].lines)
      if (line.line)
        return line;
    return LineRef();
  }();
  return at.line ? fmt::format("to {}{}", file_text(at), at.line) : fmt::format("to block {}", edge.dst);
}

void Branches::name_outcomes(int block) {
  const FlowGraph &graph = function_.notes.graph;
  const std::vector<int> &succs = graph.succs(block);
  auto make_distinct = [&](auto &&what_tells) {
    std::map<std::string, int> times;
    for (int e : succs)
      times[outcomes_[static_cast<size_t>(e)]]++;
    for (size_t i = 0; i < succs.size(); i++) {
      std::string &text = outcomes_[static_cast<size_t>(succs[i])];
      if (times[text] > 1)
        text = text.empty() || text.rfind("to ", 0) == 0 ? what_tells(i) : text + " " + what_tells(i);
    }
  };
  for (size_t i = 0; i < succs.size(); i++)
    outcomes_[static_cast<size_t>(succs[i])] = outcome_of(block, i);
  make_distinct([&](size_t i) { return fmt::format("to block {}", graph.edge(succs[i]).dst); });
  make_distinct([&](size_t i) { return fmt::format("(edge {})", i + 1); });
}

// Swaps T and F at each branch that tests the negation of the source condition.
void Branches::turn_as_in_source() {
  for (const BranchNotes &branch : function_.notes.branches) {
    int block = static_cast<int>(branch.block);
    if (branch.is_switch || !decides(block) || !is_turned(block))
      continue;
    for (int e : function_.notes.graph.succs(block))
      if (std::string &outcome = outcomes_[static_cast<size_t>(e)]; outcome == "T" || outcome == "F")
        outcome = outcome == "T" ? "F" : "T";
  }
}

bool Branches::is_turned(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  bool is_condition = branch && !branch->is_switch && has_condition(function_.notes.graph, block);
  return is_condition && sense_of(*branch) == Sense::Opposite;
}

void Branches::find_loop_exits() {
  const FlowGraph &graph = function_.notes.graph;
  for (int head = 0; head < graph.num_blocks(); head++) {
    if (!graph.has_pred_with(head, kBack))
      continue;
    Loop loop = loop_at(graph, head);
    for (int block : loop.blocks)
      for (int e : graph.succs(block))
        if (!loop.contains(graph.edge(e).dst))
          leaves_loop_[static_cast<size_t>(e)] = 1;
  }
}

// ---- starts and ends of paths ----

std::string Branches::start(int block) const {
  if (auto known = starts_.find(block); known != starts_.end())
    return known->second;
  const FlowGraph &graph = function_.notes.graph;
  auto name = [&](int at) {
    if (decides(at))
      return place(at).text();
    for (const LineRef &line : function_.notes.blocks[static_cast<size_t>(at)].lines)
      if (line.line)
        return file_text(line) + std::to_string(line.line);
    return place(at).text();
  };
  std::string text = name(block);
  int same = 0;
  for (int other = 0; other < graph.num_blocks(); other++)
    same += (other == block || graph.has_pred_with(other, kCutMask)) && name(other) == text;
  return starts_[block] = same > 1 ? fmt::format("{} (block {})", text, block) : text;
}

std::string Branches::stop(int block, uint32_t call) const {
  auto line_before = [&](size_t at, size_t end) {
    const std::vector<LineRef> &lines = function_.notes.blocks[at].lines;
    return end > 0 ? file_text(lines[end - 1]) + std::to_string(lines[end - 1].line) : fmt::format("block {}", at);
  };
  const std::vector<BlockNotes> &blocks = function_.notes.blocks;
  // An interprocedural path can end at any call, but BlockNotes::breaks contains only the calls that might not return.
  const BlockNotes &own = blocks[static_cast<size_t>(block)];
  std::string text =
      line_before(static_cast<size_t>(block), call < own.breaks.size() ? own.breaks[call] : own.lines.size());
  size_t same = 0, number = 0;
  for (size_t other = 0; other < blocks.size(); other++)
    for (size_t i = 0; i < blocks[other].breaks.size(); i++)
      if (line_before(other, blocks[other].breaks[i]) == text) {
        same++;
        if (other == static_cast<size_t>(block) && i == call)
          number = same;
      }
  return same > 1 ? fmt::format("{}#{}", text, number) : text;
}

std::string Branches::call(int call) const {
  const std::vector<CallNotes> &calls = function_.notes.calls;
  uint32_t line = calls[static_cast<size_t>(call)].line;
  size_t same = 0, number = 0;
  for (size_t i = 0; i < calls.size(); i++)
    if (calls[i].line == line) {
      same++;
      if (i == static_cast<size_t>(call))
        number = same;
    }
  std::string text = line ? std::to_string(line) : "a call";
  return same > 1 ? fmt::format("{}#{}", text, number) : text;
}

} // namespace pathprof
