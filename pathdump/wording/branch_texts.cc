// SPDX-License-Identifier: GPL-3.0-or-later
// The texts of conditions, and where they tell which way around the compiler tests them.
#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "pathdump/wording/branches.h"
#include "pathdump/wording/conditions.h"
#include "pathdump/wording/scan.h"

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
  BranchOffset at;
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
  std::map<uint32_t, size_t> begins; // of lines
  for (uint32_t number = branch.at.line - std::min(branch.at.line - 1, kMostLines);
       number < branch.at.line + kMostLines; number++)
    if (const std::string *line = sources_->line(function_, file, number)) {
      begins[number] = found.text.size();
      found.text += *line + "\n";
    }
  if (!begins.count(branch.at.line))
    return std::nullopt;
  BranchOffset &at = found.at;
  at.offset = begins[branch.at.line] + branch.column - 1;
  bool has_others_before = false;
  for (const auto &[line, begin] : begins) {
    auto there = by_line_.find({branch.at.file, line});
    if (there == by_line_.end())
      continue;
    for (const BranchNotes *other : there->second) {
      size_t offset = begin + other->column - 1;
      at.all.insert(offset);
      bool is_same = offset == at.offset && other->block != branch.block && other->at.site == branch.at.site;
      at.is_one_of_several |= is_same;
      has_others_before |= is_same && other->block < branch.block;
    }
  }
  at.is_first = at.is_one_of_several && !has_others_before;
  bool is_truth = branch.relation == Relation::Holds || branch.relation == Relation::Fails;
  at.is_whole = is_truth && !branch.is_switch;
  return found;
}

// Whether what stands at the branch's place looks like the use of a macro.
bool Branches::is_at_macro(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && !is_switch_at(place->text, place->at.offset) &&
         may_be_macro(condition_at(place->text, place->at), block);
}

// Whether it is one of the comparisons that the compiler makes of a switch.
bool Branches::is_of_lowered_switch(int block) const {
  const BranchNotes *branch = function_.notes.branch_at(block);
  std::optional<Surroundings> place = branch && !branch->is_switch ? surroundings(*branch) : std::nullopt;
  return place && is_switch_at(place->text, place->at.offset);
}

static Sense read_sense(const std::string &text, const BranchNotes &branch) {
  return is_turned_around(text, branch) ? Sense::Opposite : Sense::Same;
}

// Late in compilation one branch may stand for several conditions: what is known of it must agree with the text.
Sense Branches::late_sense(const std::string &own, const Surroundings &place, const BranchNotes &branch) const {
  if (!own.empty() && branch.text.sense != Sense::Unknown)
    return is_certain(own, branch) && read_sense(own, branch) == branch.text.sense ? branch.text.sense : Sense::Unknown;
  std::string condition = condition_at(place.text, place.at);
  bool is_read = own.empty() && is_only_condition(place.text, place.at) && is_plain(condition, branch) &&
                 is_certain(condition, branch);
  return is_read ? read_sense(condition, branch) : Sense::Unknown;
}

// Front ends and later passes turn conditions around, and hide them in macros and functions that are inlined: what is
// said of a condition must hold of the text that is shown of it.  Profiles tell, but of the parts of some ?:.  Where
// they do not, only a text that is nothing but the comparison is trusted.
Sense Branches::find_sense(const BranchNotes &branch) const {
  std::optional<Surroundings> place = surroundings(branch);
  Sense told = branch.text.sense;
  if (!place) // no text is shown
    return told == Sense::Unknown && !branch.text.is_known() ? Sense::Same : told;
  if (is_switch_at(place->text, place->at.offset))
    return Sense::Same;
  std::string own = own_text(branch);
  if (is_late())
    return late_sense(own, *place, branch);
  if (own.empty() && !is_only_condition(place->text, place->at))
    return Sense::Unknown;
  std::string condition = own.empty() ? condition_at(place->text, place->at) : own;
  bool begins_so = branch.text.is_beginning && bare_text(condition).rfind(bare_text(noted_text(branch)), 0) == 0;
  if (told != Sense::Unknown && (!own.empty() || begins_so || is_plain(condition, branch)))
    return told;
  bool may_be_read = !branch.text.is_known() && is_plain(condition, branch);
  return may_be_read ? read_sense(condition, branch) : Sense::Unknown;
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
  std::string condition = condition_at(place->text, place->at);
  if (branch->is_switch)
    return condition;
  if (is_switch_at(place->text, place->at.offset))
    return condition + lowered_text(*branch);
  if (sense_of(*branch) == Sense::Unknown)
    return {};
  std::string own = own_text(*branch);
  if (own.empty())
    return condition;
  std::string use = branch->text.is_in_macro ? use_of_macro(condition, *branch) : std::string();
  return use.empty() ? own : fmt::format("{}: {}", use, own);
}

// The name of the macro in whose definition the branch's text is, as its file says; empty: not known.
std::string Branches::macro_of(const BranchNotes &branch) const {
  static constexpr uint32_t kMostLines = 100; // of a definition
  const SourceText &place = branch.text;
  for (uint32_t number = place.first_line; number > 0 && number + kMostLines > place.first_line; number--) {
    const std::string *line = sources_->line(function_, (*function_.files)[place.file], number);
    if (!line)
      return {};
    if (std::string name = macro_defined_by(*line); !name.empty())
      return name;
  }
  return {};
}

// Where the macro is used: its own use in the condition; if that is made by another macro, the condition if it is
// nothing but a use.
std::string Branches::use_of_macro(const std::string &condition, const BranchNotes &branch) const {
  std::string use = only_use_of(macro_of(branch), condition);
  bool is_use = is_name(condition) || !called_by(condition).empty();
  if (use.empty())
    return is_use ? condition : use;
  return branch.text.is_negated ? "!" + use : use;
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
    text = condition_at(text, {0, {0}});
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
