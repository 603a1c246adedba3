// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether a conditional jump tests a condition as written in the source or the opposite condition.
//
// Front ends simplify the tree of a function. The simplification preserves the meaning of conditions but may invert
// conditions:
//
// - `!(a && b)` becomes `!a || !b`. The operands keep their locations, and the connective gets the location of the `!`.
// - c ? 1 : x may become !c ? x : 1.
//
// A test of a variable has no location in the tree. The source text of such a test is the variable's name if the name
// occurs only once in the known range around the test.
//
// After gimplification, the edges of the jump determine the sense: The first edge is the edge for a true condition, and
// it remains the first edge when GCC tests the opposite condition.
#ifndef PATHPROF_PLUGIN_GCC_CONDITION_SENSE_H
#define PATHPROF_PLUGIN_GCC_CONDITION_SENSE_H

#include <queue>
#include <unordered_map>
#include <unordered_set>

#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/connectives.h"
#include "plugin/gcc/gcc.h"
#include "profile/model/notes.h"

namespace pathprof {

// Returns true if the expression joins conditions with && or ||.
bool joins(tree expression);

class ConditionSenses {
public:
  // Discards all references to trees of a finished function, because GCC can reuse the memory of these trees.
  void leave_function();

  // Records an expression that the gimplifier is about to process. COND_EXPRs with a value must be recorded before they
  // become statements. Calls must be recorded before the gimplifier changes the locations of their arguments.
  void see(tree expression);

  // Returns the source range and the sense of the operand of a void COND_EXPR. The operand must be a single condition.
  // The range is unknown if the location of the condition is not the location of its source text.
  ConditionRange range_in_tree(tree cond_expr);

  // Returns true if a void COND_EXPR represents a statement in the source, such as an if statement, and not a ?: whose
  // value is used. Front ends do not swap the arms of such a statement.
  bool is_statement(tree cond_expr) const;

private:
  void see_condition(tree cond_expr);
  void see_arguments(tree call);
  // An operand of &&, || or ?:.
  struct Part {
    Sense sense = Sense::Unknown;
    Connective connective;     // The connective in the source
    bool is_misplaced = false; // True if the operand has the location of a surrounding expression
  };
  void walk(tree expression, Part part, source_range around);
  void add(tree condition, Part part);
  void compare_places(tree first, tree second);
  Sense sense_of_arms(tree cond_expr) const;
  bool was_choice(tree cond_expr) const;
  ConditionRange range_of_variable(tree cond_expr);
  source_range around_variable(tree variable, tree cond_expr);

  std::unordered_map<tree, Part> parts_; // Operands by tree without conversions
  std::unordered_set<tree> walked_;      // Trees with && or || that were visited
  std::unordered_set<tree> choices_;     // COND_EXPRs that had a value
  std::unordered_set<tree> misplaced_;   // Conditions that have the location of a surrounding expression
  // For each variable, the source ranges that contain the tests of this variable in operands of &&, || and ?:, in order
  // of occurrence.
  std::unordered_map<tree, std::queue<source_range>> around_variables_;
};

} // namespace pathprof

#endif
