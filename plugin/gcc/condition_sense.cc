// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether the tree of a condition has the same value as its source text or the opposite value.
#include "plugin/gcc/condition_sense.h"

#include <algorithm>
#include <string>

#include "plugin/gcc/connectives.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"

namespace pathprof {

bool joins(tree expression) {
  return TREE_CODE(expression) == TRUTH_ANDIF_EXPR || TREE_CODE(expression) == TRUTH_ORIF_EXPR;
}

namespace {

tree without_casts(tree expression) {
  while (CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR)
    expression = TREE_OPERAND(expression, 0);
  return expression;
}

// Strips conversions and the left operands of comma expressions from the expression, and returns the result.
tree bare(tree expression) {
  for (expression = without_casts(expression); TREE_CODE(expression) == COMPOUND_EXPR;)
    expression = without_casts(TREE_OPERAND(expression, 1));
  return expression;
}

bool is_conditional_expr(tree expression) {
  return TREE_CODE(expression) == COND_EXPR && !VOID_TYPE_P(TREE_TYPE(expression));
}

tree first_condition(tree expression) {
  for (expression = bare(expression); joins(expression) || is_conditional_expr(expression);)
    expression = bare(TREE_OPERAND(expression, 0));
  return expression;
}

tree last_condition(tree expression) {
  for (expression = bare(expression); joins(expression) || is_conditional_expr(expression);)
    expression = bare(TREE_OPERAND(expression, joins(expression) ? 1 : 2));
  return expression;
}

// Determines whether the operands of && or || have the same truth values in the tree as in the source. The result is
// Same if the tree contains the operator of the source. The result is Opposite if the front end has applied De Morgan's
// laws, which exchanges the operator and inverts the operands.
Sense sense_of_operands(tree expression, const Connective &in_source) {
  if (!in_source.is_known())
    return Sense::Unknown;
  bool is_same = (TREE_CODE(expression) == TRUTH_ANDIF_EXPR) == (in_source.kind == Connective::And);
  return is_same ? Sense::Same : Sense::Opposite;
}

// Returns the source text from the ':' after the token at `word` to the end of the token at `end`. Strips blanks and
// parentheses from the text. Returns an empty string if there is no ':' between the tokens or if they are on different
// lines.
std::string behind_colon(location_t word, location_t end) {
  SourcePlace at(word), last(end);
  if (!at.lines || at.lines != last.lines || at.line != last.line)
    return {};
  const std::string &text = (*at.lines)[at.line];
  size_t i = at.column + 1;
  while (i < last.column && is_word(text[i - 1]) && is_word(text[i]))
    i++;
  while (i < last.column && (ISSPACE(text[i]) || text[i] == ')'))
    i++;
  if (i >= last.column || text[i] != ':')
    return {};
  size_t stop = last.column + 1;
  while (stop < text.size() && is_word(text[stop - 1]) && is_word(text[stop]))
    stop++;
  std::string behind;
  for (i++; i < stop; i++)
    if (!ISSPACE(text[i]) && text[i] != '(' && text[i] != ')')
      behind += text[i];
  return behind;
}

location_t end_of(tree expression) {
  location_t location = EXPR_P(expression) ? EXPR_LOCATION(expression) : UNKNOWN_LOCATION;
  return is_known(location) ? get_range_from_loc(line_table, location).m_finish : UNKNOWN_LOCATION;
}

// Returns true if the location of the ?: expression is that of its '?' or ':'.
bool is_at_choice(tree cond_expr) {
  location_t location = EXPR_LOCATION(cond_expr);
  SourcePlace place = spelled_at(is_known(location) ? get_pure_location(line_table, location) : location);
  return place.lines && strchr("?:", (*place.lines)[place.line][place.column]);
}

// Returns the value that an arm of a conditional statement assigns, or null if the statement does not come from a ?:
// expression.
tree assigned_by(tree arm) {
  bool is_assignment = arm && (TREE_CODE(arm) == INIT_EXPR || TREE_CODE(arm) == MODIFY_EXPR);
  bool is_made_up =
      is_assignment && (TREE_CODE(arm) == INIT_EXPR || !is_gimple_reg_type(TREE_TYPE(TREE_OPERAND(arm, 0))));
  return is_made_up ? TREE_OPERAND(arm, 1) : NULL_TREE;
}

// A variable that a condition compares to 0.
struct TestedVariable {
  tree variable = NULL_TREE;
  bool is_opposite = false; // True if the condition is true when the variable is 0
};

TestedVariable tested_variable(tree expression) {
  for (TestedVariable tested;;) {
    if (tests_value(expression)) {
      tested.is_opposite ^= TREE_CODE(expression) != NE_EXPR;
      expression = TREE_OPERAND(expression, 0);
      continue;
    }
    switch (TREE_CODE(expression)) {
    CASE_CONVERT:
      if (!keeps_truth(expression))
        return {};
      expression = TREE_OPERAND(expression, 0);
      break;
    case COMPOUND_EXPR:
      expression = TREE_OPERAND(expression, 1);
      break;
    case CALL_EXPR:
      if (!expects(expression))
        return {};
      expression = CALL_EXPR_ARG(expression, 0);
      break;
    case NON_LVALUE_EXPR:
    case CLEANUP_POINT_EXPR:
    case ANNOTATE_EXPR:
      expression = TREE_OPERAND(expression, 0);
      break;
    default:
      if (DECL_P(expression) && DECL_NAME(expression) && !DECL_ARTIFICIAL(expression))
        tested.variable = expression;
      return tested;
    }
  }
}

// Returns the sense of the test and the source range of the variable's name, including any '!' operators before the
// name.
ConditionRange range_of_name(TestedVariable tested, source_range within) {
  location_t name = only_place_of(IDENTIFIER_POINTER(DECL_NAME(tested.variable)), within);
  if (!is_known(name))
    return {};
  ConditionRange found;
  found.range = {name, name};
  bool is_negated = false;
  for (location_t before = negation_before(name); is_known(before); before = negation_before(before)) {
    found.range.m_start = before;
    is_negated = !is_negated;
  }
  found.is_negation = found.range.m_start != name;
  found.sense = is_negated == tested.is_opposite ? Sense::Same : Sense::Opposite;
  return found;
}

// Returns the source range of the condition or, if the condition tests a variable whose name occurs once in `around`,
// the range of the name.
source_range place_within(tree condition, source_range around) {
  TestedVariable tested = tested_variable(condition);
  location_t name =
      tested.variable ? only_place_of(IDENTIFIER_POINTER(DECL_NAME(tested.variable)), around) : UNKNOWN_LOCATION;
  return is_known(name) ? source_range{name, name} : place_of_condition(condition);
}

// Returns the source range of the whole operand if the operand has a location. Otherwise, returns the range of the
// condition in this operand that is nearest to the other operand.
source_range place_of_operand(tree expression, int i, source_range around) {
  tree operand = bare(TREE_OPERAND(expression, i));
  location_t location = joins(operand) ? EXPR_LOCATION(operand) : UNKNOWN_LOCATION;
  if (is_known(location) && connective_at(get_pure_location(line_table, location)).is_known()) {
    source_range range = get_range_from_loc(line_table, location);
    if (range.m_start != range.m_finish)
      return range;
  }
  return place_within(i == 0 ? last_condition(operand) : first_condition(operand), around);
}

// Returns the connective that joins the operands in the source, or none if the locations are contradictory. For
// example, an inverted connective has the location of a '!'.
Connective connective_of(tree expression, source_range around) {
  source_range left = place_of_operand(expression, 0, around), right = place_of_operand(expression, 1, around);
  Connective behind = around_condition(left).behind, before = around_condition(right).before, own;
  location_t location = EXPR_LOCATION(expression);
  if (is_known(location)) {
    location = get_pure_location(line_table, location);
    bool is_outside = (is_known(left) && is_before(location, left.m_finish)) ||
                      (is_known(right) && is_before(right.m_start, location));
    own = is_outside ? Connective() : connective_at(location);
  }
  if (behind.is_known() && before.is_known())
    return behind == before ? behind : Connective();
  Connective beside = behind.is_known() ? behind : before;
  return !beside.is_known() || beside == own ? own : Connective();
}

// Returns the sense of a condition, given the sense of the expression that contains it. If the front end inverts a
// condition such as `!f ()`, only the call remains. The sense of the call is Same, because its location does not
// include the '!'.
Sense sense_in(tree condition, Sense sense) {
  switch (TREE_CODE(condition)) {
  case TRUTH_NOT_EXPR:
  case TRUTH_AND_EXPR:
  case TRUTH_OR_EXPR:
  case TRUTH_XOR_EXPR:
    return sense;
  default:
    return sense == Sense::Opposite && !COMPARISON_CLASS_P(condition) ? Sense::Same : sense;
  }
}

} // namespace

void ConditionSenses::leave_function() {
  parts_.clear();
  walked_.clear();
  choices_.clear();
  misplaced_.clear();
  around_variables_.clear();
}

// Records the sense of a condition. The sense becomes unknown if the same tree (for example, a variable) is used in
// conditions with different senses.
void ConditionSenses::add(tree condition, Part part) {
  part.sense = sense_in(condition, part.sense);
  auto [known, is_new] = parts_.insert({condition, part});
  if (!is_new && known->second.sense != part.sense)
    known->second.sense = Sense::Unknown;
}

void ConditionSenses::compare_places(tree first, tree second) {
  if (joins(first) || joins(second))
    return;
  source_range one = place_of_condition(first), other = place_of_condition(second);
  bool are_known = is_known(one.m_finish) && is_known(other.m_start);
  if (are_known && !is_before(one.m_finish, other.m_start))
    misplaced_.insert({first, second});
}

namespace {

// The source ranges of the operands of &&, || or ?:, and of the whole expression.
struct Operands {
  source_range all, left, right; // Range of the expression, range of the left operand, range of the right operand
};

Operands operands_of(tree expression, source_range around) {
  location_t location = EXPR_LOCATION(expression);
  if (!is_known(location))
    return {around, around, around};
  source_range own = get_range_from_loc(line_table, location);
  if (own.m_start ==
      own.m_finish) { // The expression has the location of an outer operator, such as a '!' before parentheses.
    source_range inside = in_parentheses(own.m_start);
    source_range all = is_known(inside) ? inside : around;
    return {all, all, all};
  }
  Operands operands = {own, own, own};
  location = get_pure_location(line_table, location);
  if (is_conditional_expr(expression))
    location = question_before(location);
  if (is_conditional_expr(expression) || connective_at(location).is_known())
    operands.left.m_finish = operands.right.m_start = location;
  return operands;
}

} // namespace

void ConditionSenses::walk(tree expression, Part part, source_range around) {
  expression = bare(expression);
  if (joins(expression)) {
    Operands operands = operands_of(expression, around);
    walked_.insert(expression);
    part.connective = connective_of(expression, operands.all);
    part.sense = sense_of_operands(expression, part.connective);
    walk(TREE_OPERAND(expression, 0), part, operands.left);
    walk(TREE_OPERAND(expression, 1), part, operands.right);
    compare_places(bare(TREE_OPERAND(expression, 0)), bare(TREE_OPERAND(expression, 1)));
  } else if (is_conditional_expr(expression)) {
    Operands operands = operands_of(expression, around);
    Part arm;
    arm.is_misplaced =
        part.is_misplaced || !is_at_choice(expression); // The front end moved the surrounding expression into the arms.
    walk(TREE_OPERAND(expression, 0), {}, operands.left);
    walk(TREE_OPERAND(expression, 1), arm, operands.right);
    walk(TREE_OPERAND(expression, 2), arm, operands.right);
  } else {
    add(expression, part);
    if (tree variable = tested_variable(expression).variable)
      around_variables_[variable].push(around);
  }
}

// Returns true if the front end may have swapped the arms of a ?: that is a statement, such as c ? (void) 0 : f ().
// Such a statement has the location of its first token.
static bool may_be_exchanged_statement(tree cond_expr) {
  tree first = TREE_OPERAND(cond_expr, 1), second = TREE_OPERAND(cond_expr, 2);
  bool may_be = first && second && TREE_CONSTANT(bare(second)) && !TREE_CONSTANT(bare(first));
  location_t location = EXPR_LOCATION(cond_expr);
  return may_be && is_known(location) && !is_at_statement(get_pure_location(line_table, location));
}

namespace {

// Returns the value of an arm of a ?:. If the ?: has become a statement, the arm assigns this value.
tree value_of_arm(tree arm) {
  tree assigned = assigned_by(arm);
  return assigned ? assigned : arm;
}

bool is_test_for_truth(tree value) {
  return TREE_CODE(value) == NE_EXPR && tests_value(value);
}

// Returns true if GCC's fold may have swapped two arms with these values. Fold swaps the arms if only the first arm is
// constant, or if the first arm is a variable and the second is neither constant nor a variable (tree_swap_operands_p).
bool may_be_swapped(tree first, tree second) {
  bool may_second_have_been_first = TREE_CONSTANT(second) || !EXPR_P(second);
  return may_second_have_been_first && !TREE_CONSTANT(first) && !(DECL_P(first) && DECL_P(second));
}

// Returns true if the text, which contains no blanks, may be the source text of the value.
bool may_be_text_of(tree value, const std::string &text) {
  if (text.empty() || !std::all_of(text.begin(), text.end(), is_word))
    return false;
  if (ISDIGIT(text[0]))
    return tree_fits_shwi_p(value) && std::to_string(tree_to_shwi(value)) == text;
  return !DECL_P(value) || (DECL_NAME(value) && text == IDENTIFIER_POINTER(DECL_NAME(value)));
}

// Returns the sense of the condition of a ?: whose arms may have been swapped. In the source, the ?: ends at the
// location `end`, where its second arm ends.
Sense sense_by_end(tree first, tree second, location_t end) {
  if (DECL_P(first) && DECL_NAME(first) && TREE_CONSTANT(second)) { // Variables have no location.
    std::string last = word_at(end);
    return last.empty() ? Sense::Unknown : last == IDENTIFIER_POINTER(DECL_NAME(first)) ? Sense::Opposite : Sense::Same;
  }
  location_t end_of_first = end_of(first);
  if (is_known(end) && end_of_first == end)
    return Sense::Opposite;
  // The second arm follows the ':', unless the ?: is the remainder of a larger ?: expression, which ends at a different
  // position.
  return may_be_text_of(second, behind_colon(end_of_first, end)) ? Sense::Same : Sense::Unknown;
}

} // namespace

// Returns the sense of the condition of a ?:, determined from the order of the arms.
Sense ConditionSenses::sense_of_arms(tree cond_expr) const {
  tree first = TREE_OPERAND(cond_expr, 1), second = TREE_OPERAND(cond_expr, 2);
  bool was_expression = was_choice(cond_expr) || (assigned_by(first) && assigned_by(second));
  if (!was_expression)
    return may_be_exchanged_statement(cond_expr) ? Sense::Unknown : Sense::Same;
  first = value_of_arm(first);
  second = value_of_arm(second);
  if (!first || !second)
    return Sense::Unknown;
  first = without_casts(first);
  second = without_casts(second);
  if (is_test_for_truth(first) && is_test_for_truth(second)) { // In C, a ?: that is converted to bool
    first = without_casts(TREE_OPERAND(first, 0));
    second = without_casts(TREE_OPERAND(second, 0));
  }
  if (TREE_CONSTANT(first) && TREE_CONSTANT(second))
    return Sense::Same;
  if (!is_at_choice(cond_expr)) // The front end moved the surrounding expression into the arms.
    return Sense::Unknown;
  return may_be_swapped(first, second) ? sense_by_end(first, second, end_of(cond_expr)) : Sense::Same;
}

void ConditionSenses::see(tree expression) {
  if (is_preprocessed())
    return;
  if (TREE_CODE(expression) == COND_EXPR)
    see_condition(expression);
  else if (TREE_CODE(expression) == CALL_EXPR)
    see_arguments(expression);
}

// Determines the senses of the conditions before a '?'. If conditions are joined, their senses depend on the
// connectives in the source. Otherwise, the sense depends on the order of the arms of the ?: expression.
void ConditionSenses::see_condition(tree cond_expr) {
  bool is_value = !VOID_TYPE_P(TREE_TYPE(cond_expr));
  if (is_value && choices_.count(cond_expr))
    return;
  if (is_value)
    choices_.insert(cond_expr);
  tree operand = bare(TREE_OPERAND(cond_expr, 0));
  source_range nowhere = {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  source_range left = is_value ? operands_of(cond_expr, nowhere).left : nowhere;
  if ((joins(operand) && !walked_.count(operand)) || is_conditional_expr(operand) || is_value)
    walk(operand, {sense_of_arms(cond_expr), {}}, left);
}

bool ConditionSenses::was_choice(tree cond_expr) const {
  return !VOID_TYPE_P(TREE_TYPE(cond_expr)) || choices_.count(cond_expr) || is_at_choice(cond_expr);
}

bool ConditionSenses::is_statement(tree cond_expr) const {
  auto is_of_value = [&](int arm) {
    tree statement = TREE_OPERAND(cond_expr, arm);
    return statement && assigned_by(statement);
  };
  return !was_choice(cond_expr) && !is_of_value(1) && !is_of_value(2) && !may_be_exchanged_statement(cond_expr);
}

// Determines the senses of the conditions in the arguments of a call. This must happen before the gimplifier replaces
// the locations of the arguments with the location of the call.
void ConditionSenses::see_arguments(tree call) {
  for (int i = 0; i < call_expr_nargs(call); i++) {
    tree argument = bare(CALL_EXPR_ARG(call, i));
    if (joins(argument) && !walked_.count(argument))
      walk(argument, {}, {UNKNOWN_LOCATION, UNKNOWN_LOCATION});
    else if (is_conditional_expr(argument))
      see_condition(argument);
  }
}

source_range ConditionSenses::around_variable(tree variable, tree cond_expr) {
  source_range around = {UNKNOWN_LOCATION, UNKNOWN_LOCATION};
  auto known = around_variables_.find(variable);
  if (known != around_variables_.end() && !known->second.empty()) {
    around = known->second.front();
    known->second.pop();
  }
  return is_known(around) ? around : in_parentheses(EXPR_LOCATION(cond_expr));
}

// Returns the sense of a condition. `sense` is the sense that was determined from the tree. If the source joins the
// condition with other conditions and the connective is not the same as in the tree, `sense` is not reliable, because
// conditions may have been removed from the tree.
static Sense sense_beside(const ConditionRange &condition, Sense sense, const Connective &connective) {
  AroundCondition around = around_condition(condition.range);
  auto with_negation = [&](Sense of_all) { return around.is_negated ? opposite(of_all) : of_all; };
  if (!around.is_known)
    return condition.is_part || connective.is_known() ? Sense::Unknown : sense;
  if (around.is_plain)
    return with_negation(Sense::Same);
  if (around.before.is_known() || around.behind.is_known())
    return connective.is_known() && (around.before == connective || around.behind == connective) ? with_negation(sense)
                                                                                                 : Sense::Unknown;
  if (around.is_negated)
    return condition.is_as_written ? sense : Sense::Unknown;
  if (condition.is_part) // Inverting the whole expression does not invert this part.
    return condition.is_opposite ? Sense::Opposite : Sense::Same;
  return sense;
}

// If the condition tests a variable, returns the range of the variable's name.
ConditionRange ConditionSenses::range_of_variable(tree cond_expr) {
  TestedVariable tested = tested_variable(TREE_OPERAND(cond_expr, 0));
  return tested.variable ? range_of_name(tested, around_variable(tested.variable, cond_expr)) : ConditionRange();
}

ConditionRange ConditionSenses::range_in_tree(tree cond_expr) {
  if (!has_column(EXPR_LOCATION(cond_expr)))
    return {};
  tree condition = TREE_OPERAND(cond_expr, 0), operand = bare(condition);
  ConditionRange found = misplaced_.count(operand) ? ConditionRange() : range_of_condition(condition);
  ConditionRange name = range_of_variable(cond_expr);
  bool is_one_test =
      is_known(found.range) && found.range.m_start != found.range.m_finish && !has_connectives(found.range);
  if (is_known(name.range) && !is_one_test)
    return name;
  if (is_choice_in_source(found.range)) // The range is part of a ?: expression in the source.
    return {};
  if (found.sense != Sense::Unknown)
    return found;
  if (auto joined = parts_.find(operand); joined != parts_.end()) {
    const Part &part = joined->second;
    if (found.is_beginning || part.is_misplaced) // The condition is a part of the text at an unknown position.
      return {};
    found.sense = sense_beside(found, part.sense, part.connective);
  } else if (!joins(operand) && !is_conditional_expr(operand)) {
    found.sense = sense_beside(found, sense_in(operand, sense_of_arms(cond_expr)), {});
  }
  return found;
}

} // namespace pathprof
