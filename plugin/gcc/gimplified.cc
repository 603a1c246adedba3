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

#include "plugin/gcc/condition_sense.h"
#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/synthesized_conditions.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/locations.h"
#include "plugin/gcc/numbered_conditions.h"

namespace pathprof {

namespace {

Conditions conditions;
int (*gimplify_expr_of_front_end)(tree *, gimple_seq *, gimple_seq *);
bool are_numbered;     // in decisions; else only the texts of conditions are wanted
tree being_gimplified; // the COND_EXPR that the hook itself gimplifies
tree function;         // that the last expression was of

std::vector<ConditionRange> ranges; // by number of the condition, less 1
ConditionSenses senses;
SynthesizedConditions synthesized_conditions;

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
Condition::Constant constant_of(gcond *jump) {
  tree value = fold_binary_loc(UNKNOWN_LOCATION, gimple_cond_code(jump), boolean_type_node, gimple_cond_lhs(jump),
                               gimple_cond_rhs(jump));
  if (!value || TREE_CODE(value) != INTEGER_CST)
    return Condition::Unknown;
  return integer_zerop(value) ? Condition::AlwaysFalse : Condition::AlwaysTrue;
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
    synthesized_conditions.leave_function();
  }
  function = current_function_decl;
  senses.see(expression);
  synthesized_conditions.see(expression);
  // From GCC 15 on the gimplifier puts assignments into the arms of a ?: before it shows that to anybody.
  if (tree choice = assigned_choice(expression)) {
    senses.see(choice);
    synthesized_conditions.see(choice);
  }
}

// Returns the range of a numbered condition. Of several conditions, the position in the source's expression is more
// certain than the places that front ends give to trees; of one, its tree. Conditions have no texts if the outcome may
// be the opposite of that in the source: a vector of such texts would be false.
ConditionRange range_of(unsigned number, tree cond_expr) {
  ConditionRange range = senses.range_of(cond_expr);
  if (conditions.at(number) && !conditions.is_outcome_known(number))
    return {};
  auto is_complete = [](const ConditionRange &one) { return is_known(one.range) && one.sense != Sense::Unknown; };
  if (!conditions.at(number) || (conditions.is_single(number) && is_complete(range) && !range.is_beginning))
    return range;
  ConditionRange written = conditions.written(number);
  return is_complete(written) || (is_known(written.range) && !is_complete(range)) ? written : range;
}

// Gimplifies a COND_EXPR without value.  The jump of the numbered condition, which somebody wrote or the front end
// made, is among what comes of it; 0: of none.
void gimplify_jump(tree *expression, gimple_seq *before, unsigned number, bool is_written) {
  location_t location = EXPR_LOCATION(*expression);
  if (number != 0) {
    ranges.resize(std::max<size_t>(ranges.size(), number));
    if (is_written)
      ranges[number - 1] = range_of(number, *expression);
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
  bool is_written = !synthesized_conditions.has(*expression);
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
      conditions.begin(operand, *expression, senses.is_statement(*expression));
      return gimplify_expr_of_front_end(expression, before, after); // its conditions follow
    }
    if (is_written && !passes_on_outcome(*operand))
      number = conditions.begin_with_one(*operand, *expression);
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
    if (missing.constant == Condition::Unknown)
      return false;
    next = missing.next[missing.constant];
  }
  return true;
}

} // namespace

void read_conditions(FunctionNotes &notes, const std::vector<edge> &edges) {
  notes.conditions.clear();
  PresentConditions present;
  std::map<size_t, uint32_t> numbers;                // of decisions, in the function
  std::set<std::pair<uint32_t, uint32_t>> exchanged; // by decision and index: whose edges have changed their meaning
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
    note.coupled_back = condition->coupled.back;
    note.is_opposite = condition->coupled.is_opposite;
    std::copy(condition->next, condition->next + 2, note.next);
    if (condition->tests_false && !is_test_for_false(jump_of(edges[static_cast<size_t>(succs.front())]->src))) {
      std::swap(note.next[0], note.next[1]);
      exchanged.insert({number, note.index});
    }
    notes.conditions.push_back(note);
  }
  for (ConditionBlock &note : notes.conditions)
    if (note.coupled_back)
      note.is_opposite ^= exchanged.count({note.decision, note.index}) !=
                          exchanged.count({note.decision, note.index - note.coupled_back});
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
