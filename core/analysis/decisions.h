// SPDX-License-Identifier: GPL-3.0-or-later
// The conditions of decisions, and the vectors of their values that executed paths went through.
//
// A decision is a boolean expression, its conditions are the operands that && and || (and ?: among them) join. Control
// goes through a decision as through a binary decision diagram: from each condition over its true or its false edge to
// a later condition, or to one of the two outcomes. So a path that passes a decision tells the whole vector: the value
// of each condition that was evaluated, and which were not.
#ifndef PATHPROF_CORE_ANALYSIS_DECISIONS_H
#define PATHPROF_CORE_ANALYSIS_DECISIONS_H

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/numbering/path_graph.h"

namespace pathprof {

// Where control goes from a condition: to an outcome of the decision, or on to the condition of index
// next - kFirstCondition.
inline constexpr uint32_t kOutcomeFalse = 0, kOutcomeTrue = 1, kFirstCondition = 2;

// A block that ends in a conditional jump on a condition of a decision.  Several blocks may be of the same condition,
// where the compiler has copied the expression.
struct ConditionBlock {
  uint32_t block = 0;
  uint32_t decision = 0; // in the function: numbered in the order of their first blocks
  uint32_t index = 0;    // in the decision, in the order of evaluation; those of constant conditions are missing
  uint32_t next[2] = {kOutcomeFalse, kOutcomeTrue}; // over the false edge, over the true edge; of a later condition
  bool is_merged = false;                           // it is several conditions, computed without a branch
  bool is_known = true;                             // false: what follows is not known, of no condition of the decision
  // Distance to an earlier index, whose condition always has the same value when both are evaluated; 0: none is known.
  uint32_t coupled_back = 0;
  bool is_opposite = false; // the coupled condition always has the opposite value

  bool operator==(const ConditionBlock &o) const {
    return block == o.block && decision == o.decision && index == o.index && next[0] == o.next[0] &&
           next[1] == o.next[1] && is_merged == o.is_merged && is_known == o.is_known &&
           coupled_back == o.coupled_back && is_opposite == o.is_opposite;
  }
};

// Why nothing is known of how a decision was evaluated.
enum class Unmeasured {
  No,      // it is known
  Merged,  // some conditions are computed without a branch
  Unknown, // the compiler has changed the expression
  Cut,     // paths end and begin inside of it
};

// Values of a decision's conditions, by their place among them: 1 true, 0 false, kNotEvaluated.
inline constexpr signed char kNotEvaluated = -1;

struct ConditionVector {
  std::vector<signed char> values;
  bool outcome = false;
  uint64_t count = 0; // at most 2^64 − 1
};

// A decision as a diagram.  Its conditions are numbered from 0, without gaps.
struct DecisionGraph {
  std::vector<std::array<uint32_t, 2>> next; // by condition; numbers of conditions are kFirstCondition more

  size_t num_conditions() const { return next.size(); }
};

// Conditions of one decision that test the same thing are coupled: when two of them are evaluated, the value of one
// determines the value of the other.
struct Coupling {
  uint32_t group = 0;       // number of the first condition that is coupled with this one; of a single one, its own
  bool is_opposite = false; // the condition has the opposite value of the first one
};

struct ExecutedDecision {
  Unmeasured unmeasured = Unmeasured::No;
  DecisionGraph graph;                  // empty where that is not known
  std::vector<Coupling> couplings;      // by condition; empty if no two conditions are coupled
  std::vector<std::vector<int>> blocks; // by condition, by increasing number
  std::vector<ConditionVector> vectors; // executed ones, in the order of their values, false before true
};

// Edges of a graph that lie inside a decision: control on them is between two conditions.  By edge.
std::vector<char> edges_inside_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions);

// What cuts are to spare in a graph that is not cut to a limit yet, as PathLimits has it: 2 for edges inside decisions,
// 1 for one of the two edges out of each condition, as paths that end where both are cut do not tell which way control
// went.
std::vector<char> edges_spared_for_decisions(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions);

// Whether the condition that a block evaluates is the only one of its decision.
bool is_only_condition(const std::vector<ConditionBlock> &conditions, int block);

// Collects the vectors of a function's decisions from its executed paths.
class DecisionVectors {
public:
  // Keeps a reference to `graph`, whose cuts are marked.  A condition has the value of its jump, but the opposite one
  // in blocks where `is_turned` (by block; empty: nowhere).  A decision of one condition has the condition's value.
  DecisionVectors(const FlowGraph &graph, const std::vector<ConditionBlock> &conditions,
                  std::vector<char> is_turned = {});

  // Executions of a path; what it has in common with a path that was counted before (its context) is not counted.
  void add(const Path &path, uint64_t count);

  // By decision.
  std::vector<ExecutedDecision> take();

private:
  struct Place {
    int decision = -1; // -1: no condition
    uint32_t condition = 0;
  };
  // A decision that is being evaluated on the path.
  struct Open {
    std::vector<signed char> values;
    uint32_t next = kOutcomeFalse; // the condition that is to come, or an outcome: it is not being evaluated
  };

  void add_decision(const FlowGraph &graph, const std::vector<const ConditionBlock *> &blocks);
  std::vector<Coupling> couplings_of(const std::vector<const ConditionBlock *> &blocks,
                                     const std::map<uint32_t, uint32_t> &numbers) const;
  bool is_turned(uint32_t block) const { return !is_turned_.empty() && is_turned_[block]; }
  void pass(int edge, uint64_t count);
  int last_edge(const Path &path);

  const FlowGraph &graph_;
  std::vector<char> is_turned_; // by block, or empty
  std::vector<Place> places_;   // by block
  std::vector<ExecutedDecision> decisions_;
  std::vector<Open> open_; // by decision
  std::vector<int> touched_;
  std::vector<std::map<std::pair<std::vector<signed char>, bool>, uint64_t>> counts_;
};

} // namespace pathprof

#endif
