// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of conditions, and where they tell which way around the compiler tests them.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pathdump/describe/branches.h"
#include "pathdump/describe/conditions.h"
#include "pathdump/describe/scan.h"

namespace pathprof {

// What looks like a call, and is none of the block's: the comparison is inside of a macro, which nobody can see here.
// GCC hardly ever turns one around.
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

// Late in compilation a switch is comparisons with labels, of which the notes do not have the values.
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

// Whether conditions look like those of C: not so in Fortran and Ada.
static bool is_like_c(const std::string &file) {
  std::string suffix = file.substr(std::min(file.size(), file.rfind('.') + 1));
  std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](unsigned char c) { return tolower(c); });
  return suffix != "adb" && suffix != "ads" && suffix != "ada" && suffix.rfind("f", 0) != 0;
}

// What stands around a branch in the source.
struct Branches::Surroundings {
  std::string text; // a few lines
  size_t offset;    // where the branch is in it

  std::string condition() const { return condition_at(text, offset); }
  bool has_only_condition() const { return is_only_condition(text, offset); }
};

// Whether nothing says that the file has changed since.
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

// Whether no other branch is at its place.
bool Branches::is_alone(const BranchNotes &branch) const {
  const std::vector<BranchNotes> &all = function_.notes.branches;
  return std::none_of(all.begin(), all.end(), [&](const BranchNotes &other) {
    return other.block != branch.block && other.at == branch.at && other.column == branch.column;
  });
}

// Whether what stands at the branch's place looks like the use of a macro.
bool Branches::is_at_macro(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && !is_switch_at(place->text, place->offset) && may_be_macro(place->condition(), block);
}

// Whether it is one of the comparisons that the compiler makes of a switch.
bool Branches::is_of_lowered_switch(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && is_switch_at(place->text, place->offset);
}

// Of what has no place of its own, such as a remainder, the compiler knows the first word: the condition there is meant
// if it is one by itself.
std::string Branches::text_of(const BranchNotes &branch, const Surroundings &place) const {
  std::string own = own_text(branch);
  if (!own.empty() || !branch.text.is_beginning || !place.has_only_condition() || !is_alone(branch))
    return own;
  std::string beginning = bare_text(noted_text(branch));
  std::string condition = place.condition();
  return !beginning.empty() && condition.rfind(beginning, 0) == 0 ? condition : std::string();
}

// Front ends and later passes turn conditions around, and hide them in macros and functions that are inlined: what is
// said of a condition must hold of the text that is shown of it, and only the compiler knows both.  Late in compilation
// one branch may stand for several conditions: what is known of it must agree with the text.
Sense Branches::find_sense(const BranchNotes &branch) const {
  std::optional<Surroundings> place = surroundings(branch);
  Sense told = branch.text.sense;
  if (!place) // no text is shown
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

// The use of the macro in whose definition the branch's text is; empty: not known.
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

// What stands in the source where the notes say; empty where it is not there.
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

// The condition that the branch was made of, as the source has it; empty: not known.
std::string Branches::own_text(const BranchNotes &branch) const {
  const SourceText &place = branch.text;
  std::string text = noted_text(branch);
  if (text.empty() || place.is_beginning)
    return {};
  if (is_keyword_at(text, 0)) // in templates
    text = condition_at(text, 0);
  text = place.is_negated ? fmt::format("!({})", bare_text(text)) : bare_text(text);
  bool is_parameter = place.is_in_macro && is_name(text); // of a macro, which stands for anything
  return !is_parameter && is_balanced(text) && may_be_of(text, branch) ? text : std::string();
}

std::string Branches::condition(int block) const {
  auto [known, is_new] = conditions_.try_emplace(block);
  if (is_new)
    known->second = find_condition(block);
  return known->second;
}

} // namespace pathprof
