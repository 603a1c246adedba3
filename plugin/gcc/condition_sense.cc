// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/condition_sense.h"

#include <algorithm>
#include <string>

#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_lines.h"

namespace pathprof {

bool joins(tree expression) {
  return TREE_CODE(expression) == TRUTH_ANDIF_EXPR || TREE_CODE(expression) == TRUTH_ORIF_EXPR;
}

namespace {

tree bare(tree expression) {
  while (CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR ||
         TREE_CODE(expression) == COMPOUND_EXPR)
    expression = TREE_OPERAND(expression, TREE_CODE(expression) == COMPOUND_EXPR ? 1 : 0);
  return expression;
}

bool is_choice(tree expression) {
  return TREE_CODE(expression) == COND_EXPR && !VOID_TYPE_P(TREE_TYPE(expression));
}

tree first_condition(tree expression) {
  for (expression = bare(expression); joins(expression) || is_choice(expression);)
    expression = bare(TREE_OPERAND(expression, 0));
  return expression;
}

// A connective stands behind its first operand, a '!' before.
bool is_place_of_negation(tree connective) {
  location_t location = EXPR_LOCATION(connective);
  if (!is_known(location))
    return false;
  location_t operation = get_pure_location(line_table, location);
  location_t first = range_of_condition(first_condition(connective)).range.m_start;
  if (is_known(first))
    return is_before(operation, get_pure_location(line_table, first));
  return get_range_from_loc(line_table, location).m_start == operation;
}

bool is_word(char c) {
  return ISALNUM(c) || c == '_';
}

// A place in a source file, outside macros; without lines where it is not known.
struct SourcePlace {
  explicit SourcePlace(location_t location) {
    bool is_in_macro = !is_known(location) || is_of_macro(location);
    expanded_location where = is_in_macro ? expanded_location() : expand_location(location);
    if (!where.file || where.line <= 0 || where.column <= 0)
      return;
    line = static_cast<size_t>(where.line) - 1;
    column = static_cast<size_t>(where.column) - 1;
    const std::vector<std::string> &all = lines_of(where.file);
    if (line < all.size() && column < all[line].size())
      lines = &all;
  }

  const std::vector<std::string> *lines = nullptr;
  size_t line = 0, column = 0; // from 0
};

// What stands behind the ':' that follows the word at the first place, and the parentheses that are closed behind it,
// up to the second place on the same line; empty where there is no such ':'.
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

// The word there, or an empty text.
std::string word_at(location_t location) {
  SourcePlace at(location);
  if (!at.lines)
    return {};
  const std::string &text = (*at.lines)[at.line];
  size_t begin = at.column, end = at.column;
  while (begin > 0 && is_word(text[begin - 1]) && is_word(text[at.column]))
    begin--;
  while (end < text.size() && is_word(text[end]))
    end++;
  return text.substr(begin, end - begin);
}

location_t end_of(tree expression) {
  location_t location = EXPR_P(expression) ? EXPR_LOCATION(expression) : UNKNOWN_LOCATION;
  return is_known(location) ? get_range_from_loc(line_table, location).m_finish : UNKNOWN_LOCATION;
}

// What an arm of a conditional statement assigns, where it is one that was a conditional value.
tree assigned_by(tree arm) {
  bool is_assignment = arm && (TREE_CODE(arm) == INIT_EXPR || TREE_CODE(arm) == MODIFY_EXPR);
  bool is_made_up =
      is_assignment && (TREE_CODE(arm) == INIT_EXPR || !is_gimple_reg_type(TREE_TYPE(TREE_OPERAND(arm, 0))));
  return is_made_up ? TREE_OPERAND(arm, 1) : NULL_TREE;
}

// Of a condition in an expression that was turned around, or not.  The opposite of `!f ()` is `f ()`, which has a place
// of its own.
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

void ConditionSenses::leave_other_function() {
  if (function_ == current_function_decl)
    return;
  function_ = current_function_decl;
  senses_.clear();
  walked_.clear();
  choices_.clear();
  misplaced_.clear();
}

// A variable may be several conditions.
void ConditionSenses::add(tree condition, Sense sense) {
  auto [known, is_new] = senses_.insert({condition, sense_in(condition, sense)});
  if (!is_new && known->second != sense_in(condition, sense))
    known->second = Sense::Unknown;
}

void ConditionSenses::compare_places(tree first, tree second) {
  if (joins(first) || joins(second))
    return;
  source_range one = range_of_condition(first).range, other = range_of_condition(second).range;
  bool are_known = is_known(one.m_finish) && is_known(other.m_start);
  if (are_known && !is_before(one.m_finish, other.m_start))
    misplaced_.insert({first, second});
}

void ConditionSenses::walk(tree expression, Sense sense) {
  expression = bare(expression);
  if (joins(expression)) {
    walked_.insert(expression);
    if (is_place_of_negation(expression))
      sense = opposite(sense);
    walk(TREE_OPERAND(expression, 0), sense);
    walk(TREE_OPERAND(expression, 1), sense);
    compare_places(bare(TREE_OPERAND(expression, 0)), bare(TREE_OPERAND(expression, 1)));
  } else if (is_choice(expression)) {
    for (int i = 0; i < 3; i++)
      walk(TREE_OPERAND(expression, i), Sense::Unknown);
  } else {
    add(expression, sense);
  }
}

// fold exchanges the arms where the first one is a constant and the second is none, or a variable and the second one
// neither (tree_swap_operands_p).  In the source the whole ends where its second arm does.
Sense ConditionSenses::sense_of_arms(tree cond_expr) const {
  tree arms[] = {TREE_OPERAND(cond_expr, 1), TREE_OPERAND(cond_expr, 2)};
  bool was_choice = !VOID_TYPE_P(TREE_TYPE(cond_expr)) || choices_.count(cond_expr);
  for (tree &arm : arms) {
    tree value = arm ? assigned_by(arm) : NULL_TREE;
    if (!was_choice && !value)
      return Sense::Same; // a statement
    arm = value ? value : arm;
  }
  if (!arms[0] || !arms[1])
    return Sense::Unknown;
  tree first = bare(arms[0]), second = bare(arms[1]);
  bool is_simple = TREE_CONSTANT(second) || !EXPR_P(second);
  if (!is_simple || TREE_CONSTANT(first) || (DECL_P(first) && DECL_P(second)))
    return Sense::Same;
  location_t end = end_of(cond_expr), end_of_first = end_of(first);
  if (DECL_P(first) && DECL_NAME(first) && TREE_CONSTANT(second)) {
    std::string last = word_at(end);
    return last.empty() ? Sense::Unknown : last == IDENTIFIER_POINTER(DECL_NAME(first)) ? Sense::Opposite : Sense::Same;
  }
  if (is_known(end) && end_of_first == end)
    return Sense::Opposite;
  // The other arm is there, unless the ?: is all that is left of a larger one, which ends elsewhere.
  std::string behind = behind_colon(end_of_first, end);
  bool is_word_there = std::all_of(behind.begin(), behind.end(), is_word), is_number = ISDIGIT(behind[0]);
  bool is_second = is_number
                       ? tree_fits_shwi_p(second) && std::to_string(tree_to_shwi(second)) == behind
                       : !DECL_P(second) || (DECL_NAME(second) && behind == IDENTIFIER_POINTER(DECL_NAME(second)));
  return !behind.empty() && is_word_there && is_second ? Sense::Same : Sense::Unknown;
}

void ConditionSenses::see(tree cond_expr) {
  leave_other_function();
  if (!VOID_TYPE_P(TREE_TYPE(cond_expr)))
    choices_.insert(cond_expr);
  tree operand = bare(TREE_OPERAND(cond_expr, 0));
  if ((joins(operand) && !walked_.count(operand)) || is_choice(operand) || !VOID_TYPE_P(TREE_TYPE(cond_expr)))
    walk(operand, sense_of_arms(cond_expr));
}

ConditionRange ConditionSenses::range_of(tree cond_expr) {
  leave_other_function();
  tree operand = bare(TREE_OPERAND(cond_expr, 0));
  auto part = senses_.find(operand);
  bool is_part = part != senses_.end();
  ConditionRange found;
  if (!misplaced_.count(operand))
    found = range_of_condition(TREE_OPERAND(cond_expr, 0));
  if (is_part && found.is_beginning) // of which part is not known
    found = {};
  if (is_part)
    found.sense = part->second;
  else if (!joins(operand) && !is_choice(operand))
    found.sense = sense_in(operand, sense_of_arms(cond_expr));
  return found;
}

} // namespace pathprof
