// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of a decision as the source has them.
//
// Front ends lose the places of conditions: `!(a && !b)` becomes `!a || b`, of which no part need have a place of its
// own. But they keep the order of the conditions, and where control goes from each of them. So the expression is read
// again from the source, with macros expanded: if its diagram is that of the decision in GCC's tree, except that some
// conditions or the outcome have the opposite value, then its conditions are those of the decision.
#ifndef PATHPROF_PLUGIN_GCC_WRITTEN_DECISION_H
#define PATHPROF_PLUGIN_GCC_WRITTEN_DECISION_H

#include <array>
#include <string>
#include <vector>

#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

// Where control goes from each condition if it is false and if it is true (decisions.h).
using DecisionDiagram = std::vector<std::array<uint32_t, 2>>;

// A condition in GCC's tree.
struct ConditionInTree {
  location_t place;                   // maybe unknown, or that of something around the decision
  std::vector<std::string> variables; // names of the local variables in it
};

// A decision in GCC's tree.
struct DecisionInTree {
  DecisionDiagram diagram;
  std::vector<ConditionInTree> conditions;
  location_t place; // of the whole; maybe unknown
};

struct WrittenDecision {
  std::vector<ConditionRange> conditions; // empty if the source has no such expression; senses may be Unknown
  // Of the tree's outcome: Opposite if a front end has exchanged the parts of the ?: that the expression decides.
  Sense outcome = Sense::Unknown;
};

// Finds the decision in the source.
//
// The expression and the tree decide the same. If the diagrams agree only with the opposite outcome, the outcome of the
// tree is the opposite of the expression's. The outcome is Unknown if the diagrams agree either way, as those of a ?:
// do, or if the expression is only a part of what decides; but it is Same if there is no ?: in the statement, because
// front ends exchange parts of nothing else.
// Optimization merges conditions, so that a part of the expression may have the diagram of the tree by chance.
// Therefore each condition has to contain the variables of that in the tree, and none may have its place in another
// operand.
WrittenDecision written_decision(const DecisionInTree &decision);

} // namespace pathprof

#endif
