// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/condition_text.h"

#include <map>
#include <tuple>

#include "plugin/gcc/locations.h"

namespace pathprof {

namespace {

// What a jump was given: other jumps have ranges, too, of whole expressions.
struct Given {
  ConditionRange condition;
  location_t before; // the jump's position until then
};

// By place and range.
using Place = std::tuple<location_t, location_t, location_t>;
std::map<Place, Given> given;

Place place_of(location_t location) {
  source_range range = get_range_from_loc(line_table, location);
  return {get_pure_location(line_table, location), range.m_start, range.m_finish};
}

// __builtin_expect (x, c) is x.
tree without_conversions(tree expression) {
  for (;;)
    switch (TREE_CODE(expression)) {
    case CALL_EXPR: {
      tree callee = get_callee_fndecl(expression);
      bool is_expect = callee && (fndecl_built_in_p(callee, BUILT_IN_EXPECT) ||
                                  fndecl_built_in_p(callee, BUILT_IN_EXPECT_WITH_PROBABILITY));
      if (!is_expect)
        return expression;
      expression = CALL_EXPR_ARG(expression, 0);
      break;
    }
    CASE_CONVERT:
    case NON_LVALUE_EXPR:
    case VIEW_CONVERT_EXPR:
    case CLEANUP_POINT_EXPR:
    case ANNOTATE_EXPR:
    case SAVE_EXPR:
      expression = TREE_OPERAND(expression, 0);
      break;
    case COMPOUND_EXPR:
      expression = TREE_OPERAND(expression, 1);
      break;
    default:
      return expression;
    }
}

source_range range_of(tree expression) {
  location_t location = EXPR_P(expression) ? EXPR_LOCATION(expression) : UNKNOWN_LOCATION;
  if (!is_known(location))
    return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  return get_range_from_loc(line_table, location);
}

// From the first to the last word of what a macro was replaced by.
source_range all_of_macro(location_t location) {
  const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, location));
  location_t first = MAP_START_LOCATION(map);
  return {first, first + MACRO_MAP_NUM_MACRO_TOKENS(map) - 1};
}

// A word of what a macro was replaced by: where it was written, in the macro's definition or in an argument, and where
// the definition has it, or the parameter that stands for it.  They are one place unless it is of an argument.
struct MacroWord {
  location_t written, defined;
  bool is_of_argument() const { return written != defined; }
};

MacroWord word_at(const line_map_macro *map, location_t location) {
  const location_t *places = MACRO_MAP_LOCATIONS(map) + 2 * (location - MAP_START_LOCATION(map));
  return {places[0], places[1]};
}

// Goes from a macro that only puts parentheses around its argument, as "(e)", or nothing, to the argument; so does the
// operator's place, if it is there.
void unwrap(source_range &range, location_t &operation) {
  for (;;) {
    const line_map *map = linemap_lookup(line_table, range.m_start);
    bool is_in_one = is_of_macro(range.m_start) && linemap_lookup(line_table, range.m_finish) == map;
    if (!is_in_one || range.m_start > range.m_finish)
      return;
    const line_map_macro *macro = linemap_check_macro(map);
    auto is_of_argument = [&](location_t location) { return word_at(macro, location).is_of_argument(); };
    location_t first = range.m_start, last = range.m_finish;
    bool is_operator_inside = first <= operation && operation <= last && is_of_argument(operation);
    for (int pairs = 0; last - first >= 2 && !is_of_argument(first) && !is_of_argument(last); pairs++) {
      if (pairs > 0 && !is_operator_inside)
        return;
      first++;
      last--;
    }
    for (location_t word = first; word <= last; word++)
      if (!is_of_argument(word) || word_at(macro, word).defined != word_at(macro, first).defined)
        return;
    if (first <= operation && operation <= last)
      operation = word_at(macro, operation).written;
    range = {word_at(macro, first).written, word_at(macro, last).written};
  }
}

// Whether the first range has all of the second one.
bool holds(source_range one, source_range other) {
  return !is_before(other.m_start, one.m_start) && !is_before(one.m_finish, other.m_finish);
}

// Whether it is the test of a value that the source has without a comparison, or may be one: x != 0, x == 0, !x.
bool tests_value(tree condition) {
  bool is_comparison = TREE_CODE(condition) == NE_EXPR || TREE_CODE(condition) == EQ_EXPR;
  return TREE_CODE(condition) == TRUTH_NOT_EXPR ||
         (is_comparison && (integer_zerop(TREE_OPERAND(condition, 1)) || real_zerop(TREE_OPERAND(condition, 1))));
}

} // namespace

// Where the front end has added a test for 0, or turned one around, that has the place of the first word of what is
// tested, or none.  Where it stands in the source, it holds its operand.
ConditionRange range_of_condition(tree condition) {
  condition = without_conversions(condition);
  source_range range = range_of(condition);
  tree of = condition;
  while (tests_value(condition)) {
    condition = without_conversions(TREE_OPERAND(condition, 0));
    source_range operand = range_of(condition);
    if (!is_known(operand) || (is_known(range) && holds(range, operand)))
      break;
    range = operand;
    of = condition;
  }
  // Of what has no place of its own, such as a remainder, only the first word is known; variables have none at all.
  bool is_word = range.m_start == range.m_finish && (of == condition || !DECL_P(condition));
  if (!is_known(range) || (is_word && is_of_macro(range.m_start)))
    return {};
  if (is_word)
    return {range, false, Sense::Unknown, true};
  location_t operation = get_pure_location(line_table, EXPR_LOCATION(of));
  if (is_of_macro(operation) && !is_of_macro(range.m_start)) // parentheses around the macro's use
    range = all_of_macro(operation);
  unwrap(range, operation);
  return {range, operation == range.m_start};
}

void set_range_of_condition(gcond *jump, ConditionRange condition) {
  source_range range = condition.range;
  if (!is_known(range) || !is_known(gimple_location(jump)))
    return;
  location_t location =
      make_location(get_pure_location(line_table, gimple_location(jump)), range.m_start, range.m_finish);
  auto [at, is_new] = given.insert({place_of(location), {condition, gimple_location(jump)}});
  if (!is_new && at->second.condition.sense != condition.sense)
    at->second.condition.sense = Sense::Unknown;
  tree block = gimple_block(jump);
  gimple_set_location(jump, location);
  if (block)
    gimple_set_block(jump, block);
}

location_t position_of(gimple *statement) {
  location_t location = gimple_location(statement);
  auto at = is_a<gcond *>(statement) && is_known(location) ? given.find(place_of(location)) : given.end();
  if (at == given.end())
    return location;
  tree block = gimple_block(statement);
  return block ? set_block(at->second.before, block) : at->second.before;
}

// Both ends resolved in the same way; nothing where the one is not in the file of the other, or behind it.
static SourceText resolved(source_range range, location_resolution_kind kind, FileTable &files) {
  auto resolve = [&](location_t location) {
    return linemap_expand_location(line_table, linemap_check_ordinary(linemap_lookup(line_table, location)), location);
  };
  location_t ends[2] = {linemap_resolve_location(line_table, range.m_start, kind, nullptr),
                        linemap_resolve_location(line_table, range.m_finish, kind, nullptr)};
  SourceText text;
  if (!is_known(ends[0]) || !is_known(ends[1]))
    return text;
  expanded_location first = resolve(ends[0]), last = resolve(ends[1]);
  bool is_in_macro = is_of_macro(range.m_start) || is_of_macro(range.m_finish);
  bool is_text = first.file && last.file && strcmp(first.file, last.file) == 0 && first.column > 0 && last.column > 0 &&
                 (first.line == last.line ? first.column <= last.column : first.line < last.line && !is_in_macro);
  if (!is_text)
    return text;
  text.file = files.index_of(first.file);
  text.first_line = static_cast<uint32_t>(first.line);
  text.first_column = static_cast<uint32_t>(first.column);
  text.last_line = static_cast<uint32_t>(last.line);
  text.last_column = static_cast<uint32_t>(last.column);
  return text;
}

// Of a condition that begins in front of a macro and ends in it: of "!ISDIGIT (c)" what the macro makes of it up to
// there, of others the macro's use.
static SourceText text_with_use_of_macro(source_range range, bool is_negation, FileTable &files) {
  if (!is_negation)
    return resolved(range, LRK_MACRO_EXPANSION_POINT, files);
  range.m_start = MAP_START_LOCATION(linemap_lookup(line_table, range.m_finish));
  location_t operation = UNKNOWN_LOCATION;
  unwrap(range, operation);
  SourceText text = resolved(range, LRK_MACRO_DEFINITION_LOCATION, files);
  text.is_negated = text.is_known();
  text.is_in_macro = text.is_known() && is_of_macro(range.m_start);
  return text;
}

static SourceText text_of_range(source_range range, bool is_negation, FileTable &files) {
  SourceText spelled = resolved(range, LRK_SPELLING_LOCATION, files);
  SourceText defined = resolved(range, LRK_MACRO_DEFINITION_LOCATION, files);
  bool is_in_macro = is_of_macro(range.m_start);
  if (is_in_macro != is_of_macro(range.m_finish))
    return text_with_use_of_macro(range, is_negation && !is_in_macro, files);
  if (!spelled.is_known()) {
    defined.is_in_macro = is_in_macro;
    return defined;
  }
  spelled.is_in_macro = is_in_macro && spelled == defined;
  return spelled;
}

SourceText text_of_condition(location_t location, FileTable &files) {
  auto at = is_known(location) ? given.find(place_of(location)) : given.end();
  if (at == given.end())
    return {};
  const ConditionRange &condition = at->second.condition;
  SourceText text = text_of_range(get_range_from_loc(line_table, location), condition.is_negation, files);
  if (text.is_known()) {
    text.is_beginning = condition.is_beginning;
    text.sense = condition.sense;
  }
  return text;
}

} // namespace pathprof
