// SPDX-License-Identifier: GPL-3.0-or-later
// A plan: what the instrumentation does, as data.
//
// The compiler plugin translates a plan into statements; the tests interpret the same plan on a trace.
// The path register `r` belongs to one activation of the function.
#ifndef PATHPROF_CORE_PLAN_PLAN_H
#define PATHPROF_CORE_PLAN_PLAN_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "core/graph/flow_graph.h"

namespace pathprof {

enum class OpKind {
  Set,        // r = value
  Add,        // r += value
  CountAt,    // count[r + value] += 1
  CountConst, // count[value] += 1
  // Counts that a register of their own holds while a loop runs (core/plan/register_counters.h); `value` names it.
  Clear,     // register_counter[value] = 0
  Increment, // register_counter[value] += 1
  Decrement, // register_counter[value] -= 1
  Flush,     // count[value] += register_counter[value]
  Repeat,    // `value` is an index into Plan::repeats: count[path] += times
  UncountAt, // count[r + value] -= 1
  // Paths across iterations (core/models/kiter_graph.h).  `value` is an index into Plan::windows where nothing else is
  // said.
  Enter,       // control comes to the loop from elsewhere: no iteration is complete
  SaveHead,    // head = r
  SetBody,     // body = value, a number
  AddBody,     // body += value, a number
  BackEdge,    // an iteration is complete
  CountAtExit, // control leaves a loop that is counted at its exit
  Accumulate,  // the windows' numbers += Plan::weights[value]
  Leave,       // r = the longest window's number + Plan::weights[value]
  // What later iterations of a loop begin with (core/models/intracontext.h); `value` is the loop's head.
  Save,    // saved[value] = r
  Restore, // r = saved[value]
  // Paths across procedures (core/interprocedural/procedure_plan.h), where the number so far is base + r and `value` is
  // an index into ProcedurePlan::amounts.
  Pass,    // number = base + r + amount: for the callee
  Resume,  // base = number, which the callee left
  Restart, // base = what paths begin with that start inside
  Return,  // number = base + r + amount: for the caller
};

struct Op {
  OpKind kind = OpKind::Set;
  int64_t value = 0;

  bool operator==(const Op &other) const { return kind == other.kind && value == other.value; }
};

using Ops = std::vector<Op>;

// An operation before a branch whose value depends on the way that the branch takes.
struct Choice {
  OpKind kind = OpKind::Set; // Set, Add, Increment, CountAt, CountConst, SetBody or AddBody
  int64_t if_true = 0;       // where control leaves over the block's first edge
  int64_t if_false = 0;      // over the second

  bool operator==(const Choice &other) const {
    return kind == other.kind && if_true == other.if_true && if_false == other.if_false;
  }
};

using Choices = std::vector<Choice>;

// A loop whose paths span iterations; one at a time runs.  `completed` is how many iterations are complete, at most k -
// 1 unless the loop is counted at its exit; `bodies` has as many digits.
struct Window {
  uint32_t k = 2;
  bool has_numbers = false; // numbering=paper: each window's number so far is in a register of its own
  int64_t start = 0;        // r, or the number, of the path that begins at the head

  // Numbering::Register.  BackEdge, before the k-th time:
  //   r = head + exits + body * ways[completed]; bodies = bodies * num_bodies + body; completed++
  // and from the k-th time on:
  //   count[head + counted + body]++
  //   bodies = (bodies * num_bodies + body) % num_bodies^(k-1); r = start + bodies * ways_from_head
  bool keeps_head = false; // else `head` is r: nothing is added to it in the loop
  int64_t num_bodies = 1;
  int64_t exits = 0;
  int64_t counted = 0;
  int64_t ways_from_head = 1;
  std::vector<int64_t> ways; // by completed iterations

  // With a single body all follows from how often control went around, and can wait until it leaves.  BackEdge only
  // does completed++.  CountAtExit, after fewer than k iterations: r += completed * exits.  Else
  //   count[r + (k-1) * exits + counted]++; count[start + counted] += completed - k; r = start
  bool counts_at_exit = false;

  // Numbering::Paper: BackEdge counts numbers[k-1] from the k-th time on; then each window's number moves on by
  // one, and a window starts.
};

// A path that a loop counted so often (core/plan/counted_loops.h).
struct RepeatedPath {
  int64_t path;
  uint64_t times;
};

// What an edge adds to each window's number, by the iteration that the window is in: for the window that came
// from outside the loop, and for those that started at its head.  The window that started last is in its first
// iteration.
struct WindowWeights {
  std::vector<int64_t> entered, started;
};

// Where operations happen.  All vectors are indexed by the flow graph's edges or blocks.
struct Plan {
  std::vector<Ops> on_edge;     // while the edge is traversed
  std::vector<Ops> at_start;    // on arrival in a block that abnormal edges enter
  std::vector<Ops> before_end;  // before the last statement of a block: whatever edge follows
  std::vector<Choices> choices; // behind those, before the branch that the block ends in
  std::vector<Window> windows;
  std::vector<WindowWeights> weights;
  std::vector<RepeatedPath> repeats;

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
  Interpreter(const FlowGraph &graph, const Plan &plan, Counts &counts) : graph_(graph), plan_(plan), counts_(counts) {}

  // Traverses a flow edge; the first one leaves ENTRY.
  void traverse(int edge);
  // Comes to the end of a block without successors.
  void end(int block);
  int64_t path_register() const { return register_; }
  // Of the windows of the loop that control is or was in, by the iteration that they are in (numbering=paper).
  const std::vector<int64_t> &numbers() const { return numbers_; }
  const Lengths &lengths() const { return lengths_; }

private:
  void perform(const Op &op);
  void perform_on_register_counter(const Op &op);
  void perform_on_window(const Op &op);
  void perform(const Ops &ops);
  void take_back_edge(const Window &window);
  void sink_counts(const Window &window);
  void accumulate(const WindowWeights &weights);
  void perform(const Choices &choices, bool is_true);
  void count(int64_t path);

  const FlowGraph &graph_;
  const Plan &plan_;
  Counts &counts_;
  // A value that no path has: a count without an initialised register cannot go unnoticed.
  int64_t register_ = INT64_MIN / 2;
  Counts counters_of_loop_;
  int64_t head_ = INT64_MIN / 2, body_ = INT64_MIN / 2, bodies_ = 0;
  size_t completed_ = 0;
  std::vector<int64_t> numbers_; // of windows, by the iteration that they are in
  std::map<int64_t, int64_t> saved_;
  uint64_t arrivals_ = 0;
  uint64_t started_ = 0;
  Lengths lengths_;
};

// Runs a plan over a whole activation: `trace` holds the flow edges traversed.  An activation that never
// returns simply stops; if its last block has no successor, the operations before that block's end are
// performed.
void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace, Counts &counts);

} // namespace pathprof

#endif
