// SPDX-License-Identifier: GPL-3.0-or-later
// Watching the gimplifier.
//
// The front end's hook lang_hooks.gimplify_expr is called for every expression, in every language, before it becomes
// statements.  A COND_EXPR without value is what conditional jumps are made of:
//
//   - One whose operand joins conditions begins a decision.  gimplify_cond_expr (shortcut_cond_expr, shortcut_cond_r)
//     makes a COND_EXPR of each of its conditions, which come to the hook in their turn, known by their trees.
//   - Any other one is a decision of one condition, or tests again what a decision has just stored (below a cleanup, or
//     __builtin_expect).
//
// What a COND_EXPR becomes is found by gimplifying it from within the hook: it is the conditional jump that has come to
// the sequence and has its position, and those inside of it were found before.  The statement's uid, which nobody uses
// before there is a graph, then keeps the number of the condition; it goes with copies that are made of the statement,
// as those of a `finally` part.  When there is a graph its position takes along where the condition's text is
// (condition_text.h): not sooner, for at -O0 GCC joins blocks only where positions are the same.
#include "plugin/gcc/gimplified.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "plugin/gcc/condition_sense.h"
#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/front_end_tests.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

enum Constant : signed char { Unknown = -1, AlwaysFalse = 0, AlwaysTrue = 1 };

// A condition as the gimplifier meets it.
struct Condition {
  size_t decision = 0;
  uint32_t index = 0;          // in the decision, in the order of evaluation
  uint32_t next[2] = {};       // as in ConditionBlock: [1] where it holds
  bool is_merged = false;      // operands of && or || are computed without a branch in it
  Constant constant = Unknown; // what its jump is folded to when the graph is made
  bool tests_false = false;    // its jump was made as a test for false
  int line = 0;                // of its jump; 0: none has been found
};

class Conditions {
public:
  // Plans a decision of an expression that joins conditions, the operand of a COND_EXPR without value: they become
  // known by their trees.  The sense is that of the whole in the source.
  void begin(tree *expression, tree cond_expr, Sense sense) {
    first_of_decision_.push_back(conditions_.size());
    make_boolean(expression);
    find_values(*expression, has_side_effects(TREE_OPERAND(cond_expr, 1)), has_side_effects(TREE_OPERAND(cond_expr, 2)),
                TREE_SIDE_EFFECTS(cond_expr));
    number(expression);
    bool is_opposite = sense == Sense::Opposite;
    link(*expression, is_opposite ? kOutcomeFalse : kOutcomeTrue, is_opposite ? kOutcomeTrue : kOutcomeFalse);
    starts_.clear();
    values_.clear();
  }

  // Plans a decision of one condition, and returns that condition's number.
  unsigned begin_with_one(tree expression) {
    first_of_decision_.push_back(conditions_.size());
    add(expression, 0);
    conditions_.back().next[1] = kOutcomeTrue;
    return static_cast<unsigned>(conditions_.size());
  }

  // The number of the condition whose jump is about to be made of this tree, or 0.  No other jump is.
  unsigned take(tree expression) {
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

  // Whether it joins conditions in the first part of a ?: that is itself among the operands of a decision.
  bool is_inner(tree expression) { return inner_.count(expression); }

  Condition *at(unsigned number) {
    return number > 0 && number <= conditions_.size() ? &conditions_[number - 1] : nullptr;
  }

  // Of the same decision.
  const Condition &neighbour(const Condition &condition, uint32_t index) const {
    return conditions_[first_of_decision_[condition.decision] + index];
  }

  // Trees of a function that is done may be others now.
  void leave_function() {
    by_tree_.clear();
    inner_.clear();
  }

  static bool is_conversion(tree expression) {
    return CONVERT_EXPR_P(expression) || TREE_CODE(expression) == NON_LVALUE_EXPR;
  }

private:
  static bool has_side_effects(tree statements) { return statements && TREE_SIDE_EFFECTS(statements); }

  // As shortcut_cond_r in GCC has it.
  static bool is_conditional(tree expression) {
    return TREE_CODE(expression) == COND_EXPR && !VOID_TYPE_P(TREE_TYPE(TREE_OPERAND(expression, 1))) &&
           !VOID_TYPE_P(TREE_TYPE(TREE_OPERAND(expression, 2)));
  }

  // A ?: whose operands are conditions of the decision, too.
  bool is_choice(tree expression) const { return is_conditional(expression) && !values_.count(expression); }

  // Finds each ?: that is computed as a value, and is one condition.  This is shortcut_cond_expr of GCC: where one of
  // two outcomes has nothing to do, operands become conditional statements in each other, and only of what is left then
  // shortcut_cond_r makes jumps, of a ?: in it, too.  `is_needed` is whether the conditional statement has side
  // effects; returned is whether what becomes of it has.
  bool find_values(tree expression, bool has_then, bool has_else, bool is_needed) {
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

  static void make_operands_boolean(tree expression) {
    make_boolean(&TREE_OPERAND(expression, 0));
    make_boolean(&TREE_OPERAND(expression, 1));
  }

  // An operand as gimple_boolify in GCC makes it, so that it stays the same tree there.
  static void make_boolean(tree *expression) {
    tree_code code = TREE_CODE(*expression);
    bool is_boolean = TREE_CODE(TREE_TYPE(*expression)) == BOOLEAN_TYPE || COMPARISON_CLASS_P(*expression) ||
                      code == TRUTH_AND_EXPR || code == TRUTH_OR_EXPR || code == TRUTH_XOR_EXPR ||
                      code == TRUTH_NOT_EXPR || code == ANNOTATE_EXPR || joins(*expression);
    if (!is_boolean)
      *expression = fold_convert_loc(EXPR_LOCATION(*expression), boolean_type_node, *expression);
  }

  // Numbers conditions from left to right.  One that is no tree of its own, as a variable, gets one, which the
  // gimplifier strips again.
  void number(tree *expression) {
    make_boolean(expression);
    uint32_t start = static_cast<uint32_t>(conditions_.size() - first_of_decision_.back());
    if (joins(*expression) || is_choice(*expression)) {
      starts_[*expression] = start;
      if (is_choice(*expression)) {
        make_boolean(&TREE_OPERAND(*expression, 0));
        if (is_conditional(TREE_OPERAND(*expression, 0)))
          values_.insert(TREE_OPERAND(*expression, 0));
      }
      for (int i = 0; i < (joins(*expression) ? 2 : 3); i++)
        number(&TREE_OPERAND(*expression, i));
      if (is_choice(*expression) && joins(TREE_OPERAND(*expression, 0)))
        inner_.insert(TREE_OPERAND(*expression, 0));
      return;
    }
    if (!EXPR_P(*expression) || TREE_CODE(*expression) == SAVE_EXPR || TREE_CODE(*expression) == TARGET_EXPR)
      *expression = build1(NON_LVALUE_EXPR, TREE_TYPE(*expression), *expression);
    starts_[*expression] = start;
    add(*expression, start);
    by_tree_[*expression] = static_cast<unsigned>(conditions_.size());
  }

  void add(tree expression, uint32_t index) {
    Condition condition;
    condition.decision = first_of_decision_.size() - 1;
    condition.index = index;
    condition.is_merged = merges(expression);
    conditions_.push_back(condition);
  }

  // Where control goes from each condition.
  void link(tree expression, uint32_t if_true, uint32_t if_false) {
    auto start_of = [&](int i) { return kFirstCondition + starts_.at(TREE_OPERAND(expression, i)); };
    if (TREE_CODE(expression) == TRUTH_ANDIF_EXPR) {
      link(TREE_OPERAND(expression, 0), start_of(1), if_false);
      link(TREE_OPERAND(expression, 1), if_true, if_false);
    } else if (TREE_CODE(expression) == TRUTH_ORIF_EXPR) {
      link(TREE_OPERAND(expression, 0), if_true, start_of(1));
      link(TREE_OPERAND(expression, 1), if_true, if_false);
    } else if (is_choice(expression)) {
      link(TREE_OPERAND(expression, 0), start_of(1), start_of(2));
      link(TREE_OPERAND(expression, 1), if_true, if_false);
      link(TREE_OPERAND(expression, 2), if_true, if_false);
    } else {
      Condition &condition = conditions_[first_of_decision_.back() + starts_.at(expression)];
      condition.next[0] = if_false;
      condition.next[1] = if_true;
    }
  }

  // Whether a front end has put conditions together.
  static bool merges(tree expression) {
    while (is_conversion(expression) || TREE_CODE(expression) == TRUTH_NOT_EXPR)
      expression = TREE_OPERAND(expression, 0);
    return TREE_CODE(expression) == TRUTH_AND_EXPR || TREE_CODE(expression) == TRUTH_OR_EXPR;
  }

  std::vector<size_t> first_of_decision_; // of its conditions
  std::vector<Condition> conditions_;
  std::unordered_map<tree, unsigned> by_tree_; // of the function: conditions whose jumps are still to come
  std::unordered_set<tree> inner_;             // likewise
  std::unordered_map<tree, uint32_t> starts_;  // of the decision: by operand, its first condition
  std::unordered_set<tree> values_;            // likewise: each ?: that is one condition
};

Conditions conditions;
int (*gimplify_expr_of_front_end)(tree *, gimple_seq *, gimple_seq *);
bool are_numbered;     // in decisions; else only the texts of conditions are wanted
tree being_gimplified; // the COND_EXPR that the hook itself gimplifies
tree function;         // that the last expression was of

std::vector<ConditionRange> ranges; // by number of the condition, less 1
ConditionSenses senses;
FrontEndTests front_end_tests;

// The operand that gimplify_cond_expr will see: it moves what is before a comma out of the way.
tree *operand_of(tree cond_expr) {
  tree *operand = &TREE_OPERAND(cond_expr, 0);
  while (TREE_CODE(*operand) == COMPOUND_EXPR || CONVERT_EXPR_P(*operand) || TREE_CODE(*operand) == NON_LVALUE_EXPR) {
    tree *inner = &TREE_OPERAND(*operand, TREE_CODE(*operand) == COMPOUND_EXPR ? 1 : 0);
    if (TREE_CODE(*operand) != COMPOUND_EXPR && TREE_TYPE(*operand) != TREE_TYPE(*inner))
      break;
    operand = inner;
  }
  return operand;
}

// Whether the operand only passes on the outcome of a decision that is evaluated in it, or is a flag of the compiler's
// own, such as the one that tells whether a temporary is there to be destroyed.
bool passes_on_outcome(tree operand) {
  for (;;) {
    if (joins(operand))
      return true;
    switch (TREE_CODE(operand)) {
    case NE_EXPR:
      if (!integer_zerop(TREE_OPERAND(operand, 1)))
        return false;
      operand = TREE_OPERAND(operand, 0);
      break;
    case CALL_EXPR: {
      tree callee = get_callee_fndecl(operand);
      if (!callee || !fndecl_built_in_p(callee, BUILT_IN_EXPECT))
        return false;
      operand = CALL_EXPR_ARG(operand, 0);
      break;
    }
    CASE_CONVERT:
    case NON_LVALUE_EXPR:
    case CLEANUP_POINT_EXPR:
    case TRUTH_NOT_EXPR:
    case ANNOTATE_EXPR:
    case SAVE_EXPR:
      operand = TREE_OPERAND(operand, 0);
      break;
    case VAR_DECL:
      return DECL_ARTIFICIAL(operand) && DECL_NAME(operand) &&
             strncmp(IDENTIFIER_POINTER(DECL_NAME(operand)), "cleanup", strlen("cleanup")) == 0;
    default:
      return false;
    }
  }
}

// What the jump is folded to when the graph is made.
Constant constant_of(gcond *jump) {
  tree value = fold_binary_loc(UNKNOWN_LOCATION, gimple_cond_code(jump), boolean_type_node, gimple_cond_lhs(jump),
                               gimple_cond_rhs(jump));
  if (!value || TREE_CODE(value) != INTEGER_CST)
    return Unknown;
  return integer_zerop(value) ? AlwaysFalse : AlwaysTrue;
}

// Whether a jump on a truth value is on its being false.  GCC (from 16 on) makes these jumps on its being true, with
// the edges exchanged, as soon as there is a graph.
bool is_test_for_false(gcond *jump) {
  return (gimple_cond_code(jump) == EQ_EXPR && integer_zerop(gimple_cond_rhs(jump))) ||
         (gimple_cond_code(jump) == NE_EXPR && integer_onep(gimple_cond_rhs(jump)));
}

// The only jump behind `last` that has the position and is not known yet, or null.  One without position gets that of
// what is around it.
gcond *find_jump(gimple_seq sequence, gimple *last, location_t location) {
  gimple_stmt_iterator gsi = last ? gsi_for_stmt(last, &sequence) : gsi_start(sequence);
  if (last)
    gsi_next(&gsi);
  gcond *found = nullptr;
  for (; !gsi_end_p(gsi); gsi_next(&gsi)) {
    gcond *jump = dyn_cast<gcond *>(gsi_stmt(gsi));
    if (!jump || gimple_uid(jump) != 0 || (location != UNKNOWN_LOCATION && gimple_location(jump) != location))
      continue;
    if (found)
      return nullptr;
    found = jump;
  }
  return found;
}

// The COND_EXPR whose value is assigned, or null.
tree assigned_choice(tree expression) {
  if (TREE_CODE(expression) != MODIFY_EXPR && TREE_CODE(expression) != INIT_EXPR)
    return NULL_TREE;
  tree value = TREE_OPERAND(expression, 1);
  while (value && (TREE_CODE(value) == COMPOUND_EXPR || TREE_CODE(value) == TARGET_EXPR))
    value = TREE_OPERAND(value, 1);
  return value && TREE_CODE(value) == COND_EXPR ? value : NULL_TREE;
}

void see(tree expression) {
  if (function != current_function_decl) {
    conditions.leave_function();
    senses.leave_function();
    front_end_tests.leave_function();
  }
  function = current_function_decl;
  senses.see(expression);
  front_end_tests.see(expression);
  // From GCC 15 on the gimplifier puts assignments into the arms of a ?: before it shows that to anybody.
  if (tree choice = assigned_choice(expression)) {
    senses.see(choice);
    front_end_tests.see(choice);
  }
}

// Gimplifies a COND_EXPR without value.  The jump of the numbered condition, which somebody wrote or the front end
// made, is among what comes of it; 0: of none.
void gimplify_jump(tree *expression, gimple_seq *before, unsigned number, bool is_written) {
  location_t location = EXPR_LOCATION(*expression);
  if (number != 0) {
    ranges.resize(std::max<size_t>(ranges.size(), number));
    if (is_written)
      ranges[number - 1] = senses.range_of(*expression);
  }
  gimple *last = gimple_seq_last_stmt(*before);
  tree outer = being_gimplified;
  being_gimplified = *expression;
  gimplify_stmt(expression, before);
  being_gimplified = outer;
  gcond *jump = number != 0 ? find_jump(*before, last, location) : nullptr;
  if (!jump)
    return;
  gimple_set_uid(jump, number);
  Condition *condition = conditions.at(number);
  if (!condition)
    return;
  condition->tests_false = is_test_for_false(jump);
  condition->line = gimple_lineno(jump);
  condition->constant = constant_of(jump);
}

int watched_gimplify_expr(tree *expression, gimple_seq *before, gimple_seq *after) {
  bool is_new = *expression != being_gimplified && current_function_decl;
  if (is_new)
    see(*expression);
  bool is_jump = is_new && TREE_CODE(*expression) == COND_EXPR && VOID_TYPE_P(TREE_TYPE(*expression)) && before;
  if (!is_jump)
    return gimplify_expr_of_front_end(expression, before, after);
  if (!are_numbered && joins(*operand_of(*expression)))
    return gimplify_expr_of_front_end(expression, before, after); // its conditions follow
  bool is_written = !front_end_tests.has(*expression);
  if (!are_numbered) {
    gimplify_jump(expression, before, static_cast<unsigned>(ranges.size() + 1), is_written);
    return GS_OK;
  }
  if (conditions.is_inner(TREE_OPERAND(*expression, 0)))
    return gimplify_expr_of_front_end(expression, before, after); // its conditions follow
  unsigned number = conditions.take(TREE_OPERAND(*expression, 0));
  if (number == 0) {
    tree *operand = operand_of(*expression);
    if (joins(*operand)) {
      conditions.begin(operand, *expression, senses.sense_of_decision(*expression));
      return gimplify_expr_of_front_end(expression, before, after); // its conditions follow
    }
    if (is_written && !passes_on_outcome(*operand))
      number = conditions.begin_with_one(*operand);
  }
  gimplify_jump(expression, before, number, is_written);
  return GS_OK;
}

// A block's conditional jump, or null.
gcond *jump_of(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
  return gsi_end_p(gsi) ? nullptr : dyn_cast<gcond *>(gsi_stmt(gsi));
}

} // namespace

void watch_gimplifier(bool numbers_conditions) {
  are_numbered = numbers_conditions;
  gimplify_expr_of_front_end = lang_hooks.gimplify_expr;
  lang_hooks.gimplify_expr = watched_gimplify_expr;
}

void give_jumps_their_texts() {
  basic_block bb;
  std::vector<gcond *> others; // without a range
  FOR_EACH_BB_FN(bb, cfun) {
    gcond *jump = jump_of(bb);
    if (!jump)
      continue;
    unsigned number = gimple_uid(jump);
    bool has_range = number > 0 && number <= ranges.size() && ranges[number - 1].range.m_start != UNKNOWN_LOCATION;
    if (has_range)
      set_range_of_condition(jump, ranges[number - 1]);
    else
      others.push_back(jump);
  }
  for (gcond *jump : others)
    keep_out_of_others(jump);
}

void keep_short_circuits() {
  param_logical_op_non_short_circuit = 0;
}

namespace {

// The condition that a block's jump is of, or null.
const Condition *condition_at(basic_block bb) {
  gcond *jump = jump_of(bb);
  Condition *condition = jump ? conditions.at(gimple_uid(jump)) : nullptr;
  return condition && condition->line == gimple_lineno(jump) ? condition : nullptr;
}

// By decision, indices of its conditions that are in the function.
using PresentConditions = std::map<size_t, std::set<uint32_t>>;

// Passes by conditions whose jumps were folded.  False if one that is not constant is missing.
bool resolve(const Condition &condition, const std::set<uint32_t> &present, uint32_t &next) {
  while (next >= kFirstCondition && !present.count(next - kFirstCondition)) {
    const Condition &missing = conditions.neighbour(condition, next - kFirstCondition);
    if (missing.constant == Unknown)
      return false;
    next = missing.next[missing.constant];
  }
  return true;
}

} // namespace

void read_conditions(FunctionNotes &notes, const std::vector<edge> &edges) {
  notes.conditions.clear();
  PresentConditions present;
  std::map<size_t, uint32_t> numbers; // of decisions, in the function
  for (int block = 2; block < notes.graph.num_blocks(); block++) {
    const std::vector<int> &succs = notes.graph.succs(block);
    const Condition *condition =
        succs.size() == 2 ? condition_at(edges[static_cast<size_t>(succs.front())]->src) : nullptr;
    if (!condition)
      continue;
    present[condition->decision].insert(condition->index);
    uint32_t number = numbers.emplace(condition->decision, numbers.size()).first->second;
    ConditionBlock note;
    note.block = static_cast<uint32_t>(block);
    note.decision = number;
    note.index = condition->index;
    note.is_merged = condition->is_merged;
    std::copy(condition->next, condition->next + 2, note.next);
    if (condition->tests_false && !is_test_for_false(jump_of(edges[static_cast<size_t>(succs.front())]->src)))
      std::swap(note.next[0], note.next[1]);
    notes.conditions.push_back(note);
  }
  std::set<uint32_t> unresolved;
  for (ConditionBlock &note : notes.conditions) {
    const Condition &condition =
        *condition_at(edges[static_cast<size_t>(notes.graph.succs(static_cast<int>(note.block)).front())]->src);
    for (uint32_t &next : note.next)
      if (!resolve(condition, present.at(condition.decision), next))
        unresolved.insert(note.decision);
  }
  for (ConditionBlock &note : notes.conditions)
    note.is_known = !unresolved.count(note.decision);
}

} // namespace pathprof
