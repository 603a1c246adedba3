// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the && and || operators around a condition in the source text.
#include <algorithm>

#include "plugin/gcc/source_place.h"

#include "plugin/gcc/connectives.h"
#include "plugin/gcc/excerpt.h"
#include "plugin/gcc/locations.h"

namespace pathprof {

namespace {

// Returns the source positions of both ends of the condition. If the ends are not in the same macro, an end that is in
// a macro is replaced with the position at which the macro is used.
std::pair<SourcePlace, SourcePlace> ends_of(source_range condition) {
  location_t first = condition.m_start, last = condition.m_finish;
  bool are_apart = is_known(condition) && linemap_lookup(line_table, first) != linemap_lookup(line_table, last);
  if (!are_apart)
    return {spelled_at(first), spelled_at(last)};
  auto use_of = [](location_t location) {
    return SourcePlace(linemap_resolve_location(line_table, location, LRK_MACRO_EXPANSION_POINT, nullptr));
  };
  return {use_of(first), use_of(last)};
}

// A part of the source text that contains the condition, from `begin` up to but not including `end`.
struct Surrounding {
  size_t begin, end;
  bool has_call = false; // True if the part includes a call or a use of a macro with the condition in an argument
};

// Extends the part to the innermost parentheses around it. If there are no such parentheses, or if they belong to a
// statement, the part is a complete expression. Returns false in this case.
bool extend_to_parentheses(Surrounding &part, const Excerpt &source) {
  size_t open = source.parenthesis(part.begin, -1), close = source.parenthesis(part.end, 1);
  if (open == Excerpt::kNone || close == Excerpt::kNone)
    return false;
  size_t end_of_name = skip_blanks_back(source.text, open), name = begin_of_word(source.text, end_of_name);
  std::string word = source.text.substr(name, end_of_name - name);
  if (begins_statement(word))
    return false;
  bool is_call = !word.empty() && word != "and" && word != "or" && word != "return";
  part = {is_call ? name : open, close + 1, part.has_call || is_call};
  return true;
}

// Returns true if no operators except the connectives `before` and `behind` have the part as an operand.
bool is_operand_only_of(Connective before, Connective behind, const Surrounding &part, const Excerpt &source) {
  bool is_first = before.is_known() || (part.begin > 0 && source.text[part.begin - 1] == '(') ||
                  source.may_begin_behind(part.begin);
  bool is_last = behind.is_known() || source.may_end_before(part.end);
  bool is_joined = before.is_known() || behind.is_known();
  return is_first && is_last && !(is_joined && source.has_choice_beside(part.begin, part.end));
}

} // namespace

Connective connective_at(location_t location) {
  SourcePlace place = spelled_at(location);
  if (!place.lines)
    return {};
  Excerpt line(*place.lines, place.line, place.line);
  bool is_inside_word = place.column > 0 && is_word(line.text[place.column - 1]) && is_word(line.text[place.column]);
  return is_inside_word ? Connective() : line.connective_at(place.column);
}

AroundCondition around_condition(source_range condition) {
  AroundCondition around;
  auto [first, last] = ends_of(condition);
  if (!first.lines || first.lines != last.lines || first.line > last.line || last.line - first.line > kMostLines)
    return around;
  around.is_known = true;
  Excerpt source(*first.lines, first.line - std::min(first.line, kMostLines), last.line + kMostLines);
  Surrounding part = {source.offset(first.line, first.column), source.offset(last.line, last.column)};
  part.end += std::max<size_t>(1, source.word_from(part.end).size());
  // `part` is the condition with the '!' operators and parentheses that have been visited. Until a connective is found,
  // `part` contains no other condition, and `is_negated` is true if an odd number of '!' operators has been visited.
  // Afterwards, `is_negated` and the connectives no longer change.
  for (;;) {
    part.begin = skip_blanks_back(source.text, part.begin);
    part.end = source.skip(part.end);
    bool is_joined = around.before.is_known() || around.behind.is_known();
    if (part.begin > 0 && source.text[part.begin - 1] == '!') {
      if (is_joined) // The '!' negates the condition together with others.
        return around;
      around.is_negated = !around.is_negated;
      part.begin--;
      continue;
    }
    Connective before = source.connective_before(part.begin), behind = source.connective_at(part.end);
    if (!is_joined) {
      around.before = before;
      around.behind = behind;
    }
    if (!is_operand_only_of(before, behind, part, source))
      return around;
    if (!extend_to_parentheses(part, source)) {
      around.is_plain =
          !part.has_call && !is_of_macro(condition.m_start); // The code around the macro may invert the condition.
      return around;
    }
  }
}

} // namespace pathprof
