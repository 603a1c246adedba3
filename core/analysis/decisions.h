// SPDX-License-Identifier: GPL-3.0-or-later
// Computes the vectors of condition values that executed paths evaluated in each decision.
//
// A decision is a Boolean expression; its conditions are the operands that && and || (and ?: between them) join.
// Control passes through a decision as through a binary decision diagram: each condition's true or false edge leads to
// a later condition or to one of the two outcomes.  A path through a decision therefore determines the whole vector:
// the value of each evaluated condition, and the conditions that were not evaluated.
#ifndef PATHPROF_CORE_ANALYSIS_DECISIONS_H
#define PATHPROF_CORE_ANALYSIS_DECISIONS_H

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Values that represent the target of a condition's edge: an outcome of the decision, or kFirstCondition plus the index
// of the next condition.
inline constexpr uint32_t kOutcomeFalse = 0, kOutcomeTrue = 1, kFirstCondition = 2;

// A block that ends in a conditional jump on a condition of a decision.  A condition has several blocks if the compiler
// copied the expression.
struct ConditionBlock {
  uint32_t block = 0;
  uint32_t decision = 0; // index in the function, where decisions are ordered by their first blocks
  uint32_t index = 0;    // index of the condition in the decision, in the order of evaluation; constant conditions have
                         // no block
  uint32_t next[2] = {kOutcomeFalse, kOutcomeTrue}; // targets of the false edge and the true edge; conditions among
                                                    // them come later
  bool is_merged = false;                           // true if the block computes several conditions without a branch
  bool is_known = true;                             // false if the targets of the decision's conditions are unknown
  // Index of this condition minus the index of an earlier condition with which it is coupled, or 0 if no coupling is
  // known.  Whenever both conditions are evaluated, they have the same value, or opposite values if `is_opposite` is
  // true.
  uint32_t coupled_back = 0;
  bool is_opposite = false; // true if the coupled condition always has the opposite value

  bool operator==(const ConditionBlock &o) const {
    return block == o.block && decision == o.decision && index == o.index && next[0] == o.next[0] &&
           next[1] == o.next[1] && is_merged == o.is_merged && is_known == o.is_known &&
           coupled_back == o.coupled_back && is_opposite == o.is_opposite;
  }
};

// Reason why the evaluation of a decision is unknown.
enum class Unmeasured {
  No,      // the evaluation is known
  Merged,  // some conditions are computed without a branch
  Unknown, // the compiler has changed the expression
  Cut,     // paths start and end inside the decision
};

// Value of a condition that was not evaluated.  The other values are 1 for true and 0 for false.
inline constexpr signed char kNotEvaluated = -1;

struct ConditionVector {
  std::vector<signed char> values;
  bool outcome = false;
  uint64_t count = 0; // saturated at 2^64 − 1
};

// A binary decision diagram.  Its conditions are numbered from 0 without gaps.
struct DecisionGraph {
  std::vector<std::array<uint32_t, 2>> next; // targets by condition; a target that is a condition is kFirstCondition
                                             // plus its number

  size_t num_conditions() const { return next.size(); }
};

// Two conditions of a decision are coupled if they test the same thing.  If both are evaluated, the value of one
// determines the value of the other.
struct Coupling {
  uint32_t group = 0;       // number of the first condition in the group; the condition's own number if it is not
                            // coupled
  bool is_opposite = false; // true if the value is opposite to that of the first condition in the group
};

struct ExecutedDecision {
  Unmeasured unmeasured = Unmeasured::No;
  DecisionGraph graph;                  // empty if the evaluation is unknown
  std::vector<Coupling> couplings;      // coupling of each condition; empty if no conditions are coupled
  std::vector<std::vector<int>> blocks; // blocks of each condition in increasing order
  std::vector<ConditionVector> vectors; // executed vectors, ordered by their values, with false before true
};

// Returns, for each edge, 1 if the edge lies on a walk between two conditions of the same decision, and 0 otherwise.
std::vector<char> edges_inside_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions);

// Returns the truncation class of each edge (PathLimits::spared).  Must be called before `graph` is truncated to
// satisfy a limit.  Edges inside decisions have class 2.  Of the two edges out of each condition, at least one has
// class 1 or 2.  If both edges were truncated, a path that ends at the condition would not determine the condition's
// value.
std::vector<char> edges_spared_for_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions);

// Returns true if the condition that the block evaluates is the only condition of its decision.
bool is_only_condition(const std::vector<ConditionBlock> &conditions, int block);

// Collects the condition vectors of a function's decisions from its executed paths.
class DecisionVectors {
public:
  // Keeps a reference to `graph`, whose truncation points must be marked.  A condition is true if its jump takes the
  // true edge.  `is_turned` is nonzero for each block whose jump is inverted; an empty vector means that no jump is
  // inverted.  The outcome of a decision with a single condition is the value of that condition.
  DecisionVectors(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions,
                  std::vector<char> is_turned = {});

  // Adds `count` executions of a path.  Decisions in the path's context are not counted, because they were counted with
  // an earlier path.
  void add(const Path &path, uint64_t count);

  // Returns the results by decision.
  std::vector<ExecutedDecision> take();

private:
  struct Place {
    int decision = -1; // -1 if the block evaluates no condition
    uint32_t condition = 0;
  };
  // State of a decision whose evaluation is in progress.
  struct Open {
    std::vector<signed char> values;
    uint32_t next = kOutcomeFalse; // next condition; an outcome if the decision is not being evaluated
  };

  void add_decision(const FlowGraph &graph, const std::vector<const ConditionBlock *> &blocks);
  std::vector<Coupling> couplings_of(const std::vector<const ConditionBlock *> &blocks,
                                     const std::map<uint32_t, uint32_t> &numbers) const;
  bool is_turned(uint32_t block) const { return !is_turned_.empty() && is_turned_[block]; }
  void pass(int edge, uint64_t count);
  int last_edge(const Path &path);

  const FlowGraph &graph_;
  std::vector<char> is_turned_; // nonzero for each block whose jump is inverted; may be empty
  std::vector<Place> places_;   // condition that each block evaluates
  std::vector<ExecutedDecision> decisions_;
  std::vector<Open> open_; // evaluation state of each decision
  std::vector<int> touched_;
  std::vector<std::map<std::pair<std::vector<signed char>, bool>, uint64_t>> counts_;
};

} // namespace pathprof

#endif
