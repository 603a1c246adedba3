// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the source texts of conditions and determines whether the compiler tests a condition or its negation.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pathdump/describe/branches.h"
#include "pathdump/describe/conditions.h"
#include "pathdump/describe/scan.h"

namespace pathprof {

// Returns true if the condition looks like a call but the block contains no such call. The comparison is then in a
// macro whose definition is not available.
bool Branches::may_be_macro(const std::string &condition, int block) const {
  std::string name = called_by(condition);
  const std::vector<DirectCall> &calls = function_.notes.direct_calls;
  return !name.empty() && std::none_of(calls.begin(), calls.end(), [&](const DirectCall &call) {
    return call.block == static_cast<uint32_t>(block) && names_.full(*call.callee).rfind(name, 0) == 0;
  });
}

static bool is_name(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_word);
}

// Returns the comparison operator of a lowered switch. The notes do not contain the values of the switch's labels.
static std::string lowered_text(const BranchNotes &branch) {
  switch (branch.relation) {
  case Relation::Equal:
    return " == ...";
  case Relation::NotEqual:
    return " != ...";
  case Relation::Less:
    return " < ...";
  case Relation::LessEqual:
    return " <= ...";
  case Relation::Greater:
    return " > ...";
  case Relation::GreaterEqual:
    return " >= ...";
  default:
    return {};
  }
}

// Returns true if conditions in the file have the syntax of C, unlike those of Fortran and Ada.
static bool is_like_c(const std::string &file) {
  std::string suffix = file.substr(std::min(file.size(), file.rfind('.') + 1));
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return tolower(c); });
  return suffix != "adb" && suffix != "ads" && suffix != "ada" && suffix.rfind("f", 0) != 0;
}

// The source text around a branch.
struct Branches::Surroundings {
  std::string text; // a few lines around the branch
  size_t offset;    // position of the branch in the text

  std::string condition() const { return condition_at(text, offset); }
  bool has_only_condition() const { return is_only_condition(text, offset); }
};

// Returns true unless the file is known to have changed since its compilation.
bool Branches::is_as_compiled(uint32_t file) const {
  return (*sources_)[sources_->number_of(*function_.sources, (*function_.files)[file])].doubt.empty();
}

std::optional<Branches::Surroundings> Branches::surroundings(const BranchNotes &branch) const {
  static constexpr uint32_t kMostLines = 6;
  if (!sources_ || !branch.at.line || !branch.column)
    return std::nullopt;
  const std::string &file = (*function_.files)[branch.at.file];
  if (!is_like_c(file) || !is_as_compiled(branch.at.file))
    return std::nullopt;
  Surroundings found;
  for (uint32_t number = branch.at.line - std::min(branch.at.line - 1, kMostLines);
       number < branch.at.line + kMostLines; number++) {
    const std::string *line = sources_->line(function_, file, number);
    if (!line && number == branch.at.line)
      return std::nullopt;
    if (number == branch.at.line)
      found.offset = found.text.size() + branch.column - 1;
    if (line)
      found.text += *line + "\n";
  }
  return found;
}

// Returns true if no other branch is at the same position.
bool Branches::is_alone(const BranchNotes &branch) const {
  const std::vector<BranchNotes> &all = function_.notes.branches;
  return std::none_of(all.begin(), all.end(), [&](const BranchNotes &other) {
    return other.block != branch.block && other.at == branch.at && other.column == branch.column;
  });
}

// Returns true if the source text at the branch looks like the use of a macro.
bool Branches::is_at_macro(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && !is_switch_at(place->text, place->offset) && may_be_macro(place->condition(), block);
}

// Returns true if the branch is a comparison that results from lowering a switch.
bool Branches::is_of_lowered_switch(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && is_switch_at(place->text, place->offset);
}

// Returns the source text of the condition, or an empty string if it is unknown. For an expression without a position
// of its own, such as a remainder, the compiler records only the first word. The condition at the branch's position is
// then used if it is a single condition.
std::string Branches::text_of(const BranchNotes &branch, const Surroundings &place) const {
  std::string own = own_text(branch);
  if (!own.empty() || !branch.text.is_beginning || !place.has_only_condition() || !is_alone(branch))
    return own;
  std::string beginning = bare_text(noted_text(branch));
  std::string condition = place.condition();
  return !beginning.empty() && condition.rfind(beginning, 0) == 0 ? condition : std::string();
}

// Returns the sense in which the branch tests the printed condition. Front ends and later passes negate conditions and
// hide them in macros and inlined functions, so only the sense recorded by the compiler is used, and only if the
// printed text is the recorded one. Late in compilation, a branch can represent several conditions, so its sense must
// also agree with the text.
Sense Branches::find_sense(const BranchNotes &branch) const {
  std::optional<Surroundings> place = surroundings(branch);
  Sense told = branch.text.sense;
  if (!place) // no source text is printed
    return told == Sense::Unknown && !branch.text.is_known() ? Sense::Same : told;
  if (is_switch_at(place->text, place->offset))
    return Sense::Same;
  std::string text = text_of(branch, *place);
  bool is_sure = !text.empty() && (!is_late() || sense_in(text, branch) == told);
  return is_sure ? told : Sense::Unknown;
}

Sense Branches::sense_of(const BranchNotes &branch) const {
  auto [known, is_new] = senses_.try_emplace(branch.block, Sense::Unknown);
  if (is_new)
    known->second = find_sense(branch);
  return known->second;
}

bool Branches::is_of_macro(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  return branch && (branch->text.is_in_macro || sense_of(*branch) == Sense::Unknown);
}

std::string Branches::find_condition(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch ? surroundings(*branch) : std::nullopt;
  if (!place)
    return {};
  bool is_lowered = !branch->is_switch && is_switch_at(place->text, place->offset);
  if (branch->is_switch || is_lowered)
    return place->condition() + (is_lowered ? lowered_text(*branch) : "");
  if (sense_of(*branch) == Sense::Unknown)
    return {};
  std::string use = use_of_macro(*branch);
  std::string text = text_of(*branch, *place);
  return use.empty() ? text : fmt::format("{}: {}", use, text);
}

// Returns the use of the macro whose definition contains the condition, or an empty string if the use is unknown.
std::string Branches::use_of_macro(const BranchNotes &branch) const {
  static constexpr uint32_t kMostLines = 12;
  const SourceText &place = branch.text;
  std::string text;
  for (uint32_t number = place.use_line; number > 0 && number < place.use_line + kMostLines; number++)
    if (const std::string *line = sources_->line(function_, (*function_.files)[branch.at.file], number))
      text += *line + "\n";
  std::string use = place.use_column ? use_at(text, place.use_column - 1) : std::string();
  return place.is_negated && !use.empty() ? "!" + use : use;
}

// Returns the source text at the position that the notes specify, or an empty string if the source does not contain it.
std::string Branches::noted_text(const BranchNotes &branch) const {
  static constexpr uint32_t kMostLines = 12;
  const SourceText &place = branch.text;
  bool is_there = sources_ && place.is_known() && is_as_compiled(place.file);
  if (!is_there || place.last_line - place.first_line > kMostLines)
    return {};
  std::string text;
  for (uint32_t number = place.first_line; number <= place.last_line; number++) {
    const std::string *line = sources_->line(function_, (*function_.files)[place.file], number);
    size_t begin = number == place.first_line ? place.first_column - 1 : 0;
    if (!line || begin >= line->size() || (number == place.last_line && place.last_column > line->size()))
      return {};
    size_t end = number == place.last_line ? end_of_word(*line, place.last_column) : line->size();
    text += line->substr(begin, end - begin) + "\n";
  }
  return text;
}

// Returns the source text of the condition from which the branch was generated, or an empty string if it is unknown.
std::string Branches::own_text(const BranchNotes &branch) const {
  const SourceText &place = branch.text;
  std::string text = noted_text(branch);
  if (text.empty() || place.is_beginning)
    return {};
  if (is_keyword_at(text, 0)) // in templates, the position is that of the keyword
    text = condition_at(text, 0);
  text = place.is_negated ? fmt::format("!({})", bare_text(text)) : bare_text(text);
  bool is_parameter = place.is_in_macro && is_name(text); // a macro parameter can stand for any expression
  return !is_parameter && is_balanced(text) && may_be_of(text, branch) ? text : std::string();
}

std::string Branches::condition(int block) const {
  auto [known, is_new] = conditions_.try_emplace(block);
  if (is_new)
    known->second = find_condition(block);
  return known->second;
}

} // namespace pathprof
