// SPDX-License-Identifier: GPL-3.0-or-later
// Observes the gimplifier to number conditions and to find their source texts.
//
// For every expression in every language, GCC calls the front end hook lang_hooks.gimplify_expr before the expression
// becomes statements. Conditional jumps are made from COND_EXPRs without value:
//
// - If the operand joins conditions, the COND_EXPR begins a decision. From each condition, gimplify_cond_expr
//   (shortcut_cond_expr, shortcut_cond_r) makes a COND_EXPR, which is passed to the hook later. The hook recognizes the
//   conditions by their trees.
// - Any other COND_EXPR is a decision with a single condition, or tests the stored outcome of a decision again (below a
//   cleanup or __builtin_expect).
//
// The hook itself gimplifies the COND_EXPR to find its conditional jump: the only new jump in the sequence that has the
// COND_EXPR's location and that no inner expression has claimed. The number of the condition is stored in the uid of
// the jump, which GCC does not use before the CFG exists. Copies of the statement, such as those of a `finally` part,
// inherit the uid. Once the CFG exists, the jump's location receives the source range of the condition
// (condition_text.h). The jump cannot receive the range earlier, because at -O0 GCC merges blocks only if their
// locations are equal.
#include "plugin/gcc/gimplified.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

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
bool are_numbered;         // True if conditions are numbered; otherwise only their source texts are needed
tree being_gimplified;     // COND_EXPR that the hook itself gimplifies
location_t outer_location; // value of input_location when the hook began to gimplify it
tree function;             // Function that contained the last expression

std::vector<ConditionRange> ranges; // Source ranges by condition number minus 1
ConditionSenses senses;
SynthesizedConditions synthesized_conditions;

// Returns the part of the COND_EXPR's condition that remains after gimplify_cond_expr has processed the left operands
// of comma expressions.
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

// Returns true if the value of the operand is the outcome of a decision inside the operand, or if the operand is an
// internal flag of the compiler. For example, GCC uses flags to record whether a temporary must be destroyed.
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

// If GCC folds the jump's condition to a constant when it builds the CFG, returns this constant.
Condition::Constant constant_of(gcond *jump) {
  tree value = fold_binary_loc(UNKNOWN_LOCATION, gimple_cond_code(jump), boolean_type_node, gimple_cond_lhs(jump),
                               gimple_cond_rhs(jump));
  if (!value || TREE_CODE(value) != INTEGER_CST)
    return Condition::Unknown;
  return integer_zerop(value) ? Condition::AlwaysFalse : Condition::AlwaysTrue;
}

// Returns true if the jump tests whether a truth value is false. When GCC 16 or later builds the CFG, it inverts such
// jumps and swaps their edges.
bool is_test_for_false(gcond *jump) {
  return (gimple_cond_code(jump) == EQ_EXPR && integer_zerop(gimple_cond_rhs(jump))) ||
         (gimple_cond_code(jump) == NE_EXPR && integer_onep(gimple_cond_rhs(jump)));
}

// If exactly one unnumbered jump with this location follows the statement `last`, returns this jump. Otherwise returns
// null. If the location is unknown, jumps with any location are considered, because the jump then has the location of
// the surrounding expression.
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

// If the expression assigns the value of a COND_EXPR, returns the COND_EXPR. Returns null otherwise.
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
  // In GCC 15 and later, the gimplifier moves an assignment into the arms of a ?: before it calls the plugin's hook.
  if (tree choice = assigned_choice(expression)) {
    senses.see(choice);
    synthesized_conditions.see(choice);
  }
}

// Returns the source range of a numbered condition. If a decision has several conditions, the range that was found in
// the source text is used, because it is more reliable than the locations in the tree. If the outcome of the decision
// may be the opposite of the outcome in the source, the returned range is unknown. A known range would lead to wrong
// MC/DC vectors in this case.
ConditionRange most_reliable_range(unsigned number, tree cond_expr) {
  ConditionRange range = senses.range_in_tree(cond_expr);
  if (conditions.at(number) && !conditions.is_outcome_known(number))
    return {};
  auto is_complete = [](const ConditionRange &one) { return is_known(one.range) && one.sense != Sense::Unknown; };
  if (!conditions.at(number) || (conditions.is_single(number) && is_complete(range) && !range.is_beginning))
    return range;
  ConditionRange written = conditions.written(number);
  return is_complete(written) || (is_known(written.range) && !is_complete(range)) ? written : range;
}

// Gimplifies a void COND_EXPR, and marks the resulting jump with the number of its condition, unless the number is 0.
// `is_written` is false if the front end synthesized the COND_EXPR.
void gimplify_jump(tree *expression, gimple_seq *before, unsigned number, bool is_written) {
  location_t location = EXPR_LOCATION(*expression);
  if (number != 0) {
    ranges.resize(std::max<size_t>(ranges.size(), number));
    if (is_written)
      ranges[number - 1] = most_reliable_range(number, *expression);
  }
  gimple *last = gimple_seq_last_stmt(*before);
  auto outer = std::make_pair(being_gimplified, outer_location);
  std::tie(being_gimplified, outer_location) = std::make_pair(*expression, input_location);
  gimplify_stmt(expression, before);
  std::tie(being_gimplified, outer_location) = outer;
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
  // GCC gives statements without a location the current location. If the gimplifier replaced an expression with the
  // COND_EXPR, the current location must be the location of the replaced expression. The nested call of the gimplifier
  // (gimplify_jump) has changed the current location to the location of the COND_EXPR.
  if (*expression == being_gimplified && current_function_decl)
    input_location = outer_location;
  bool is_new = *expression != being_gimplified && current_function_decl;
  if (is_new)
    see(*expression);
  bool is_jump = is_new && TREE_CODE(*expression) == COND_EXPR && VOID_TYPE_P(TREE_TYPE(*expression)) && before;
  if (!is_jump)
    return gimplify_expr_of_front_end(expression, before, after);
  if (!are_numbered && joins(*operand_of(*expression)))
    return gimplify_expr_of_front_end(expression, before,
                                      after); // The conditions of the operand are passed to the hook later.
  bool is_written = !synthesized_conditions.has(*expression);
  if (!are_numbered) {
    gimplify_jump(expression, before, static_cast<unsigned>(ranges.size() + 1), is_written);
    return GS_OK;
  }
  if (conditions.is_inner(TREE_OPERAND(*expression, 0)))
    return gimplify_expr_of_front_end(expression, before,
                                      after); // The conditions of the operand are passed to the hook later.
  unsigned number = conditions.take(TREE_OPERAND(*expression, 0));
  if (number == 0) {
    tree *operand = operand_of(*expression);
    if (joins(*operand)) {
      conditions.begin(operand, *expression, senses.is_statement(*expression));
      return gimplify_expr_of_front_end(expression, before,
                                        after); // The conditions of the operand are passed to the hook later.
    }
    if (is_written && !passes_on_outcome(*operand))
      number = conditions.begin_with_one(*operand, *expression);
  }
  gimplify_jump(expression, before, number, is_written);
  return GS_OK;
}

// Returns the conditional jump at the end of a block, or null.
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
  std::vector<gcond *> others; // Jumps without a source range
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

// Returns the condition that the jump at the end of the block tests, or null.
const Condition *condition_at(basic_block bb) {
  gcond *jump = jump_of(bb);
  Condition *condition = jump ? conditions.at(gimple_uid(jump)) : nullptr;
  return condition && condition->line == gimple_lineno(jump) ? condition : nullptr;
}

// Returns the variable of the value, or null.
tree variable_of(tree value) {
  if (TREE_CODE(value) == SSA_NAME)
    value = SSA_NAME_VAR(value);
  return value && VAR_P(value) ? value : NULL_TREE;
}

// If a statement before the jump, in the same block, copies another variable to this variable, returns the other
// variable. In C++, the value of an expression with temporaries is copied before they are destroyed. Otherwise, returns
// the variable itself.
tree copied_variable(gcond *jump, tree variable) {
  gimple_stmt_iterator gsi = gsi_for_stmt(jump);
  for (gsi_prev(&gsi); !gsi_end_p(gsi); gsi_prev(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    if (gimple_assign_single_p(statement) && variable_of(gimple_assign_lhs(statement)) == variable) {
      tree from = variable_of(gimple_assign_rhs1(statement));
      return from ? from : variable;
    }
  }
  return variable;
}

// Returns true if the jump tests the value of a Boolean ?: expression. The gimplifier computes this value in a
// temporary variable, so the second and third operands have no jumps of their own.
bool tests_value_of_choice(gcond *jump) {
  tree value = variable_of(gimple_cond_lhs(jump));
  if (value && DECL_ARTIFICIAL(value))
    value = copied_variable(jump, value);
  return value && DECL_ARTIFICIAL(value) && DECL_NAME(value) && TREE_CODE(TREE_TYPE(value)) == BOOLEAN_TYPE &&
         integer_zerop(gimple_cond_rhs(jump)) && startswith(IDENTIFIER_POINTER(DECL_NAME(value)), "iftmp");
}

// For each decision, the indices of the conditions that are still in the function.
using PresentConditions = std::map<size_t, std::set<uint32_t>>;

// If `next` is a condition whose jump GCC has folded, replaces `next` with the condition or outcome that follows it.
// Returns false if a missing condition is not constant.
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
  std::map<size_t, uint32_t> numbers;                // Number of each decision in the function
  std::set<std::pair<uint32_t, uint32_t>> exchanged; // Conditions, by decision and index, whose edges were exchanged
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
    note.is_merged =
        condition->is_merged || tests_value_of_choice(jump_of(edges[static_cast<size_t>(succs.front())]->src));
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
