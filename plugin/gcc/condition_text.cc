// SPDX-License-Identifier: GPL-3.0-or-later
// Records the source ranges of conditions in the locations of conditional jumps, and reads them back.
#include "plugin/gcc/condition_text.h"

#include <map>
#include <tuple>

#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"
#include "plugin/gcc/source_tokens.h"

namespace pathprof {

namespace {

// A condition whose source range was assigned to a jump. Other jumps can also have a range, but that range covers a
// whole expression.
struct Assigned {
  ConditionRange condition;
  location_t before; // Location of the jump before it received the range
};

// Maps the location and range of a jump to its condition.
using JumpKey = std::tuple<location_t, location_t, location_t>;
std::map<JumpKey, Assigned> assigned;

JumpKey key_of(location_t location) {
  source_range range = get_range_from_loc(line_table, location);
  return {get_pure_location(line_table, location), range.m_start, range.m_finish};
}

// Returns the condition that was assigned to a jump with this location, or null.
const Assigned *assigned_to(location_t location) {
  auto found = is_known(location) ? assigned.find(key_of(location)) : assigned.end();
  return found == assigned.end() ? nullptr : &found->second;
}

tree without_conversions(tree expression) {
  for (;;)
    switch (TREE_CODE(expression)) {
    case CALL_EXPR:
      if (!expects(expression))
        return expression;
      expression = CALL_EXPR_ARG(expression, 0);
      break;
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

// Returns the source range that the front end stored in the tree.
source_range stored_range(tree expression) {
  location_t location = EXPR_P(expression) ? EXPR_LOCATION(expression) : UNKNOWN_LOCATION;
  if (!is_known(location))
    return {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  return get_range_from_loc(line_table, location);
}

// Returns the range of all tokens in the macro's expansion.
source_range all_of_macro(location_t location) {
  const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, location));
  location_t first = MAP_START_LOCATION(map);
  return {first, first + MACRO_MAP_NUM_MACRO_TOKENS(map) - 1};
}

// If a macro expands only to its argument, possibly in parentheses, replaces the range of the macro with the range of
// the argument. Also replaces the location of the operator if it is inside this range.
void unwrap(source_range &range, location_t &operation) {
  for (;;) {
    const line_map *map = linemap_lookup(line_table, range.m_start);
    bool is_in_one = is_of_macro(range.m_start) && linemap_lookup(line_table, range.m_finish) == map;
    if (!is_in_one || range.m_start > range.m_finish)
      return;
    const line_map_macro *macro = linemap_check_macro(map);
    auto is_of_argument = [&](location_t location) { return word_of_macro(macro, location).is_of_argument(); };
    location_t first = range.m_start, last = range.m_finish;
    bool is_operator_inside = first <= operation && operation <= last && is_of_argument(operation);
    for (int pairs = 0; last - first >= 2 && !is_of_argument(first) && !is_of_argument(last); pairs++) {
      if (pairs > 0 && !is_operator_inside)
        return;
      first++;
      last--;
    }
    for (location_t word = first; word <= last; word++)
      if (!is_of_argument(word) || word_of_macro(macro, word).defined != word_of_macro(macro, first).defined)
        return;
    if (first <= operation && operation <= last)
      operation = word_of_macro(macro, operation).written;
    range = {word_of_macro(macro, first).written, word_of_macro(macro, last).written};
  }
}

// Returns true if the range `one` contains the range `other`.
bool holds(source_range one, source_range other) {
  return !is_before(other.m_start, one.m_start) && !is_before(one.m_finish, other.m_finish);
}

bool is_same(source_range one, source_range other) {
  return one.m_start == other.m_start && one.m_finish == other.m_finish;
}

// Returns true if the expression is a condition that front ends can invert.
bool has_outcome(tree expression) {
  return COMPARISON_CLASS_P(expression) || TREE_CODE_CLASS(TREE_CODE(expression)) == tcc_expression;
}

// Returns the tree code of the operator at the source position of the comparison, or ERROR_MARK if there is no
// comparison operator at this position.
tree_code written_comparison(tree comparison) {
  static const std::pair<const char *, tree_code> operators[] = {{"==", EQ_EXPR}, {"!=", NE_EXPR}, {"<=", LE_EXPR},
                                                                 {">=", GE_EXPR}, {"<", LT_EXPR},  {">", GT_EXPR}};
  if (!COMPARISON_CLASS_P(comparison) || !is_known(EXPR_LOCATION(comparison)))
    return ERROR_MARK;
  SourcePlace place = spelled_at(get_pure_location(line_table, EXPR_LOCATION(comparison)));
  auto is_there = [&](const char *text) {
    return place.lines && (*place.lines)[place.line].compare(place.column, strlen(text), text) == 0;
  };
  if (is_there("<=>") || is_there("<<") || is_there(">>"))
    return ERROR_MARK;
  for (auto [text, code] : operators)
    if (is_there(text))
      return code;
  return ERROR_MARK;
}

// Returns the sense of a floating-point comparison, determined from the operator in the source. Front ends change such
// comparisons only by swapping the operands or by inverting the comparison.
Sense sense_by_operator(tree comparison) {
  tree_code written = written_comparison(comparison), code = TREE_CODE(comparison);
  if (written == ERROR_MARK || !SCALAR_FLOAT_TYPE_P(TREE_TYPE(TREE_OPERAND(comparison, 0))))
    return Sense::Unknown;
  if (code == written || code == swap_tree_comparison(written))
    return Sense::Same;
  for (bool honors_nans : {false, true}) {
    tree_code opposite = invert_tree_comparison(written, honors_nans);
    if (opposite != ERROR_MARK && (code == opposite || code == swap_tree_comparison(opposite)))
      return Sense::Opposite;
  }
  return Sense::Unknown;
}

// The part of a condition that has a source location.
struct Placed {
  tree expression; // The condition or the value that it tests
  source_range range;
  tree tested;        // The value that remains without any comparisons with 0
  bool is_test_for_0; // True if the condition is true when the expression is 0
};

// Returns the part of the condition that has a source location. If the front end added or inverted a test for 0, either
// the test has no location, or it has the location of its operand's first token. If the test is in the source, its
// range includes the operand.
Placed placed_part(tree condition) {
  condition = without_conversions(condition);
  Placed placed = {condition, stored_range(condition), condition, false};
  bool is_test_for_0 = false;
  while (tests_value(placed.tested)) {
    tree negation = placed.tested;
    is_test_for_0 ^= TREE_CODE(negation) != NE_EXPR;
    placed.tested = without_conversions(TREE_OPERAND(placed.tested, 0));
    source_range operand = stored_range(placed.tested);
    // If a '!' has the same location as the value that it negates, the location of the '!' itself has been lost. If a
    // '!' was folded into a comparison, it has the location of the whole expression.
    bool is_lost =
        TREE_CODE(negation) == TRUTH_NOT_EXPR && !has_outcome(placed.tested) && is_same(placed.range, operand);
    bool is_outside = is_known(placed.range) && holds(placed.range, operand) && !is_lost;
    if (!is_known(operand) || is_outside)
      break;
    placed.range = operand;
    placed.expression = placed.tested;
    placed.is_test_for_0 = is_test_for_0;
  }
  return placed;
}

// Returns true if the text at the location starts with the character, ignoring parentheses and blanks.
bool begins_with(location_t location, char c) {
  SourcePlace place = spelled_at(location);
  return place.lines && (*place.lines)[place.line].find(c, place.column) ==
                            (*place.lines)[place.line].find_first_not_of("( ", place.column);
}

// Returns true if an operand is outside the range. This happens if the front end combines several conditions and gives
// the result the location of one of them.
bool has_part_elsewhere(const Placed &placed) {
  for (int i = 0; i < 2 && combines(TREE_CODE(placed.expression)); i++) {
    source_range operand = placed_part(TREE_OPERAND(placed.expression, i)).range;
    if (is_known(operand) && is_known(placed.range) && !holds(placed.range, operand))
      return true;
  }
  return false;
}

// Returns true if the range belongs to an expression around the condition: if operands are outside the range, or if the
// condition tests a single value but the range contains && or ||.
bool has_range_of_others(const Placed &placed) {
  bool tests_one_value =
      tests_value(placed.expression) && !has_outcome(placed.tested) && !combines(TREE_CODE(placed.tested));
  return has_part_elsewhere(placed) || (tests_one_value && is_joined_in_source(placed.range));
}

// Returns true if the source range of the condition contains only the condition's first token. This happens if an
// expression, such as a remainder, has no location of its own. Returns false for a variable, which has no location at
// all.
bool is_first_token(const Placed &placed) {
  bool is_variable = placed.expression != placed.tested && DECL_P(placed.tested);
  return placed.range.m_start == placed.range.m_finish && !is_variable;
}

// Returns true if the tree may test the complement of the value in the source. Front ends change (~x & 1) != 0 to
// (x & 1) == 0, and the & keeps its location.
bool may_be_complement(const Placed &placed, source_range range) {
  bool is_value = placed.expression == placed.tested && placed.is_test_for_0;
  return combines(TREE_CODE(placed.tested)) && (is_value || begins_with(range.m_start, '~'));
}

bool tests_combination(tree tested) {
  return combines(TREE_CODE(tested)) ||
         (COMPARISON_CLASS_P(tested) && combines(TREE_CODE(without_conversions(TREE_OPERAND(tested, 0)))));
}

// Returns the sense of the condition, or Unknown if the front end may have inverted `placed.expression`.
Sense sense_of(const Placed &placed) {
  Sense sense = Sense::Same; // Front ends do not invert values.
  if (has_outcome(placed.expression))
    sense = sense_by_operator(placed.expression);
  return placed.is_test_for_0 ? opposite(sense) : sense;
}

} // namespace

bool tests_value(tree condition) {
  bool is_comparison = TREE_CODE(condition) == NE_EXPR || TREE_CODE(condition) == EQ_EXPR;
  return TREE_CODE(condition) == TRUTH_NOT_EXPR ||
         (is_comparison && (integer_zerop(TREE_OPERAND(condition, 1)) || real_zerop(TREE_OPERAND(condition, 1))));
}

bool keeps_truth(tree conversion) {
  tree from = TREE_TYPE(TREE_OPERAND(conversion, 0)), to = TREE_TYPE(conversion);
  bool are_scalar = (INTEGRAL_TYPE_P(from) || POINTER_TYPE_P(from)) && (INTEGRAL_TYPE_P(to) || POINTER_TYPE_P(to));
  return are_scalar && (TREE_CODE(to) == BOOLEAN_TYPE || TYPE_PRECISION(to) >= TYPE_PRECISION(from));
}

bool combines(tree_code operation) {
  switch (operation) {
  case TRUTH_AND_EXPR:
  case TRUTH_OR_EXPR:
  case TRUTH_XOR_EXPR:
  case BIT_AND_EXPR:
  case BIT_IOR_EXPR:
  case BIT_XOR_EXPR:
    return true;
  default:
    return false;
  }
}

bool expects(tree call) {
  tree callee = get_callee_fndecl(call);
  return callee &&
         (fndecl_built_in_p(callee, BUILT_IN_EXPECT) || fndecl_built_in_p(callee, BUILT_IN_EXPECT_WITH_PROBABILITY));
}

source_range place_of_condition(tree condition) {
  return placed_part(condition).range;
}

ConditionRange range_of_condition(tree condition) {
  Placed placed = placed_part(condition);
  source_range range = placed.range;
  if (!is_known(range) || has_range_of_others(placed))
    return {};
  if (is_first_token(placed))
    return is_of_macro(range.m_start) ? ConditionRange() : ConditionRange{range, false, Sense::Unknown, true};
  location_t operation = get_pure_location(line_table, EXPR_LOCATION(placed.expression));
  if (is_of_macro(operation) && !is_of_macro(range.m_start)) // The macro's use is in parentheses.
    range = all_of_macro(operation);
  unwrap(range, operation);
  if (may_be_complement(placed, range))
    return {};
  ConditionRange found = {range, operation == range.m_start, sense_of(placed)};
  found.is_part = placed.expression != without_conversions(condition);
  found.is_opposite = placed.is_test_for_0;
  found.is_as_written = !found.is_part && written_comparison(placed.expression) == TREE_CODE(placed.expression);
  found.is_combined = tests_combination(placed.tested);
  return found;
}

static void assign_range(gcond *jump, source_range range, const ConditionRange &condition) {
  location_t location =
      make_location(get_pure_location(line_table, gimple_location(jump)), range.m_start, range.m_finish);
  auto [at, is_new] = assigned.insert({key_of(location), {condition, gimple_location(jump)}});
  if (!is_new && at->second.condition.sense != condition.sense)
    at->second.condition.sense = Sense::Unknown;
  tree block = gimple_block(jump);
  gimple_set_location(jump, location);
  if (block)
    gimple_set_block(jump, block);
}

void set_range_of_condition(gcond *jump, const ConditionRange &condition) {
  if (is_known(condition.range) && is_known(gimple_location(jump)))
    assign_range(jump, condition.range, condition);
}

void keep_out_of_others(gcond *jump) {
  location_t location = gimple_location(jump);
  const Assigned *other = assigned_to(location);
  if (!other || !is_known(other->condition.range))
    return;
  location_t first = get_range_from_loc(line_table, location).m_start;
  assign_range(jump, {first, first}, {});
}

location_t position_of(gimple *statement) {
  location_t location = gimple_location(statement);
  const Assigned *of_jump = is_a<gcond *>(statement) ? assigned_to(location) : nullptr;
  if (!of_jump)
    return location;
  tree block = gimple_block(statement);
  return block ? set_block(of_jump->before, block) : of_jump->before;
}

// Applies the same conversion to both ends of the range. The result is unknown if the converted ends are in different
// files or in the wrong order.
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

// Returns the text of a condition if only one of its ends is in a macro. For a negation such as "!ISDIGIT (c)", the
// text is the part of the macro's expansion that belongs to the condition. For other conditions, the text contains the
// macro invocation itself.
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
  bool are_in_macros = is_of_macro(range.m_start) && is_of_macro(range.m_finish);
  if (are_in_macros && linemap_lookup(line_table, range.m_start) != linemap_lookup(line_table, range.m_finish)) {
    source_range in_one = in_one_macro(range);
    if (!is_known(in_one.m_start))
      return resolved(range, LRK_MACRO_EXPANSION_POINT, files);
    range = in_one;
  }
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

// For a location in the definition of a macro, returns the location at which the macro is used. If the macro is used in
// the definition of another macro, returns the location at which the outermost macro is used.
static location_t use_of_macro(location_t location) {
  location_t made = location;
  while (is_of_macro(location)) {
    made = location;
    const line_map_macro *map = linemap_check_macro(linemap_lookup(line_table, location));
    location = MACRO_MAP_LOCATIONS(map)[2 * (location - MAP_START_LOCATION(map))];
  }
  return linemap_resolve_location(line_table, made, LRK_MACRO_EXPANSION_POINT, nullptr);
}

static void set_use(SourceText &text, location_t in_macro, const char *file) {
  expanded_location where = expand_location(use_of_macro(in_macro));
  if (!where.file || strcmp(where.file, file) != 0 || where.column <= 0)
    return;
  text.use_line = static_cast<uint32_t>(where.line);
  text.use_column = static_cast<uint32_t>(where.column);
}

SourceText text_of_condition(location_t location, FileTable &files) {
  const Assigned *of_jump = assigned_to(location);
  if (!of_jump || !is_known(of_jump->condition.range))
    return {};
  const ConditionRange &condition = of_jump->condition;
  source_range range = get_range_from_loc(line_table, location);
  SourceText text = text_of_range(range, condition.is_negation, files);
  if (text.is_in_macro)
    set_use(text, is_of_macro(range.m_start) ? range.m_start : range.m_finish, expand_location(location).file);
  if (text.is_known()) {
    text.is_beginning = condition.is_beginning;
    text.sense = condition.sense;
  }
  return text;
}

bool tests_combined_values(location_t location) {
  const Assigned *of_jump = assigned_to(location);
  return of_jump && of_jump->condition.is_combined;
}

} // namespace pathprof
