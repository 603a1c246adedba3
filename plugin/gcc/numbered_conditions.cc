// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the conditions of decisions as GCC's gimplifier processes them.
#include "plugin/gcc/numbered_conditions.h"

#include "plugin/gcc/locations.h"
#include "plugin/gcc/source_place.h"

namespace pathprof {

void Conditions::begin(tree *expression, tree cond_expr, bool is_statement) {
  first_of_decision_.push_back(conditions_.size());
  make_boolean(expression);
  find_values(*expression, has_side_effects(TREE_OPERAND(cond_expr, 1)), has_side_effects(TREE_OPERAND(cond_expr, 2)),
              TREE_SIDE_EFFECTS(cond_expr));
  number(expression);
  link(*expression, kOutcomeTrue, kOutcomeFalse);
  describe(cond_expr);
  Source &source = sources_[first_of_decision_.size() - 1];
  Sense outcome = read(source).outcome;
  if (outcome == Sense::Opposite)
    exchange_outcomes();
  source.is_outcome_known = outcome != Sense::Unknown || is_statement;
  if (read(source).conditions.empty())
    find_combined();
  starts_.clear();
  values_.clear();
  leaves_.clear();
}

namespace {

location_t known_place(location_t place) {
  return is_known(place) && has_column(place) ? get_pure_location(line_table, place) : UNKNOWN_LOCATION;
}

// In C++, '#' marks the elements of a parameter pack.
std::string written_name(tree declaration) {
  std::string name = IDENTIFIER_POINTER(DECL_NAME(declaration));
  return name.substr(0, name.find('#'));
}

tree add_variable(tree *part, int *, void *names) {
  bool is_local = (VAR_P(*part) && !TREE_STATIC(*part) && !DECL_EXTERNAL(*part) && !DECL_HAS_VALUE_EXPR_P(*part)) ||
                  TREE_CODE(*part) == PARM_DECL;
  if (!is_local || !DECL_NAME(*part) || DECL_ARTIFICIAL(*part))
    return NULL_TREE;
  static_cast<std::vector<std::string> *>(names)->push_back(written_name(*part));
  return NULL_TREE;
}

} // namespace

// In the decision that was added last, finds conditions that test the same value. Also records the data that is needed
// to find this decision in the source.
void Conditions::describe(tree cond_expr) {
  Condition *first = &conditions_[first_of_decision_.back()];
  std::vector<Coupled> coupled = couple(leaves_);
  DecisionInTree &decision = sources_[first->decision].decision;
  decision.place = known_place(EXPR_LOCATION(cond_expr));
  for (size_t i = 0; i < leaves_.size(); i++) {
    first[i].coupled = coupled[i];
    decision.diagram.push_back({first[i].next[0], first[i].next[1]});
    ConditionInTree condition = {known_place(place_of_condition(leaves_[i]).m_start), {}};
    walk_tree_without_duplicates(&leaves_[i], add_variable, &condition.variables);
    decision.conditions.push_back(std::move(condition));
  }
}

namespace {

tree add_name(tree *part, int *, void *names) {
  if (!DECL_P(*part) || !DECL_NAME(*part))
    return NULL_TREE;
  std::string name = written_name(*part);
  if (TREE_CODE(*part) == FIELD_DECL && name.compare(0, 2, "__") == 0) // variable that a lambda expression captures
    name.erase(0, 2);
  if (name != "this") // need not be in the source
    static_cast<std::vector<std::string> *>(names)->push_back(std::move(name));
  return NULL_TREE;
}

// Returns true if a front end has made this condition of several conditions of the source. Front ends do so only when
// optimising.
bool is_combined(tree condition) {
  source_range range = place_of_condition(condition);
  bool is_in_macro = is_of_macro(range.m_start) || is_of_macro(range.m_finish);
  if (!optimize || !is_known(range.m_start) || !(is_in_macro || has_connectives(range)))
    return false;
  std::vector<std::string> names;
  walk_tree_without_duplicates(&condition, add_name, &names);
  return joins_conditions(range, names);
}

} // namespace

void Conditions::find_combined() {
  for (size_t i = 0; i < leaves_.size(); i++) {
    Condition &condition = conditions_[first_of_decision_.back() + i];
    condition.is_merged = condition.is_merged || is_combined(leaves_[i]);
  }
}

ConditionRange Conditions::written(unsigned number) {
  const Condition *condition = at(number);
  auto source = condition ? sources_.find(condition->decision) : sources_.end();
  if (source == sources_.end())
    return {};
  const std::vector<ConditionRange> &written = read(source->second).conditions;
  return written.empty() ? ConditionRange() : written[condition->index];
}

const WrittenDecision &Conditions::read(Source &source) {
  if (!source.is_read)
    source.written = written_decision(source.decision);
  source.is_read = true;
  return source.written;
}

void Conditions::exchange_outcomes() {
  for (size_t i = first_of_decision_.back(); i < conditions_.size(); i++)
    for (uint32_t &next : conditions_[i].next)
      if (next < kFirstCondition)
        next = next == kOutcomeTrue ? kOutcomeFalse : kOutcomeTrue;
}

unsigned Conditions::begin_with_one(tree expression, tree cond_expr) {
  first_of_decision_.push_back(conditions_.size());
  add(expression, 0);
  conditions_.back().next[1] = kOutcomeTrue;
  leaves_ = {expression};
  describe(cond_expr);
  find_combined();
  leaves_.clear();
  return static_cast<unsigned>(conditions_.size());
}

unsigned Conditions::take(tree expression) {
  for (;; expression = TREE_OPERAND(expression, 0)) {
    auto at = by_tree_.find(expression);
    if (at != by_tree_.end()) {
      unsigned number = at->second;
      by_tree_.erase(at);
      return number;
    }
    if (!is_conversion(expression))
      return 0;
  }
}

Condition *Conditions::at(unsigned number) {
  return number > 0 && number <= conditions_.size() ? &conditions_[number - 1] : nullptr;
}

const Condition &Conditions::neighbour(const Condition &condition, uint32_t index) const {
  return conditions_[first_of_decision_[condition.decision] + index];
}

void Conditions::leave_function() {
  by_tree_.clear();
  inner_.clear();
  sources_.clear();
}

bool Conditions::is_conversion(tree expression) {
  return CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR;
}

bool Conditions::is_conditional(tree expression) {
  return TREE_CODE(expression) == COND_EXPR && !VOID_TYPE_P(TREE_TYPE(TREE_OPERAND(expression, 1))) &&
         !VOID_TYPE_P(TREE_TYPE(TREE_OPERAND(expression, 2)));
}

bool Conditions::find_values(tree expression, bool has_then, bool has_else, bool is_needed) {
  if (!has_else)
    for (; TREE_CODE(expression) == TRUTH_ANDIF_EXPR; expression = TREE_OPERAND(expression, 0)) {
      make_operands_boolean(expression);
      has_then = find_values(TREE_OPERAND(expression, 1), has_then, has_else, is_needed);
      is_needed = TREE_SIDE_EFFECTS(TREE_OPERAND(expression, 0)) || has_then;
    }
  if (!has_then)
    for (; TREE_CODE(expression) == TRUTH_ORIF_EXPR; expression = TREE_OPERAND(expression, 0)) {
      make_operands_boolean(expression);
      has_else = find_values(TREE_OPERAND(expression, 1), has_then, has_else, is_needed);
      is_needed = TREE_SIDE_EFFECTS(TREE_OPERAND(expression, 0)) || has_else;
    }
  if (joins(expression))
    return true;
  if (is_conditional(expression))
    values_.insert(expression);
  return is_needed;
}

void Conditions::make_operands_boolean(tree expression) {
  make_boolean(&TREE_OPERAND(expression, 0));
  make_boolean(&TREE_OPERAND(expression, 1));
}

void Conditions::make_boolean(tree *expression) {
  tree_code code = TREE_CODE(*expression);
  bool is_boolean = TREE_CODE(TREE_TYPE(*expression)) == BOOLEAN_TYPE || COMPARISON_CLASS_P(*expression) ||
                    code == TRUTH_AND_EXPR || code == TRUTH_OR_EXPR || code == TRUTH_XOR_EXPR ||
                    code == TRUTH_NOT_EXPR || code == ANNOTATE_EXPR || joins(*expression);
  if (!is_boolean)
    *expression = fold_convert_loc(EXPR_LOCATION(*expression), boolean_type_node, *expression);
}

void Conditions::number(tree *expression) {
  make_boolean(expression);
  uint32_t start = static_cast<uint32_t>(conditions_.size() - first_of_decision_.back());
  if (joins(*expression) || is_conditional_expr(*expression)) {
    starts_[*expression] = start;
    if (is_conditional_expr(*expression)) {
      make_boolean(&TREE_OPERAND(*expression, 0));
      if (is_conditional(TREE_OPERAND(*expression, 0)))
        values_.insert(TREE_OPERAND(*expression, 0));
    }
    for (int i = 0; i < (joins(*expression) ? 2 : 3); i++)
      number(&TREE_OPERAND(*expression, i));
    if (is_conditional_expr(*expression) && joins(TREE_OPERAND(*expression, 0)))
      inner_.insert(TREE_OPERAND(*expression, 0));
    return;
  }
  if (!EXPR_P(*expression) || TREE_CODE(*expression) == SAVE_EXPR || TREE_CODE(*expression) == TARGET_EXPR)
    *expression = build1(NON_LVALUE_EXPR, TREE_TYPE(*expression), *expression);
  starts_[*expression] = start;
  add(*expression, start);
  leaves_.push_back(*expression);
  by_tree_[*expression] = static_cast<unsigned>(conditions_.size());
}

void Conditions::add(tree expression, uint32_t index) {
  Condition condition;
  condition.decision = first_of_decision_.size() - 1;
  condition.index = index;
  condition.is_merged = merges(expression);
  conditions_.push_back(condition);
}

void Conditions::link(tree expression, uint32_t if_true, uint32_t if_false) {
  auto start_of = [&](int i) { return kFirstCondition + starts_.at(TREE_OPERAND(expression, i)); };
  if (TREE_CODE(expression) == TRUTH_ANDIF_EXPR) {
    link(TREE_OPERAND(expression, 0), start_of(1), if_false);
    link(TREE_OPERAND(expression, 1), if_true, if_false);
  } else if (TREE_CODE(expression) == TRUTH_ORIF_EXPR) {
    link(TREE_OPERAND(expression, 0), if_true, start_of(1));
    link(TREE_OPERAND(expression, 1), if_true, if_false);
  } else if (is_conditional_expr(expression)) {
    link(TREE_OPERAND(expression, 0), start_of(1), start_of(2));
    link(TREE_OPERAND(expression, 1), if_true, if_false);
    link(TREE_OPERAND(expression, 2), if_true, if_false);
  } else {
    Condition &condition = conditions_[first_of_decision_.back() + starts_.at(expression)];
    condition.next[0] = if_false;
    condition.next[1] = if_true;
  }
}

namespace {

// Returns the expression whose value or negated value the condition tests.
tree tested_value(tree condition) {
  for (;;) {
    bool is_test = TREE_CODE(condition) == NE_EXPR || TREE_CODE(condition) == EQ_EXPR;
    bool is_passed_on = Conditions::is_conversion(condition) || TREE_CODE(condition) == TRUTH_NOT_EXPR ||
                        TREE_CODE(condition) == CLEANUP_POINT_EXPR || TREE_CODE(condition) == SAVE_EXPR ||
                        (is_test && integer_zerop(TREE_OPERAND(condition, 1)));
    if (TREE_CODE(condition) == TARGET_EXPR && TARGET_EXPR_INITIAL(condition))
      condition = TARGET_EXPR_INITIAL(condition);
    else if (is_passed_on)
      condition = TREE_OPERAND(condition, 0);
    else
      return condition;
  }
}

} // namespace

bool Conditions::merges(tree expression) {
  tree value = tested_value(expression);
  switch (TREE_CODE(value)) {
  case COND_EXPR:
  case TRUTH_AND_EXPR:
  case TRUTH_OR_EXPR:
  case TRUTH_ANDIF_EXPR:
  case TRUTH_ORIF_EXPR:
    return true;
  default:
    return false;
  }
}

} // namespace pathprof
