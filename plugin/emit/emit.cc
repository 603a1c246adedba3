// SPDX-License-Identifier: GPL-3.0-or-later
// Translates the operations of a plan into GIMPLE statements.
#include "plugin/emit/emit.h"

#include <cstddef>
#include <map>
#include <memory>

#include "plugin/emit/clock.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/insert.h"
#include "plugin/gcc/sequence.h"
#include "plugin/gcc/statements.h"

#include "plugin/emit/frame.h"
#include "plugin/emit/path_counters.h"
#include "plugin/emit/values.h"
#include "plugin/emit/windows.h"

namespace pathprof {

namespace {

// Translates operations into statements. In the comments of this class, r is the path register, and `counters` contains
// one counter per path.
class Emitter {
public:
  Emitter(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime)
      : function_(function), counters_(function, variables, runtime), values_(function, runtime) {
    if (function.notes.measures_cycles())
      clock_ = std::make_unique<Clock>();
    if (!function.calls.empty())
      frame_ = std::make_unique<ActivationFrame>(function, variables, runtime);
  }

  // Returns the statements for a sequence of operations. `has_frame` is true if the activation has a frame at the
  // position at which the statements are inserted.
  gimple_seq statements(const Ops &ops, bool has_frame = true) {
    gimple_seq seq = nullptr;
    has_frame_ = has_frame;
    if (clock_)
      clock_->begin_sequence();
    for (const Op &op : ops)
      std::visit([&](const auto &operation) { emit(&seq, operation); }, op);
    return seq;
  }

  // Returns the statements that select one of two operations, depending on the outcome of a branch. The statements are
  // inserted before this branch.
  gimple_seq statements(const SelectOps &selects, gcond *branch, bool has_frame = true) {
    gimple_seq seq = nullptr;
    has_frame_ = has_frame;
    auto emit_select = [&](const auto &choice) {
      if (choice.if_true == choice.if_false)
        emit(&seq, choice.if_true);
      else
        choose(&seq, branch, choice);
    };
    for (const SelectOp &select : selects)
      std::visit(emit_select, select);
    return seq;
  }

  // Creates the branches that the inserted code requires. Must be called after all statements have been inserted.
  void branch() {
    windows_.branch();
    counters_.branch();
    values_.branch();
  }

  // If the edge leaves ENTRY or enters EXIT, appends the statements that start or end the measurement of the
  // activation.
  void note_activation(gimple_seq *seq, const Edge &on) {
    if (clock_ && on.src == kEntryBlock)
      clock_->enter(seq);
    if (clock_ && on.dst == kExitBlock)
      clock_->leave(seq);
  }

  void count_values() const { values_.count_values(); }
  gimple_seq tell_callee() { return values_.tell_callee(); }

  // Returns the setup code, which must be executed before any other inserted code.
  gimple_seq prologue() {
    gimple_seq seq = nullptr;
    counters_.begin(&seq);
    return seq;
  }

  // Returns the statements that update the frame when an exception or a jump enters the block, or null if none are
  // needed.
  gimple_seq on_arrival(basic_block bb, int block) const {
    Arrival arrival = has_frame_in(block) ? arrival_at(bb) : Arrival::Ordinary;
    return arrival == Arrival::Jump        ? frame_->after_jump()
           : arrival == Arrival::Exception ? frame_->after_unwinding()
                                           : nullptr;
  }
  // If the frame is allocated or released on this edge, appends the necessary statements.
  void enter_or_leave(gimple_seq *seq, int e) {
    if (frame_ && frame_->begins_on(e))
      frame_->enter(seq, counters_);
    if (frame_ && frame_->ends_on(e))
      gimple_seq_add_seq(seq, frame_->leave());
  }
  bool has_frame_in(int block) const { return frame_ && frame_->is_taken_in(block); }

  // Inserts stores to the frame, so that the runtime can determine the value of the path register during a call
  // (termination=exact).
  void note_calls() {
    if (frame_)
      frame_->note_calls(counters_);
  }

private:
  // ---- the statements of one operation ----

  void emit(gimple_seq *seq, const op::Set &op) { // r = &counters[value], or value
    gimple_seq_add_stmt(seq, gimple_build_assign(counters_.variable(), counters_.start(seq, op.value)));
    if (clock_)
      clock_->start(seq);
  }
  void emit(gimple_seq *seq, const op::Add &op) { // r += delta
    gimple_seq_add_stmt(seq, counters_.advance(counters_.variable(), counters_.variable(), op.delta));
  }
  void emit(gimple_seq *seq, const op::CountAt &op) { // r[offset]++
    count_at(seq, op.offset);
    note_count(seq);
  }
  void emit(gimple_seq *seq, const op::UncountAt &op) { // r[offset]--
    counters_.uncount_at(seq, op.offset);
  }
  void emit(gimple_seq *seq, const op::CountConst &op) { // counters[path]++
    counters_.count_path(seq, op.path, word(1));
    note_count(seq);
  }
  void emit(gimple_seq *seq, const op::Repeat &op) { // counters[path] += times
    counters_.count_path(seq, op.path, word(static_cast<int64_t>(op.times)));
  }
  void emit(gimple_seq *seq, const op::Clear &op) { // register_counter = 0
    gimple_seq_add_stmt(seq, gimple_build_assign(register_counter(op.path), word(0)));
  }
  void emit(gimple_seq *seq, const op::Increment &op) { // register_counter += 1
    gimple_seq_add_stmt(seq, add_to_register_counter(register_counter(op.path), op.path, 1));
  }
  void emit(gimple_seq *seq, const op::Decrement &op) { // register_counter -= 1
    gimple_seq_add_stmt(seq, add_to_register_counter(register_counter(op.path), op.path, -1));
  }
  void emit(gimple_seq *seq, const op::Flush &op) { // counters[path] += register_counter
    counters_.count_path(seq, op.path, register_counter(op.path));
  }
  void emit(gimple_seq *seq, const op::Save &op) { // saved = r
    gimple_seq_add_stmt(seq, gimple_build_assign(saved(op.head), counters_.variable()));
  }
  void emit(gimple_seq *seq, const op::Restore &op) { // r = saved
    gimple_seq_add_stmt(seq, gimple_build_assign(counters_.variable(), saved(op.head)));
  }
  // All other operations act on windows.
  template <typename WindowOp>
  void emit(gimple_seq *seq, const WindowOp &op) {
    windows_.emit(seq, op);
  }

  // ---- the statements of a choice ----
  //
  // The condition of the branch selects between two computed values. The machine compares once for both the selection
  // and the branch, and it can compute constant addresses outside loops.

  // r = condition ? &counters[if_true] : &counters[if_false]
  void choose(gimple_seq *seq, gcond *branch, const Either<op::Set> &choice) {
    tree if_true = counters_.start(seq, choice.if_true.value), if_false = counters_.start(seq, choice.if_false.value);
    select(seq, branch, counters_.variable(), if_true, if_false);
  }

  // r = condition ? r + if_true : r + if_false
  void choose(gimple_seq *seq, gcond *branch, const Either<op::Add> &choice) {
    tree if_true = counters_.sum(seq, choice.if_true.delta), if_false = counters_.sum(seq, choice.if_false.delta);
    select(seq, branch, counters_.variable(), if_true, if_false);
  }

  // (condition ? &r[if_true] : &r[if_false])[0]++
  void choose(gimple_seq *seq, gcond *branch, const Either<op::CountAt> &choice) {
    tree if_false = counters_.selectable_at(seq, choice.if_false.offset);
    tree if_true = counters_.selectable_at(seq, choice.if_true.offset);
    choose_count(seq, branch, if_true, if_false);
  }

  // (condition ? &counters[if_true] : &counters[if_false])[0]++
  void choose(gimple_seq *seq, gcond *branch, const Either<op::CountConst> &choice) {
    tree if_false = counters_.selectable_path(seq, choice.if_false.path);
    tree if_true = counters_.selectable_path(seq, choice.if_true.path);
    choose_count(seq, branch, if_true, if_false);
  }

  // counter_of_if_true = branch ? counter_of_if_true + 1 : counter_of_if_true;
  // counter_of_if_false = branch ? counter_of_if_false : counter_of_if_false + 1
  void choose(gimple_seq *seq, gcond *branch, const Either<op::Increment> &choice) {
    int64_t path_if_true = choice.if_true.path, path_if_false = choice.if_false.path;
    tree if_true = register_counter(path_if_true), if_false = register_counter(path_if_false);
    tree more_if_true = create_tmp_reg(word_type(), "pathcount");
    tree more_if_false = create_tmp_reg(word_type(), "pathcount");
    gimple_seq_add_stmt(seq, add_to_register_counter(more_if_true, path_if_true, 1));
    gimple_seq_add_stmt(seq, add_to_register_counter(more_if_false, path_if_false, 1));
    select(seq, branch, if_true, more_if_true, if_true);
    select(seq, branch, if_false, if_false, more_if_false);
  }

  // body = condition ? if_true : if_false
  void choose(gimple_seq *seq, gcond *branch, const Either<op::SetBody> &choice) {
    select(seq, branch, windows_.body(), word(choice.if_true.value), word(choice.if_false.value));
  }

  // body = condition ? body + if_true : body + if_false
  void choose(gimple_seq *seq, gcond *branch, const Either<op::AddBody> &choice) {
    tree if_true = binary(seq, PLUS_EXPR, windows_.body(), word(choice.if_true.delta));
    tree if_false = binary(seq, PLUS_EXPR, windows_.body(), word(choice.if_false.delta));
    select(seq, branch, windows_.body(), if_true, if_false);
  }

  // variable = branch ? if_true : if_false
  static void select(gimple_seq *seq, gcond *branch, tree variable, tree if_true, tree if_false) {
    tree condition = compat_condition(seq, gimple_cond_code(branch), gimple_cond_lhs(branch), gimple_cond_rhs(branch));
    gimple_seq_add_stmt(seq, gimple_build_assign(variable, COND_EXPR, condition, if_true, if_false));
  }

  // selected = branch ? if_true : if_false; count[selected]++
  void choose_count(gimple_seq *seq, gcond *branch, tree if_true, tree if_false) {
    tree selected = create_tmp_reg(TREE_TYPE(counters_.variable()), "pathsel");
    select(seq, branch, selected, if_true, if_false);
    counters_.count_selected(seq, selected);
    note_count(seq);
  }

  void note_count(gimple_seq *seq) {
    if (frame_ && has_frame_)
      frame_->note_count(seq);
  }

  // Returns the register that counts the path with this ID.
  tree register_counter(int64_t path) {
    tree &variable = counters_of_loop_[path];
    if (!variable)
      variable = create_tmp_reg(word_type(), "pathcounter");
    return variable;
  }

  // to = register_counter[path] + amount
  gassign *add_to_register_counter(tree to, int64_t path, int64_t amount) {
    return gimple_build_assign(to, PLUS_EXPR, register_counter(path), word(amount));
  }

  // Returns the variable that holds the value that the path register had when control entered the loop with this
  // header. Later iterations of the loop start with the saved value.
  tree saved(int head) {
    tree &variable = saved_[head];
    if (!variable)
      variable = create_tmp_reg(TREE_TYPE(counters_.variable()), "pathsaved");
    return variable;
  }

  // Counts the path that ends here, whose ID is r + offset.
  void count_at(gimple_seq *seq, int64_t offset) {
    tree cycles = clock_ ? clock_->spent(seq) : NULL_TREE;
    counters_.count_at(seq, offset);
    if (!cycles)
      return;
    counters_.spend(seq, offset, cycles);
    // The cycles spent on updating the table are not attributed to any path.
    if (function_.notes.storage == PATHPROF_STORAGE_TABLE)
      clock_->begin_sequence();
  }

  const PlannedFunction &function_;
  PathCounters counters_;
  ValueCounters values_;
  std::unique_ptr<Clock> clock_;           // metric=tsc
  std::unique_ptr<ActivationFrame> frame_; // termination=exact
  bool has_frame_ = true;
  Windows windows_{function_.plan->plan, counters_};
  std::map<int64_t, tree> counters_of_loop_;
  std::map<int, tree> saved_;
};

void insert_before_branch(basic_block bb, const SelectOps &selects, Emitter &emitter, bool has_frame) {
  gcond *branch = as_a<gcond *>(compat_last_stmt(bb));
  gimple_stmt_iterator gsi = gsi_for_stmt(branch);
  gsi_insert_seq_before(&gsi, emitter.statements(selects, branch, has_frame), GSI_SAME_STMT);
}

// Inserts setup code on the edges that enter the instrumented body. These are the entry edge and, with switch=1, edges
// from an uninstrumented body to a loop header. If the edge leads to a loop header, a path also starts on it.
void enter(const PlannedFunction &function, Emitter &emitter) {
  edge entry = function.bodies ? function.bodies->entry : single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
  if (gimple_seq seq = emitter.tell_callee())
    gsi_insert_seq_on_edge(entry, seq);
  if (gimple_seq seq = emitter.prologue())
    gsi_insert_seq_on_edge(entry, seq);
  if (!function.bodies)
    return;
  for (const SwitchPoint &switch_point : function.bodies->switch_points) {
    const Ops &start = function.plan->plan.starts.at(switch_point.edge);
    if (gimple_seq seq = emitter.statements(start))
      gsi_insert_seq_on_edge(switch_point.goes_on, seq);
    for (edge from_plain : switch_point.from_plain) {
      gimple_seq seq = emitter.prologue();
      gimple_seq_add_seq(&seq, emitter.statements(start));
      if (seq)
        gsi_insert_seq_on_edge(from_plain, seq);
    }
  }
}

// Returns the operations to insert on an edge. If the edge is a switch point, excludes the operations that start the
// next path, because these must follow the check of the profiling switch.
Ops ops_of_edge(const PlannedFunction &function, int e) {
  Ops ops = function.plan->plan.on_edge[static_cast<size_t>(e)];
  if (function.bodies)
    for (const SwitchPoint &switch_point : function.bodies->switch_points)
      if (switch_point.edge == e)
        ops.resize(ops.size() - function.plan->plan.starts.at(e).size());
  return ops;
}

} // namespace

void emit_plan(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime) {
  const Plan &plan = function.plan->plan;
  const std::vector<basic_block> &blocks = function.blocks;
  Emitter emitter(function, variables, runtime);
  emitter.count_values();
  // Code that must directly precede an existing statement is inserted first, and code that must be at the start of a
  // block is inserted last.
  emitter.note_calls();
  for (size_t index = NUM_FIXED_BLOCKS; index < blocks.size(); index++) {
    if (is_abnormal_dispatcher(blocks[index]))
      continue;
    bool has_frame = emitter.has_frame_in(static_cast<int>(index));
    if (gimple_seq seq = emitter.statements(plan.before_end[index], has_frame))
      insert_before_end(blocks[index], seq);
    if (!plan.selects[index].empty())
      insert_before_branch(blocks[index], plan.selects[index], emitter, has_frame);
    gimple_seq seq = emitter.on_arrival(blocks[index], static_cast<int>(index));
    gimple_seq_add_seq(&seq, emitter.statements(plan.at_start[index], has_frame));
    if (seq)
      insert_at_start(blocks[index], seq);
  }
  enter(function, emitter);
  for (size_t index = 0; index < function.edges.size(); index++) {
    int e = static_cast<int>(index);
    const Edge &edge = function.plan->peeled.graph.edge(e);
    gimple_seq seq = emitter.statements(ops_of_edge(function, e), emitter.has_frame_in(edge.src));
    emitter.note_activation(&seq, edge);
    emitter.enter_or_leave(&seq, e);
    if (seq)
      insert_on_edge(function.edges[index], seq);
  }
  gsi_commit_edge_inserts();
  emitter.branch();
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
  if (function.bodies)
    mark_instrumented_body_cold(*function.bodies);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

} // namespace pathprof
