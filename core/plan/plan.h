// SPDX-License-Identifier: GPL-3.0-or-later
// Defines the plan: the instrumentation of a function as data.
//
// The plugin translates a plan into statements, and the tests interpret the same plan on a trace.  The path register
// `r` belongs to one activation of the function.
#ifndef PATHPROF_CORE_PLAN_PLAN_H
#define PATHPROF_CORE_PLAN_PLAN_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <variant>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/numbering/wrap.h"

namespace pathprof {

// Types of operations.
namespace op {

// Operations on the path register.
struct Set {
  int64_t value; // r = value
};
struct Add {
  int64_t delta; // r += delta
};

// Operations on the counters in memory.
struct CountAt {
  int64_t offset; // count[r + offset] += 1
};
struct UncountAt {
  int64_t offset; // count[r + offset] -= 1
};
struct CountConst {
  int64_t path; // count[path] += 1
};
struct Repeat { // executions of a path in a counted loop (core/plan/counted_loops.h)
  int64_t path;
  uint64_t times; // count[path] += times
};

// Operations on counters that are kept in registers while a loop is executed (core/plan/register_counters.h).  A
// counter is identified by the ID of the path that it counts.
struct Clear {
  int64_t path; // register_counter[path] = 0
};
struct Increment {
  int64_t path; // register_counter[path] += 1
};
struct Decrement {
  int64_t path; // register_counter[path] -= 1
};
struct Flush {
  int64_t path; // count[path] += register_counter[path]
};

// Operations on k-iteration paths (core/models/kiter_graph.h).  `window` is an index into Plan::windows, and `weights`
// is an index into Plan::weights.
struct Enter {
  size_t window; // control enters the loop from outside: no iteration is complete
};
struct SaveHead {}; // head = r
struct SetBody {
  int64_t value; // body = value
};
struct AddBody {
  int64_t delta; // body += delta
};
struct BackEdge {
  size_t window; // an iteration is complete
};
struct CountAtExit {
  size_t window; // control leaves a loop that is counted at its exit
};
struct Accumulate {
  size_t weights; // partial path ID of each window += weights
};
struct Leave {
  size_t weights; // r = partial path ID of the longest window + weights
};

// Operations that save and restore the register.  For a loop with context (core/models/intracontext.h), they save the
// value for the start of later iterations.  For a collapsed loop (core/models/kiter_loops.h), they save the value of
// the outer path.  A saved value is identified by the loop header.
struct Save {
  int head; // saved[head] = r
};
struct Restore {
  int head; // r = saved[head]
};

inline bool operator==(const SaveHead &, const SaveHead &) {
  return true;
}
inline bool operator==(const Repeat &a, const Repeat &b) {
  return a.path == b.path && a.times == b.times;
}
// Every other operation has one member.
template <typename Operation>
bool operator==(const Operation &a, const Operation &b) {
  const auto &[of_a] = a;
  const auto &[of_b] = b;
  return of_a == of_b;
}

} // namespace op

using Op = std::variant<op::Set, op::Add, op::CountAt, op::UncountAt, op::CountConst, op::Repeat, op::Clear,
                        op::Increment, op::Decrement, op::Flush, op::Enter, op::SaveHead, op::SetBody, op::AddBody,
                        op::BackEdge, op::CountAtExit, op::Accumulate, op::Leave, op::Save, op::Restore>;

using Ops = std::vector<Op>;

template <typename... Operations>
bool is_any_of(const Op &op) {
  return (std::holds_alternative<Operations>(op) || ...);
}

// Appends an addition, or combines it with the last operation if that operation sets or adds to the same register.
template <typename SetOp, typename AddOp>
void append_folded(Ops &to, const AddOp &addition) {
  if (SetOp *set = to.empty() ? nullptr : std::get_if<SetOp>(&to.back()))
    set->value = wrapped_sum(set->value, addition.delta);
  else if (AddOp *add = to.empty() ? nullptr : std::get_if<AddOp>(&to.back()))
    add->delta = wrapped_sum(add->delta, addition.delta);
  else
    to.push_back(addition);
}

// Two operations of the same type.  The outcome of the following branch determines which operation is performed.
template <typename Operation>
struct Either {
  Operation if_true;  // if control takes the block's first out-edge
  Operation if_false; // if control takes the block's second out-edge
};

// An operation that is performed before a branch and has an operand that depends on the outcome of the branch.
using SelectOp = std::variant<Either<op::Set>, Either<op::Add>, Either<op::CountAt>, Either<op::CountConst>,
                              Either<op::Increment>, Either<op::SetBody>, Either<op::AddBody>>;

using SelectOps = std::vector<SelectOp>;

// Parameters of a loop whose paths span iterations.  Only one such loop is active at a time.  At run time, `completed`
// is the number of complete iterations, which is at most k - 1 unless the loop is counted at its exit.  `bodies` is a
// number with one digit per complete iteration, which identifies the path through the loop body; at most k - 1 digits
// are kept.
struct Window {
  uint32_t k = 2;
  bool has_numbers = false; // numbering=paper: the partial path ID of each window is in its own register
  int64_t start = 0;        // value of r, or partial path ID, of a path that starts at the loop header

  // With Numbering::Register, BackEdge does the following before the k-th iteration is complete:
  //   r = head + exits + body * num_paths_after[completed]; bodies = bodies * num_bodies + body; completed++
  // and afterwards:
  //   count[head + counted + body]++
  //   bodies = (bodies * num_bodies + body) % num_bodies^(k-1); r = start + bodies * num_paths_from_head
  bool keeps_head = false; // if false, `head` equals r because the loop adds nothing to r
  int64_t num_bodies = 1;
  int64_t exits = 0;
  int64_t counted = 0;
  int64_t num_paths_from_head = 1;
  std::vector<int64_t> num_paths_after; // number of paths after each number of complete iterations

  // If the loop has a single body path, the counts depend only on the number of iterations, so the loop can be counted
  // when control leaves it.  BackEdge then only increments `completed`.  With fewer than k complete iterations,
  // CountAtExit performs r += completed * exits.  With k or more complete iterations, CountAtExit performs:
  //   count[r + (k-1) * exits + counted]++; count[start + counted] += completed - k; r = start
  bool counts_at_exit = false;

  // With Numbering::Paper, BackEdge counts numbers[k-1] in the k-th and all later iterations.  It then moves the
  // partial path ID of each window to the next position and opens a new window.
};

// Increments of an edge for the partial path IDs of all windows.  The window in iteration i has index i - 1.  `entered`
// applies to the window that entered the loop from outside, and `started` applies to the windows that started at the
// loop header.
struct WindowWeights {
  std::vector<int64_t> entered, started;
};

// The operations of a function by position.  Each vector of operations is indexed by the edges or blocks of the flow
// graph.
struct Plan {
  std::vector<Ops> on_edge;       // performed when control takes the edge
  std::vector<Ops> at_start;      // performed on entry to a block
  std::vector<Ops> before_end;    // performed before the last statement of a block, whichever edge follows
  std::vector<SelectOps> selects; // performed after `before_end`, before the branch that ends the block
  std::map<int, Ops> starts;      // last operations of each cut edge, which start the next path
  std::vector<Window> windows;
  std::vector<WindowWeights> weights;

  explicit Plan(const FlowGraph &graph)
      : on_edge(graph.num_edges()), at_start(graph.num_blocks()), before_end(graph.num_blocks()),
        selects(graph.num_blocks()) {}
};

// Maps counter indices to counts.  Tests check that no index is outside the range from 0 to num_paths - 1.
using Counts = std::map<int64_t, uint64_t>;

// For each path ID, the total number of blocks that were executed between setting the register and counting the path.
// Simulates a measurement with a clock.
using Lengths = std::map<int64_t, uint64_t>;

// Interprets a plan for one activation.  The caller passes the edges one by one.
class Interpreter {
public:
  Interpreter(const FlowGraph &graph, const Plan &plan, Counts &counts) : graph_(graph), plan_(plan), counts_(counts) {}

  // Follows a flow edge.  The first edge must leave ENTRY.
  void traverse(int edge);
  // Ends the activation in a block that has no successors.
  void end(int block);
  int64_t path_register() const { return register_; }
  // Returns the partial path ID of each window (numbering=paper).  The window in iteration i has index i - 1.
  const std::vector<int64_t> &numbers() const { return numbers_; }
  const Lengths &lengths() const { return lengths_; }

private:
  void perform(const Ops &ops);
  void apply(const op::Set &op);
  void apply(const op::Add &op);
  void apply(const op::CountAt &op);
  void apply(const op::UncountAt &op);
  void apply(const op::CountConst &op);
  void apply(const op::Repeat &op);
  void apply(const op::Clear &op);
  void apply(const op::Increment &op);
  void apply(const op::Decrement &op);
  void apply(const op::Flush &op);
  void apply(const op::Enter &op);
  void apply(const op::SaveHead &);
  void apply(const op::SetBody &op);
  void apply(const op::AddBody &op);
  void apply(const op::BackEdge &op);
  void apply(const op::CountAtExit &op);
  void apply(const op::Accumulate &op);
  void apply(const op::Leave &op);
  void apply(const op::Save &op);
  void apply(const op::Restore &op);
  void take_back_edge(const Window &window);
  void sink_counts(const Window &window);
  void accumulate(const WindowWeights &weights);
  void perform(const SelectOps &selects, bool is_true);
  void count(int64_t path);

  const FlowGraph &graph_;
  const Plan &plan_;
  Counts &counts_;
  // The initial value is not the ID of any path.  The tests therefore detect a plan that counts a path before it sets
  // the register.
  int64_t register_ = INT64_MIN / 2;
  Counts counters_of_loop_;
  int64_t head_ = INT64_MIN / 2, body_ = INT64_MIN / 2, bodies_ = 0;
  size_t completed_ = 0;
  std::vector<int64_t> numbers_; // partial path IDs of the windows; the window in iteration i has index i - 1
  std::map<int64_t, int64_t> saved_;
  uint64_t arrivals_ = 0;
  uint64_t started_ = 0;
  Lengths lengths_;
};

// Interprets a plan for one activation.  `trace` lists the flow edges that control takes.  If the last block has no
// successor, the operations before its end are also performed.  Otherwise, an incomplete activation simply stops.
void interpret(const FlowGraph &graph, const Plan &plan, const std::vector<int> &trace, Counts &counts);

} // namespace pathprof

#endif
