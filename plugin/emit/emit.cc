// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a plan, as GIMPLE statements.
#include "plugin/emit/emit.h"

#include <cstddef>
#include <map>
#include <memory>

#include "core/numbering/prefix.h"

#include "plugin/emit/clock.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/insert.h"
#include "plugin/gcc/sequence.h"
#include "plugin/gcc/statements.h"

#include "plugin/emit/frame.h"
#include "plugin/emit/path_counters.h"
#include "plugin/emit/windows.h"

namespace pathprof {

namespace {

// The statements of operations.  In the comments r is the path register, and counters are those of paths.
class Emitter {
public:
  Emitter(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime)
      : function_(function), counters_(function, variables, runtime) {
    if (function.notes.measures_cycles())
      clock_ = std::make_unique<Clock>();
    if (!function.calls.empty())
      frame_ = std::make_unique<ActivationFrame>(function, variables, runtime);
  }

  // The statements of some operations.
  gimple_seq statements(const Ops &ops) {
    gimple_seq seq = nullptr;
    if (clock_)
      clock_->begin_sequence();
    for (const Op &op : ops)
      perform(&seq, op);
    return seq;
  }

  // The statements of choices before a branch.
  gimple_seq statements(const Choices &choices, gcond *branch) {
    gimple_seq seq = nullptr;
    for (const Choice &choice : choices) {
      if (choice.if_true == choice.if_false)
        perform(&seq, {choice.kind, choice.if_true});
      else
        choose(&seq, branch, choice);
    }
    return seq;
  }

  // When all of these are in place.
  void branch() {
    windows_.branch();
    counters_.branch();
  }

  // Null where termination is basic.
  const ActivationFrame *frame() const { return frame_.get(); }

  // Behind the statements on an edge: with a path's time an activation's may begin or end.
  void note_activation(gimple_seq *seq, const Edge &on) {
    if (clock_ && on.src == kEntryBlock)
      clock_->enter(seq);
    if (clock_ && on.dst == kExitBlock)
      clock_->leave(seq);
  }

  // What the function does first, whatever path it takes.
  gimple_seq prologue() {
    gimple_seq seq = nullptr;
    counters_.begin(&seq);
    if (frame_)
      frame_->enter(&seq, counters_.base_word(&seq), counters_.shift());
    return seq;
  }

  // Before a call at which a path may be cut short.
  gimple_seq before_call(uint64_t place) {
    gimple_seq seq = nullptr;
    frame_->note_call(&seq, counters_.register_word(&seq), place);
    return seq;
  }

private:
  void perform(gimple_seq *seq, const Op &op) {
    switch (op.kind) {
    case OpKind::Set: // r = &counters[value], or value
      gimple_seq_add_stmt(seq, gimple_build_assign(counters_.variable(), counters_.start(seq, op.value)));
      if (clock_)
        clock_->start(seq);
      break;
    case OpKind::Add: // r += value
      gimple_seq_add_stmt(seq, counters_.advance(counters_.variable(), counters_.variable(), op.value));
      break;
    case OpKind::CountAt: // r[value]++
      count_at(seq, op.value);
      break;
    case OpKind::CountConst: // counters[value]++
      counters_.count_path(seq, op.value, word(1));
      break;
    case OpKind::UncountAt: // r[value]--
      counters_.uncount_at(seq, op.value);
      break;
    case OpKind::Repeat: { // counters[path] += times
      const RepeatedPath &repeated = function_.plan->plan.repeats[static_cast<size_t>(op.value)];
      counters_.count_path(seq, repeated.path, word(static_cast<int64_t>(repeated.times)));
      break;
    }
    case OpKind::Clear:
    case OpKind::Increment:
    case OpKind::Decrement:
    case OpKind::Flush:
      perform_on_register_counter(seq, op);
      break;
    case OpKind::Enter:
    case OpKind::SaveHead:
    case OpKind::SetBody:
    case OpKind::AddBody:
    case OpKind::BackEdge:
    case OpKind::CountAtExit:
    case OpKind::Accumulate:
    case OpKind::Leave:
      windows_.perform(seq, op);
      break;
    case OpKind::Save: // saved = r
      gimple_seq_add_stmt(seq, gimple_build_assign(saved(op.value), counters_.variable()));
      break;
    case OpKind::Restore: // r = saved
      gimple_seq_add_stmt(seq, gimple_build_assign(counters_.variable(), saved(op.value)));
      break;
    case OpKind::Pass:
    case OpKind::Resume:
    case OpKind::Restart:
    case OpKind::Return:
      gcc_unreachable(); // plugin/interprocedural/emit_program.h
    }
    note_count(seq, op.kind);
  }

  void perform_on_register_counter(gimple_seq *seq, const Op &op) {
    if (op.kind == OpKind::Clear) // register_counter = 0
      gimple_seq_add_stmt(seq, gimple_build_assign(register_counter(op.value), word(0)));
    else if (op.kind == OpKind::Flush) // counters[value] += register_counter
      counters_.count_path(seq, op.value, register_counter(op.value));
    else // register_counter += 1, or register_counter -= 1
      gimple_seq_add_stmt(
          seq, add_to_register_counter(register_counter(op.value), op.value, op.kind == OpKind::Increment ? 1 : -1));
  }

  // Both values are computed and the branch's condition selects one: the machine compares once, for the
  // selection and for the branch, and constant addresses are computed outside of loops.
  void choose(gimple_seq *seq, gcond *branch, const Choice &choice) {
    switch (choice.kind) {
    case OpKind::Set: { // r = condition ? &counters[if_true] : &counters[if_false]
      tree if_true = counters_.start(seq, choice.if_true), if_false = counters_.start(seq, choice.if_false);
      select(seq, branch, counters_.variable(), if_true, if_false);
      break;
    }
    case OpKind::Add: { // r = condition ? r + if_true : r + if_false
      tree if_true = counters_.sum(seq, choice.if_true), if_false = counters_.sum(seq, choice.if_false);
      select(seq, branch, counters_.variable(), if_true, if_false);
      break;
    }
    case OpKind::CountAt: { // (condition ? &r[if_true] : &r[if_false])[0]++
      tree if_false = counters_.selectable_at(seq, choice.if_false);
      tree if_true = counters_.selectable_at(seq, choice.if_true);
      choose_count(seq, branch, if_true, if_false);
      break;
    }
    case OpKind::CountConst: { // (condition ? &counters[if_true] : &counters[if_false])[0]++
      tree if_false = counters_.selectable_path(seq, choice.if_false);
      tree if_true = counters_.selectable_path(seq, choice.if_true);
      choose_count(seq, branch, if_true, if_false);
      break;
    }
    case OpKind::Increment:
      choose_register_counter(seq, branch, choice);
      break;
    case OpKind::SetBody: // body = condition ? if_true : if_false
      select(seq, branch, windows_.body(), word(choice.if_true), word(choice.if_false));
      break;
    case OpKind::AddBody: { // body = condition ? body + if_true : body + if_false
      tree if_true = binary(seq, PLUS_EXPR, windows_.body(), word(choice.if_true));
      tree if_false = binary(seq, PLUS_EXPR, windows_.body(), word(choice.if_false));
      select(seq, branch, windows_.body(), if_true, if_false);
      break;
    }
    default:
      gcc_unreachable();
    }
    note_count(seq, choice.kind);
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
  }

  // counter_of_if_true = branch ? counter_of_if_true + 1 : counter_of_if_true;
  // counter_of_if_false = branch ? counter_of_if_false : counter_of_if_false + 1
  void choose_register_counter(gimple_seq *seq, gcond *branch, const Choice &choice) {
    tree if_true = register_counter(choice.if_true), if_false = register_counter(choice.if_false);
    tree more_if_true = create_tmp_reg(word_type(), "pathcount");
    tree more_if_false = create_tmp_reg(word_type(), "pathcount");
    gimple_seq_add_stmt(seq, add_to_register_counter(more_if_true, choice.if_true, 1));
    gimple_seq_add_stmt(seq, add_to_register_counter(more_if_false, choice.if_false, 1));
    select(seq, branch, if_true, more_if_true, if_true);
    select(seq, branch, if_false, if_false, more_if_false);
  }

  void note_count(gimple_seq *seq, OpKind kind) {
    if (frame_ && (kind == OpKind::CountAt || kind == OpKind::CountConst))
      frame_->note_count(seq);
  }

  // The register that counts the path with this number.
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

  // What later iterations of the loop with this head begin with.
  tree saved(int64_t head) {
    tree &variable = saved_[head];
    if (!variable)
      variable = create_tmp_reg(TREE_TYPE(counters_.variable()), "pathsaved");
    return variable;
  }

  // The path with the number r + value ends here.
  void count_at(gimple_seq *seq, int64_t value) {
    tree cycles = clock_ ? clock_->spent(seq) : NULL_TREE;
    counters_.count_at(seq, value);
    if (!cycles)
      return;
    counters_.spend(seq, value, cycles);
    // The time that it takes to keep the cycles in a table belongs to no path.
    if (function_.notes.storage == PATHPROF_STORAGE_TABLE)
      clock_->begin_sequence();
  }

  const PlannedFunction &function_;
  PathCounters counters_;
  std::unique_ptr<Clock> clock_;           // metric=tsc
  std::unique_ptr<ActivationFrame> frame_; // exact termination
  Windows windows_{function_.plan->plan, counters_};
  std::map<int64_t, tree> counters_of_loop_;
  std::map<int64_t, tree> saved_;
};

void insert_before_branch(basic_block bb, const Choices &choices, Emitter &emitter) {
  gcond *branch = as_a<gcond *>(compat_last_stmt(bb));
  gimple_stmt_iterator gsi = gsi_for_stmt(branch);
  gsi_insert_seq_before(&gsi, emitter.statements(choices, branch), GSI_SAME_STMT);
}

// Under exact termination the register is known to the runtime while a call runs.  Not where the path is
// counted before the call, because control has no ordinary way on, and not at a call that returns twice:
// there the path begins behind it.
void place_before_calls(const PlannedFunction &function, Emitter &emitter) {
  PrefixNumbering numbering(function.notes.num_paths, function.notes.calls_by_block());
  for (const PossibleEnd &site : function.calls) {
    basic_block bb = gimple_bb(site.statement);
    bool goes_on = site.statement != compat_last_stmt(bb) || has_ordinary_succ(bb);
    if (goes_on && !(starts_with_receiver(bb) && first_statement(bb) == site.statement)) {
      gimple_stmt_iterator gsi = gsi_for_stmt(site.statement);
      gsi_insert_seq_before(&gsi, emitter.before_call(numbering.place_of(site.block, site.call)), GSI_SAME_STMT);
    }
  }
}

// Where control may arrive from activations that were unwound.
gimple_seq after_arrival(basic_block bb, const ActivationFrame &frame) {
  bool by_jump = false, by_exception = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->preds) {
    by_jump |= (e->flags & EDGE_ABNORMAL) && !is_computed_goto(e);
    by_exception |= (e->flags & EDGE_EH) != 0;
  }
  return by_jump ? frame.after_jump() : by_exception ? frame.after_unwinding() : nullptr;
}

} // namespace

void emit_plan(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime) {
  const Plan &plan = function.plan->plan;
  const std::vector<basic_block> &blocks = function.blocks;
  Emitter emitter(function, variables, runtime);
  // What stands right before a statement goes in first, what stands at a block's start last.
  place_before_calls(function, emitter);
  for (size_t index = NUM_FIXED_BLOCKS; index < blocks.size(); index++) {
    if (is_abnormal_dispatcher(blocks[index]))
      continue;
    if (gimple_seq seq = emitter.statements(plan.before_end[index]))
      insert_before_end(blocks[index], seq);
    if (!plan.choices[index].empty())
      insert_before_branch(blocks[index], plan.choices[index], emitter);
    gimple_seq seq = emitter.frame() ? after_arrival(blocks[index], *emitter.frame()) : nullptr;
    gimple_seq_add_seq(&seq, emitter.statements(plan.at_start[index]));
    if (seq)
      insert_at_start(blocks[index], seq);
  }
  if (gimple_seq seq = emitter.prologue())
    gsi_insert_seq_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), seq);
  for (size_t index = 0; index < function.edges.size(); index++) {
    gimple_seq seq = emitter.statements(plan.on_edge[index]);
    emitter.note_activation(&seq, function.plan->peeled.graph.edge(static_cast<int>(index)));
    if (emitter.frame() && function.edges[index]->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
      gimple_seq_add_seq(&seq, emitter.frame()->leave());
    if (seq)
      insert_on_edge(function.edges[index], seq);
  }
  gsi_commit_edge_inserts();
  emitter.branch();
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

} // namespace pathprof
