// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers the conditions of decisions in the order in which the gimplifier processes them (gimplified.cc).
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

// A condition of a decision.
struct Condition {
  enum Constant : signed char { Unknown = -1, AlwaysFalse = 0, AlwaysTrue = 1 };
  size_t decision = 0;
  uint32_t index = 0;     // Index in the decision, in evaluation order
  uint32_t next[2] = {};  // Next condition or outcome, as in ConditionBlock; next[1] applies if the condition is true
  bool is_merged = false; // True if the condition evaluates operands of && or || without a branch of their own
  Constant constant = Unknown; // Value to which GCC folds the jump when it builds the CFG
  bool tests_false = false;    // True if the jump initially tested for false
  Coupled coupled;             // Earlier condition of the decision that tests the same value
  int line = 0;                // Line of the jump, or 0 if no jump was found
};

class Conditions {
public:
  // Adds a decision for an expression that joins conditions. The expression is the condition of a void COND_EXPR. Later
  // calls to take() recognize the conditions by their trees. `is_statement` must be false if the outcome may be the
  // opposite of the outcome in the source.
  void begin(tree *expression, tree cond_expr, bool is_statement);

  // Adds a decision with a single condition, and returns the number of this condition.
  unsigned begin_with_one(tree expression, tree cond_expr);

  // Returns the number of the condition for which GCC is about to generate a jump, or 0 if the tree has no number. Each
  // number is returned only once.
  unsigned take(tree expression);

  // Returns true if the expression joins conditions and is the first operand of a ?: that is part of a decision.
  bool is_inner(tree expression) { return inner_.count(expression); }

  Condition *at(unsigned number);

  // Returns true if the condition with this number is the only condition of its decision.
  bool is_single(unsigned number) const {
    auto source = sources_.find(conditions_[number - 1].decision);
    return source == sources_.end() || source->second.decision.diagram.size() == 1;
  }

  // Returns true if the outcome of the decision that contains the condition is known to be the same as in the source.
  bool is_outcome_known(unsigned number) const {
    auto source = sources_.find(conditions_[number - 1].decision);
    return source == sources_.end() || source->second.is_outcome_known;
  }

  // Returns the source range of a numbered condition of the current function. The range is found by searching the
  // source text for the decision, and is unknown if the search failed.
  ConditionRange written(unsigned number);

  // Returns the condition with this index in the decision that contains `condition`.
  const Condition &neighbour(const Condition &condition, uint32_t index) const;

  // Discards all references to trees of a finished function, because GCC can reuse the memory of these trees.
  void leave_function();

  static bool is_conversion(tree expression);

private:
  // Data that is needed to find a decision in the source, and the result of the search.
  struct Source {
    DecisionInTree decision;
    bool is_read = false, is_outcome_known = true;
    WrittenDecision written;
  };

  static bool has_side_effects(tree statements) { return statements && TREE_SIDE_EFFECTS(statements); }

  // Returns true if the expression is a ?: that GCC's shortcut_cond_r can split into jumps.
  static bool is_conditional(tree expression);

  // Returns true if the expression is a ?: whose operands are conditions of the decision.
  bool is_conditional_expr(tree expression) const { return is_conditional(expression) && !values_.count(expression); }

  // Finds each ?: that is evaluated as a value and is therefore a single condition. Uses the same rules as GCC's
  // shortcut_cond_expr: if there is no code for one of the two outcomes, the operands become nested conditional
  // statements, and shortcut_cond_r generates jumps only for the rest of the expression. `is_needed` is true if the
  // conditional statement has side effects. Returns true if the resulting statement has side effects.
  bool find_values(tree expression, bool has_then, bool has_else, bool is_needed);

  static void make_operands_boolean(tree expression);

  // Converts an operand to Boolean type in the same way as GCC's gimple_boolify, so that GCC does not replace the
  // operand's tree later.
  static void make_boolean(tree *expression);

  // Numbers the conditions from left to right. A condition without its own tree node, such as a variable, is wrapped in
  // a node that the gimplifier will remove.
  void number(tree *expression);

  void add(tree expression, uint32_t index);

  // Sets the successors of each condition in the expression.
  void link(tree expression, uint32_t if_true, uint32_t if_false);

  void describe(tree cond_expr);

  // Marks the conditions of the decision that was added last that a front end has made of several conditions.
  void find_combined();

  static const WrittenDecision &read(Source &source);

  // Inverts the outcome of the decision that was added last.
  void exchange_outcomes();

  // Returns true if the condition is the value of several conditions: a front end has merged them, or the condition
  // tests the value of a ?: or of a decision that the gimplifier evaluates before.
  static bool merges(tree expression);

  std::vector<size_t> first_of_decision_; // Index of each decision's first condition
  std::vector<Condition> conditions_;
  std::unordered_map<tree, unsigned> by_tree_; // Conditions of the function whose jumps have not been made yet
  std::unordered_set<tree> inner_;             // Expressions for which is_inner is true, in the function
  std::unordered_map<tree, uint32_t> starts_;  // Index of the first condition of each operand of the current decision
  std::unordered_set<tree> values_;            // Each ?: that is a single condition of the current decision
  std::vector<tree> leaves_;                   // Conditions of the current decision, in evaluation order
  std::unordered_map<size_t, Source> sources_; // Source data by decision, for the current function
};

} // namespace pathprof

#endif
