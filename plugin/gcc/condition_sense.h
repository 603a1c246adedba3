// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what a conditional jump tests holds where the condition's text does, or where it does not.
//
// While a function is a tree, front ends have folded conditions, which keeps what they mean, and have turned them
// around:
//
//   - `!(a && b)` is made `!a || !b`, where the operands keep their places.  The connective then has that of the `!`.
//   - c ? 1 : x may be made !c ? x : 1.
//
// A test of a variable has no place of its own.  Its text is the variable's name, where that stands once in what is
// known to be around the test.
//
// Afterwards the edges tell: the one to where the condition holds was the first one, and stays it when GCC tests the
// opposite.
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

// Whether conditions are joined by && or ||.
bool joins(tree expression);

class ConditionSenses {
public:
  // Trees of a function that is done may be others now.
  void leave_function();

  // Each expression as it comes to the gimplifier: COND_EXPRs with a value before they are made statements, and calls
  // before their arguments get the place of the call.
  void see(tree expression);

  // Of the operand of a COND_EXPR without value, which is one condition: where its text is, as far as its place is that
  // of its text, and its sense.
  ConditionRange range_of(tree cond_expr);

  // Returns true if a COND_EXPR without value was one in the source, too. Front ends do not exchange the parts of such
  // a statement.
  bool is_statement(tree cond_expr) const;

private:
  void see_condition(tree cond_expr);
  void see_arguments(tree call);
  // An operand of && or ||, or of a ?:.
  struct Part {
    Sense sense = Sense::Unknown;
    Connective connective;     // in the source
    bool is_misplaced = false; // its place is that of what is around it
  };
  void walk(tree expression, Part part, source_range around);
  void add(tree condition, Part part);
  void compare_places(tree first, tree second);
  Sense sense_of_arms(tree cond_expr) const;
  bool was_choice(tree cond_expr) const;
  source_range around_variable(tree variable, tree cond_expr);

  std::unordered_map<tree, Part> parts_; // without conversions
  std::unordered_set<tree> walked_;      // what joins conditions
  std::unordered_set<tree> choices_;     // COND_EXPRs that had a value
  std::unordered_set<tree> misplaced_;   // conditions that have the place of what they are part of
  // What is around the tests of a variable in joined conditions and in ?:, in their order.
  std::unordered_map<tree, std::queue<source_range>> around_variables_;
};

} // namespace pathprof

#endif
