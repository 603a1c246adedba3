// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a plan, as GIMPLE statements.
//
// With array storage the path register is a pointer into the counters: in position-independent code an
// index would need the array's address in a second register.  With table storage it is the path's
// number.
#include "plugin/emit.h"

#include <algorithm>
#include <vector>

#include "plugin/gcc.h"
#include "plugin/statements.h"

namespace pathprof {

namespace {

// A bound below every value that the register takes: on a path each operation comes at most once.
int64_t lowest_value(const Plan &plan) {
  int64_t lowest_set = 0, sum_of_falls = 0;
  for (const std::vector<Ops> *places : {&plan.on_edge, &plan.at_start, &plan.before_end})
    for (const Ops &ops : *places)
      for (const Op &op : ops) {
        if (op.kind == OpKind::Set)
          lowest_set = std::min(lowest_set, op.value);
        else if (op.kind == OpKind::Add)
          sum_of_falls += std::min<int64_t>(0, op.value);
      }
  return lowest_set + sum_of_falls;
}

class Emitter {
public:
  Emitter(const PlannedFunction &function, const UnitVariables &variables)
      : function_(function), array_(function.notes.storage == PATHPROF_STORAGE_ARRAY),
        counter_type_(long_long_unsigned_type_node),
        pointer_type_(build_pointer_type(counter_type_)),
        storage_(array_ ? variables.counters() : variables.tables()),
        register_(create_tmp_reg(array_ ? pointer_type_ : counter_type_, "pathreg")),
        count_function_(variables.count_function()) {
    if (array_)
      bias_ = std::max<int64_t>(0, -lowest_value(*function.plan) -
                                       static_cast<int64_t>(function.storage_index));
  }

  // The statements of some operations.
  gimple_seq statements(const Ops &ops) {
    gimple_seq seq = nullptr;
    for (const Op &op : ops) {
      switch (op.kind) {
      case OpKind::Set:
        set(&seq, op.value);
        break;
      case OpKind::Add:
        add(&seq, op.value);
        break;
      case OpKind::CountAt:
        array_ ? increment(&seq, counter_at(op.value)) : call_count(&seq, sum(&seq, op.value));
        break;
      case OpKind::CountConst:
        array_ ? increment(&seq, counter(op.value)) : call_count(&seq, number(op.value));
        break;
      }
    }
    return seq;
  }

private:
  static constexpr int64_t kCounterSize = 8;

  tree number(int64_t value) const { return build_int_cst(counter_type_, value); }

  // counters[first + value], as an lvalue
  tree counter(int64_t value) const {
    tree index = build_int_cst(sizetype, static_cast<int64_t>(function_.storage_index) + value);
    return build4(ARRAY_REF, counter_type_, storage_, index, NULL_TREE, NULL_TREE);
  }

  // *(register + value), as an lvalue
  tree counter_at(int64_t value) const {
    return build2(MEM_REF, counter_type_, register_,
                  build_int_cst(pointer_type_, (value - bias_) * kCounterSize));
  }

  // register = &counters[first + value], or register = value
  void set(gimple_seq *seq, int64_t value) {
    tree to = number(value);
    if (array_) {
      // An address behind the array is only a base; what is added later leads back into it.
      int64_t offset = (static_cast<int64_t>(function_.storage_index) + value + bias_) * kCounterSize;
      to = build1(ADDR_EXPR, pointer_type_,
                  build2(MEM_REF, counter_type_, build_fold_addr_expr(storage_),
                         build_int_cst(pointer_type_, offset)));
    }
    gimple_seq_add_stmt(seq, gimple_build_assign(register_, to));
  }

  // register += value
  void add(gimple_seq *seq, int64_t value) {
    gimple_seq_add_stmt(
        seq, array_ ? gimple_build_assign(register_, POINTER_PLUS_EXPR, register_,
                                          build_int_cst(sizetype, value * kCounterSize))
                    : gimple_build_assign(register_, PLUS_EXPR, register_, number(value)));
  }

  // register + value, in a temporary
  tree sum(gimple_seq *seq, int64_t value) {
    if (value == 0)
      return register_;
    tree result = create_tmp_reg(counter_type_, "pathid");
    gimple_seq_add_stmt(seq, gimple_build_assign(result, PLUS_EXPR, register_, number(value)));
    return result;
  }

  // counter += 1
  void increment(gimple_seq *seq, tree counter) {
    tree before = create_tmp_reg(counter_type_, "pathcount");
    tree after = create_tmp_reg(counter_type_, "pathcount");
    gimple_seq_add_stmt(seq, gimple_build_assign(before, counter));
    gimple_seq_add_stmt(seq, gimple_build_assign(after, PLUS_EXPR, before, number(1)));
    gimple_seq_add_stmt(seq, gimple_build_assign(unshare_expr(counter), after));
  }

  // __pathrt_count (&tables[index], id)
  void call_count(gimple_seq *seq, tree id) {
    tree index = size_int(function_.storage_index * UnitVariables::words_per_table());
    tree head = build4(ARRAY_REF, counter_type_, storage_, index, NULL_TREE, NULL_TREE);
    gimple_seq_add_stmt(seq,
                        gimple_build_call(count_function_, 2, build_fold_addr_expr(head), id));
  }

  const PlannedFunction &function_;
  bool array_;
  // Keeps the pointer from ever pointing before the array: GCC takes it that none does, and that
  // *(register + 9) therefore is not one of the first nine counters.
  int64_t bias_ = 0;
  tree counter_type_;
  tree pointer_type_;
  tree storage_;
  tree register_;
  tree count_function_;
};

// On arrival in a block that abnormal edges enter: below its labels, and behind a call that returns
// twice or a setjmp receiver, for before it the path register does not survive.
void insert_at_start(basic_block bb, gimple_seq seq) {
  gimple *first = first_statement(bb);
  if (!starts_with_receiver(bb)) {
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    return;
  }
  if (stmt_ends_bb_p(first)) {
    edge on = find_fallthru_edge(bb->succs);
    if (on)
      gsi_insert_seq_on_edge(on, seq);
    return;
  }
  gimple_stmt_iterator gsi = gsi_for_stmt(first);
  gsi_insert_seq_after(&gsi, seq, GSI_SAME_STMT);
}

// Before the statement that control does not pass: a call that does not return, a computed goto.
void insert_before_end(basic_block bb, gimple_seq seq) {
  gimple *last = compat_last_stmt(bb);
  if (last && gimple_call_builtin_p(last, BUILT_IN_UNREACHABLE))
    return;
  if (!last || gimple_code(last) == GIMPLE_LABEL) {
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    return;
  }
  gimple_stmt_iterator gsi = gsi_for_stmt(last);
  if (is_ctrl_stmt(last) || is_gimple_call(last) || stmt_ends_bb_p(last))
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  else
    gsi_insert_seq_after(&gsi, seq, GSI_SAME_STMT);
}

} // namespace

void emit_plan(const PlannedFunction &function, const UnitVariables &variables) {
  const Plan &plan = *function.plan;
  Emitter emitter(function, variables);
  std::vector<basic_block> blocks;
  for (int index = 0; index < n_basic_blocks_for_fn(cfun); index++)
    blocks.push_back(BASIC_BLOCK_FOR_FN(cfun, index));
  for (size_t index = NUM_FIXED_BLOCKS; index < blocks.size(); index++) {
    if (is_abnormal_dispatcher(blocks[index]))
      continue;
    // The end first: a seq at the start may stand right before the last statement.
    if (gimple_seq seq = emitter.statements(plan.before_end[index]))
      insert_before_end(blocks[index], seq);
    if (gimple_seq seq = emitter.statements(plan.at_start[index]))
      insert_at_start(blocks[index], seq);
  }
  for (size_t index = 0; index < function.edges.size(); index++)
    if (gimple_seq seq = emitter.statements(plan.on_edge[index]))
      gsi_insert_seq_on_edge(function.edges[index], seq);
  gsi_commit_edge_inserts();
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
}

} // namespace pathprof
