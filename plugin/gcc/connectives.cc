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
  size_t begin = source.offset(first.line, first.column), end = source.offset(last.line, last.column);
  end += std::max<size_t>(1, source.word_from(end).size());
  bool is_in_call = false; // Or in a macro's argument
  for (;;) {
    begin = skip_blanks_back(source.text, begin);
    end = source.skip(end);
    bool is_joined = around.before.is_known() || around.behind.is_known();
    if (begin > 0 && source.text[begin - 1] == '!') {
      if (is_joined)
        return around;
      around.is_negated = !around.is_negated;
      begin--;
      continue;
    }
    Connective before = source.connective_before(begin), behind = source.connective_at(end);
    if (!is_joined) {
      around.before = before;
      around.behind = behind;
    }
    bool is_first = before.is_known() || (begin > 0 && source.text[begin - 1] == '(') || source.may_begin_behind(begin);
    bool is_last = behind.is_known() || source.may_end_before(end);
    bool is_in_choice = (before.is_known() || behind.is_known()) && source.has_choice_beside(begin, end);
    if (!is_first || !is_last || is_in_choice)
      return around;
    size_t open = source.parenthesis(begin, -1), close = source.parenthesis(end, 1);
    bool is_outermost = open == Excerpt::kNone || close == Excerpt::kNone;
    size_t end_of_name = is_outermost ? begin : skip_blanks_back(source.text, open);
    size_t name = begin_of_word(source.text, end_of_name);
    std::string word = source.text.substr(name, end_of_name - name);
    if (is_outermost || begins_statement(word)) {
      around.is_plain =
          !is_in_call && !is_of_macro(condition.m_start); // The code around the macro may invert the condition.
      return around;
    }
    bool is_grouping = word.empty() || word == "and" || word == "or" || word == "return";
    is_in_call |= !is_grouping;
    begin = is_grouping ? open : name;
    end = close + 1;
  }
}

} // namespace pathprof
