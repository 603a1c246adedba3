// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of decisions, numbered as the gimplifier meets them (gimplified.cc).
#ifndef PATHPROF_PLUGIN_GCC_NUMBERED_CONDITIONS_H
#define PATHPROF_PLUGIN_GCC_NUMBERED_CONDITIONS_H

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "plugin/gcc/condition_sense.h"
#include "plugin/gcc/coupled_conditions.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/written_decision.h"
#include "profile/model/notes.h"

namespace pathprof {

// A condition as the gimplifier meets it.
struct Condition {
  enum Constant : signed char { Unknown = -1, AlwaysFalse = 0, AlwaysTrue = 1 };
  size_t decision = 0;
  uint32_t index = 0;          // in the decision, in the order of evaluation
  uint32_t next[2] = {};       // as in ConditionBlock: [1] where it holds
  bool is_merged = false;      // operands of && or || are computed without a branch in it
  Constant constant = Unknown; // what its jump is folded to when the graph is made
  bool tests_false = false;    // its jump was made as a test for false
  Coupled coupled;             // with an earlier condition of the decision
  int line = 0;                // of its jump; 0: none has been found
};

class Conditions {
public:
  // Plans a decision of an expression that joins conditions, the operand of a COND_EXPR without value: they become
  // known by their trees. If it is not the condition of a statement in the source, its outcome may be the opposite of
  // that in the source.
  void begin(tree *expression, tree cond_expr, bool is_statement);

  // Plans a decision of one condition, and returns that condition's number.
  unsigned begin_with_one(tree expression, tree cond_expr);

  // The number of the condition whose jump is about to be made of this tree, or 0.  No other jump is.
  unsigned take(tree expression);

  // Whether it joins conditions in the first part of a ?: that is itself among the operands of a decision.
  bool is_inner(tree expression) { return inner_.count(expression); }

  Condition *at(unsigned number);

  // Returns true if the decision of the numbered condition has no other one.
  bool is_single(unsigned number) const {
    auto source = sources_.find(conditions_[number - 1].decision);
    return source == sources_.end() || source->second.decision.diagram.size() == 1;
  }

  // Returns true if the outcome of the decision of the numbered condition is known to be that in the source.
  bool is_outcome_known(unsigned number) const {
    auto source = sources_.find(conditions_[number - 1].decision);
    return source == sources_.end() || source->second.is_outcome_known;
  }

  // Returns the text of a numbered condition of the current function as the source has it in the decision's expression;
  // without a range if that is not known.
  ConditionRange written(unsigned number);

  // Of the same decision.
  const Condition &neighbour(const Condition &condition, uint32_t index) const;

  // Trees of a function that is done may be others now.
  void leave_function();

  static bool is_conversion(tree expression);

private:
  // What is needed to find a decision in the source, and what was found there.
  struct Source {
    DecisionInTree decision;
    bool is_read = false, is_outcome_known = true;
    WrittenDecision written;
  };

  static bool has_side_effects(tree statements) { return statements && TREE_SIDE_EFFECTS(statements); }

  // As shortcut_cond_r in GCC has it.
  static bool is_conditional(tree expression);

  // A ?: whose operands are conditions of the decision, too.
  bool is_conditional_expr(tree expression) const { return is_conditional(expression) && !values_.count(expression); }

  // Finds each ?: that is computed as a value, and is one condition.  This is shortcut_cond_expr of GCC: where one of
  // two outcomes has nothing to do, operands become conditional statements in each other, and only of what is left then
  // shortcut_cond_r makes jumps, of a ?: in it, too.  `is_needed` is whether the conditional statement has side
  // effects; returned is whether what becomes of it has.
  bool find_values(tree expression, bool has_then, bool has_else, bool is_needed);

  static void make_operands_boolean(tree expression);

  // An operand as gimple_boolify in GCC makes it, so that it stays the same tree there.
  static void make_boolean(tree *expression);

  // Numbers conditions from left to right.  One that is no tree of its own, as a variable, gets one, which the
  // gimplifier strips again.
  void number(tree *expression);

  void add(tree expression, uint32_t index);

  // Where control goes from each condition.
  void link(tree expression, uint32_t if_true, uint32_t if_false);

  void describe(tree cond_expr);

  static const WrittenDecision &read(Source &source);

  // Gives the last decision the opposite outcome.
  void exchange_outcomes();

  // Whether a front end has put conditions together.
  static bool merges(tree expression);

  std::vector<size_t> first_of_decision_; // of its conditions
  std::vector<Condition> conditions_;
  std::unordered_map<tree, unsigned> by_tree_; // of the function: conditions whose jumps are still to come
  std::unordered_set<tree> inner_;             // likewise
  std::unordered_map<tree, uint32_t> starts_;  // of the decision: by operand, its first condition
  std::unordered_set<tree> values_;            // likewise: each ?: that is one condition
  std::vector<tree> leaves_;                   // likewise: its conditions, in the order of evaluation
  std::unordered_map<size_t, Source> sources_; // of the function: by decision
};

} // namespace pathprof

#endif
