// SPDX-License-Identifier: GPL-3.0-or-later
// Whether what a conditional jump tests holds where the condition's text does, or where it does not.
//
// While a function is a tree, front ends have folded conditions, which keeps what they mean, and have turned them
// around:
//
//   - `!(a && b)` is made `!a || !b`, where the operands keep their places.  The connective then has that of the `!`.
//   - c ? 1 : x may be made !c ? x : 1.
//
// Afterwards the edges tell: the one to where the condition holds was the first one, and stays it when GCC tests the
// opposite.
#ifndef PATHPROF_PLUGIN_GCC_CONDITION_SENSE_H
#define PATHPROF_PLUGIN_GCC_CONDITION_SENSE_H

#include <unordered_map>
#include <unordered_set>

#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/gcc.h"
#include "profile/model/notes.h"

namespace pathprof {

// Whether conditions are joined by && or ||.
bool joins(tree expression);

class ConditionSenses {
public:
  // Of each COND_EXPR as it comes to the gimplifier, those with a value before they are made statements.
  void see(tree cond_expr);

  // Of the operand of a COND_EXPR without value, which is one condition: where its text is, as far as its place is that
  // of its text, and its sense.
  ConditionRange range_of(tree cond_expr);

private:
  void leave_other_function();
  void walk(tree expression, Sense sense);
  void add(tree condition, Sense sense);
  void compare_places(tree first, tree second);
  Sense sense_of_arms(tree cond_expr) const;

  tree function_ = NULL_TREE;
  std::unordered_map<tree, Sense> senses_; // by operand of && or ||, or in a ?:, without conversions
  std::unordered_set<tree> walked_;        // what joins conditions
  std::unordered_set<tree> choices_;       // COND_EXPRs that had a value
  std::unordered_set<tree> misplaced_;     // conditions that have the place of what they are part of
};

} // namespace pathprof

#endif
