// SPDX-License-Identifier: GPL-3.0-or-later
// A plan: what the instrumentation does, as data.
//
// The compiler plugin translates a plan into statements; the tests interpret the same plan on a trace.
// The path register `r` belongs to one activation of the function.
#ifndef PATHPROF_CORE_PLAN_H
#define PATHPROF_CORE_PLAN_H

#include <cstdint>
#include <map>
#include <vector>

#include "core/flow_graph.h"

namespace pathprof {

enum class OpKind {
  Set,        // r = value
  Add,        // r += value
  CountAt,    // count[r + value] += 1
  CountConst, // count[value] += 1
  // Counts that a register of their own holds while a loop runs (core/tally.h); `value` names it.
  Clear,      // tally[value] = 0
  Tally,      // tally[value] += 1
  Untally,    // tally[value] -= 1
  Flush,      // count[value] += tally[value]
  UncountAt,  // count[r + value] -= 1
  // What later iterations of a loop begin with (core/context.h); `value` is the loop's head.
  Save,       // saved[value] = r
  Restore,    // r = saved[value]
};

struct Op {
  OpKind kind = OpKind::Set;
  int64_t value = 0;

  bool operator==(const Op &other) const { return kind == other.kind && value == other.value; }
};

using Ops = std::vector<Op>;

// An operation before a branch whose value depends on the way that the branch takes.
struct Choice {
  OpKind kind = OpKind::Set; // Set, Add, CountAt, CountConst or Tally
  int64_t if_true = 0;       // where control leaves over the block's first edge
  int64_t if_false = 0;      // over the second

  bool operator==(const Choice &other) const {
    return kind == other.kind && if_true == other.if_true && if_false == other.if_false;
  }
};

using Choices = std::vector<Choice>;

// Where operations happen.  All vectors are indexed by the flow graph's edges or blocks.
struct Plan {
  std::vector<Ops> on_edge;      // while the edge is traversed
  std::vector<Ops> at_start;     // on arrival in a block that abnormal edges enter
  std::vector<Ops> before_end;   // before the last statement of a block: whatever edge follows
  std::vector<Choices> choices;  // behind those, before the branch that the block ends in

  explicit Plan(const FlowGraph &graph)
      : on_edge(graph.num_edges()), at_start(graph.num_blocks()), before_end(graph.num_blocks()),
        choices(graph.num_blocks()) {}
};

// Counter values by index.  Indices outside 0 … num_paths-1 are a bug that tests look for.
using Counts = std::map<int64_t, uint64_t>;

// Blocks that ran between setting the register and counting, by path: what a clock would measure there.
using Lengths = std::map<int64_t, uint64_t>;

// Runs a plan over one activation, edge by edge.
class Interpreter {
public:
  Interpreter(const FlowGraph &graph, const Plan &plan, Counts &counts)
      : graph_(graph), plan_(plan), counts_(counts) {}

  // Traverses a flow edge; the first one leaves ENTRY.
  void traverse(int edge);
  // Comes to the end of a block without successors.
  void end(int block);
  int64_t path_register() const { return register_; }
  const Lengths &lengths() const { return lengths_; }

private:
  void perform(const Ops &ops);
  void perform(const Choices &choices, bool is_true);
  void count(int64_t path);

  const FlowGraph &graph_;
  const Plan &plan_;
  Counts &counts_;
  // A value that no path has: a count without an initialised register cannot go unnoticed.
  int64_t register_ = INT64_MIN / 2;
  Counts tallies_;
  std::map<int64_t, int64_t> saved_;
  uint64_t arrivals_ = 0;
  uint64_t started_ = 0;
  Lengths lengths_;
};

// Runs a plan over a whole activation: `trace` holds the flow edges traversed.  An activation that never
// returns simply stops; if its last block has no successor, the operations before that block's end are
// performed.
void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace,
               Counts &counts);

} // namespace pathprof

#endif
