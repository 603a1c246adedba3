// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the conditions of a decision in the source.
//
// Front ends lose the locations of conditions. For example, `!(a && !b)` becomes `!a || b`, and possibly none of its
// parts keeps a location. However, front ends preserve the order of the conditions and the control flow between them.
// Therefore, the expression is parsed again from the source, with macros expanded. If its diagram equals that of the
// decision in GCC's tree, except that some conditions or the outcome are inverted, the conditions of the expression are
// the conditions of the decision.
#ifndef PATHPROF_PLUGIN_GCC_WRITTEN_DECISION_H
#define PATHPROF_PLUGIN_GCC_WRITTEN_DECISION_H

#include <array>
#include <string>
#include <vector>

#include "plugin/gcc/condition_text.h"
#include "plugin/gcc/gcc.h"

namespace pathprof {

// For each condition, the successor if the condition is false and the successor if it is true (decisions.h).
using DecisionDiagram = std::vector<std::array<uint32_t, 2>>;

// A condition in GCC's tree.
struct ConditionInTree {
  location_t place; // Location of the condition; may be unknown or that of an expression around the decision
  std::vector<std::string> variables; // Names of the local variables in the condition
};

// A decision in GCC's tree.
struct DecisionInTree {
  DecisionDiagram diagram;
  std::vector<ConditionInTree> conditions;
  location_t place; // Location of the whole decision; may be unknown
};

struct WrittenDecision {
  std::vector<ConditionRange> conditions; // Empty if the source contains no such expression; senses may be Unknown
  // Sense of the outcome in the tree. The sense is Opposite if the expression is the condition of a ?: whose arms were
  // swapped by a front end.
  Sense outcome = Sense::Unknown;
};

// Finds the decision in the source.
//
// If the diagrams of the expression and the tree are equal only with an inverted outcome, the tree has the opposite
// outcome. The outcome is Unknown if the diagrams are equal in both cases, as for a ?:, or if the expression is only
// part of the condition. If the statement contains no ?:, the outcome is Same, because front ends exchange the arms of
// ?: only.
//
// Optimisation merges conditions, so that the diagram of a part of the expression may match the tree by chance.
// Therefore, each condition must contain the variables of the corresponding condition in the tree, and its location
// must not be in another operand.
WrittenDecision written_decision(const DecisionInTree &decision);

// Returns true if the source text in the range joins conditions with && or ||, and at least two of them contain one of
// the names. If the tree has only a single condition for the range, and the names are those in its tree, a front end
// has combined conditions: `x < 0 || x > 9` becomes `(unsigned)x > 9`. An operand without any of the names is probably
// a constant, which the front end has removed. Without names, all operands are counted.
bool joins_conditions(source_range range, const std::vector<std::string> &names);

} // namespace pathprof

#endif
