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
#include <variant>
#include <vector>

#include "core/graph/flow_graph.h"
#include "core/numbering/wrap.h"

namespace pathprof {

// The operations.  Each names what its number means; an operation is one of them.
namespace op {

// On the path register.
struct Set {
  int64_t value; // r = value
};
struct Add {
  int64_t delta; // r += delta
};

// On the counters in memory.
struct CountAt {
  int64_t offset; // count[r + offset] += 1
};
struct UncountAt {
  int64_t offset; // count[r + offset] -= 1
};
struct CountConst {
  int64_t path; // count[path] += 1
};
struct Repeat { // a path that a loop counted so often (core/plan/counted_loops.h)
  int64_t path;
  uint64_t times; // count[path] += times
};

// On counts that a register of their own holds while a loop runs (core/plan/register_counters.h), by the path counted.
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

// On paths across iterations (core/models/kiter_graph.h): `window` is an index into Plan::windows, `weights` one into
// Plan::weights.
struct Enter {
  size_t window; // control comes to the loop from elsewhere: no iteration is complete
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
  size_t weights; // the windows' numbers += weights
};
struct Leave {
  size_t weights; // r = the longest window's number + weights
};

// On what later iterations of a loop begin with (core/models/intracontext.h), by the loop's head.
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
// All others have one member.
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

// Appends an addition, or folds it into the last operation if that sets or adds to the same register.
template <typename SetOp, typename AddOp>
void append_folded(Ops &to, const AddOp &addition) {
  if (SetOp *set = to.empty() ? nullptr : std::get_if<SetOp>(&to.back()))
    set->value = wrapped_sum(set->value, addition.delta);
  else if (AddOp *add = to.empty() ? nullptr : std::get_if<AddOp>(&to.back()))
    add->delta = wrapped_sum(add->delta, addition.delta);
  else
    to.push_back(addition);
}

// The same operation with two values, of which the branch that follows selects one.
template <typename Operation>
struct Either {
  Operation if_true;  // where control leaves over the block's first edge
  Operation if_false; // over the second
};

// An operation before a branch whose value depends on the edge that the branch takes.
using SelectOp = std::variant<Either<op::Set>, Either<op::Add>, Either<op::CountAt>, Either<op::CountConst>,
                              Either<op::Increment>, Either<op::SetBody>, Either<op::AddBody>>;

using SelectOps = std::vector<SelectOp>;

// A loop whose paths span iterations; one at a time runs.  `completed` is how many iterations are complete, at most k -
// 1 unless the loop is counted at its exit; `bodies` has as many digits.
struct Window {
  uint32_t k = 2;
  bool has_numbers = false; // numbering=paper: each window's number so far is in a register of its own
  int64_t start = 0;        // r, or the number, of the path that begins at the head

  // Numbering::Register.  BackEdge, before the k-th time:
  //   r = head + exits + body * num_paths_after[completed]; bodies = bodies * num_bodies + body; completed++
  // and from the k-th time on:
  //   count[head + counted + body]++
  //   bodies = (bodies * num_bodies + body) % num_bodies^(k-1); r = start + bodies * num_paths_from_head
  bool keeps_head = false; // else `head` is r: nothing is added to it in the loop
  int64_t num_bodies = 1;
  int64_t exits = 0;
  int64_t counted = 0;
  int64_t num_paths_from_head = 1;
  std::vector<int64_t> num_paths_after; // by completed iterations

  // With a single body all follows from how often control went around, and can wait until it leaves.  BackEdge only
  // does completed++.  CountAtExit, after fewer than k iterations: r += completed * exits.  Else
  //   count[r + (k-1) * exits + counted]++; count[start + counted] += completed - k; r = start
  bool counts_at_exit = false;

  // Numbering::Paper: BackEdge counts numbers[k-1] from the k-th time on; then each window's number moves on by
  // one, and a window starts.
};

// What an edge adds to each window's number, by the iteration that the window is in: for the window that came
// from outside the loop, and for those that started at its head.  The window that started last is in its first
// iteration.
struct WindowWeights {
  std::vector<int64_t> entered, started;
};

// Where operations happen.  All vectors are indexed by the flow graph's edges or blocks.
struct Plan {
  std::vector<Ops> on_edge;       // while the edge is traversed
  std::vector<Ops> at_start;      // on arrival in a block that abnormal edges enter
  std::vector<Ops> before_end;    // before the last statement of a block: whatever edge follows
  std::vector<SelectOps> selects; // behind those, before the branch that the block ends in
  std::map<int, Ops> starts;      // by cut edge: those of its operations, the last ones, that begin a path behind it
  std::vector<Window> windows;
  std::vector<WindowWeights> weights;

  explicit Plan(const FlowGraph &graph)
      : on_edge(graph.num_edges()), at_start(graph.num_blocks()), before_end(graph.num_blocks()),
        selects(graph.num_blocks()) {}
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
