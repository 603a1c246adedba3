// SPDX-License-Identifier: GPL-3.0-or-later
// Translates the plan of a procedure into GIMPLE statements.
//
// In the comments on statements, `cell` is the address through which the partial path ID is passed, `base` is the
// partial path ID that the activation received, `number` is base + r, and `completions` is the number of completions
// from the procedure's EXIT.
#include "plugin/interprocedural/emit_procedure.h"

#include <algorithm>

#include "plugin/emit/increment.h"
#include "plugin/emit/inline_cache.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/sequence.h"
#include "plugin/gcc/insert.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

void assign(gimple_seq *seq, tree to, tree from) {
  gimple_seq_add_stmt(seq, gimple_build_assign(to, from));
}

tree plus(gimple_seq *seq, tree value, WideNumber amount) {
  return amount == 0 ? value : binary(seq, PLUS_EXPR, value, number(TREE_TYPE(value), amount));
}

tree stand_in(const char *name, tree result) {
  tree decl = build_fn_decl(name, build_function_type_list(result, NULL_TREE));
  TREE_NOTHROW(decl) = 1;
  DECL_ARTIFICIAL(decl) = 1;
  DECL_ATTRIBUTES(decl) = tree_cons(get_identifier("leaf"), NULL_TREE, DECL_ATTRIBUTES(decl));
  return decl;
}

void call(gimple_seq *seq, tree function, tree result) {
  gcall *statement = gimple_build_call(function, 0);
  gimple_call_set_lhs(statement, result);
  gimple_seq_add_stmt(seq, statement);
}

} // namespace

tree number_type(const PlannedUnit &unit) {
  return unit.notes.is_wide() ? unsigned_intTI_type_node : word_type();
}

tree number(tree type, WideNumber value) {
  HOST_WIDE_INT words[] = {static_cast<HOST_WIDE_INT>(value), static_cast<HOST_WIDE_INT>(value >> 64)};
  return wide_int_to_tree(type, wide_int::from_array(words, 2, 2 * HOST_BITS_PER_WIDE_INT));
}

StandIns::StandIns(tree number_type)
    : cell(stand_in("__pathprof_cell", build_pointer_type(number_type))),
      completions(stand_in("__pathprof_completions", number_type)),
      leave(stand_in("__pathprof_leave", void_type_node)) {}

// ---- counting ----

// Returns `address` or, with update=thread, the corresponding address in the current thread's copy of the counters:
//
//   tls_counter_offset = thread (); address + tls_counter_offset
tree UnitPathCounter::own(gimple_seq *seq, tree address) {
  if (update_ != Update::Thread)
    return address;
  tree tls_counter_offset = create_tmp_reg(word_type(), "pathown");
  pathprof::call(seq, runtime_.thread, tls_counter_offset);
  return own_address(seq, address, tls_counter_offset);
}

// Returns one of the following calls, depending on the storage of the unit's counts:
//
//   count_wide (table, number >> 62, number & (2^62 - 1));
//   count_mapped (table, number, num_paths);
//   count_program (table, number + 1, cache);
gcall *UnitPathCounter::call(gimple_seq *seq, tree id) {
  bool is_atomic = update_ == Update::Atomic;
  tree table = own(seq, address_of(unit_.table));
  if (unit_.notes.is_wide()) {
    tree type = TREE_TYPE(id), digit_bits = build_int_cst(integer_type_node, kDigitBits);
    tree high = converted(seq, word_type(), binary(seq, RSHIFT_EXPR, id, digit_bits));
    tree low = converted(seq, word_type(), binary(seq, BIT_AND_EXPR, id, number(type, kDigitValues - 1)));
    return gimple_build_call(is_atomic ? runtime_.count_wide_atomic : runtime_.count_wide, 3, table, high, low);
  }
  if (unit_.is_mapped)
    return gimple_build_call(is_atomic ? runtime_.count_mapped_atomic : runtime_.count_mapped, 3, table, id,
                             number(word_type(), wide(unit_.notes.num_paths)));
  tree cache = own(seq, address_of(unit_.cache));
  return gimple_build_call(is_atomic ? runtime_.count_program_atomic : runtime_.count_program, 3, table,
                           key_of(seq, id), cache);
}

// Emits code that counts a path, either with a call to the runtime or inline:
//
//   counters[number] += 1;
//   *(counters + tls_counter_offset + number * 8) += 1;
void UnitPathCounter::count(gimple_seq *seq, tree id) {
  if (unit_.notes.storage == PATHPROF_STORAGE_TABLE) {
    calls_.push_back(call(seq, id));
    gimple_seq_add_stmt(seq, calls_.back());
    return;
  }
  if (update_ != Update::Thread) {
    tree index = plus(seq, id, unit_.counters.index);
    append_increment(seq, build4(ARRAY_REF, word_type(), unit_.counters.array, index, NULL_TREE, NULL_TREE), word(1),
                     update_);
    return;
  }
  tree bytes = binary(seq, MULT_EXPR, converted(seq, sizetype, id), size_int(8));
  tree at = displaced(seq, pointer_type(), own(seq, address_of(unit_.counters)), bytes);
  append_increment(seq, build2(MEM_REF, word_type(), at, build_int_cst(pointer_type(), 0)), word(1), update_);
}

void UnitPathCounter::branch() {
  if (unit_.notes.is_wide())
    return;
  if (unit_.is_mapped)
    look_for_array_first(calls_, update_);
  else
    look_into_inline_caches_first(calls_, CountCall::Program, update_);
}

// ---- a procedure ----

namespace {

class ProcedureEmitter {
public:
  ProcedureEmitter(const PlannedUnit &unit, int procedure, const RuntimeFunctions &runtime)
      : procedure_(unit.supergraph.procedures[static_cast<size_t>(procedure)]),
        numbering_(unit.numbering->of(procedure)), planned_(unit.procedures[static_cast<size_t>(procedure)]),
        plan_(planned_.plan), counter_(unit, runtime, planned_.function->update), type_(number_type(unit)),
        cell_(create_tmp_reg(build_pointer_type(type_), "pathcell")), completions_(variable("pathcompletions")),
        base_(variable("pathbase")), number_(variable("pathnumber")), known_completions_(planned_.completions) {
    if (!known_completions_ && any([](const ProcedureOp &op) { return op.amount.factor != 0; }))
      factor_ = variable("pathfactor");
    if (unit.numbering->is_piecewise())
      mark_ = variable("pathmark");
    else if (any([](const ProcedureOp &op) { return op.kind == ProcedureOp::Restart; }))
      on_entry_ = variable("pathentry");
  }

  ProcedureBody run(const StandIns &stand_ins) {
    split_blocks();
    const FlowGraph &graph = planned_.plan.graph;
    for (int block = NUM_FIXED_BLOCKS; block < graph.num_blocks(); block++) {
      basic_block bb = blocks_[static_cast<size_t>(block)];
      if (!bb || is_abnormal_dispatcher(bb))
        continue;
      if (gimple_seq seq = statements(plan_.before_end[static_cast<size_t>(block)], call_at_end(block)))
        insert_before_end(bb, seq);
      if (gimple_seq seq = statements(plan_.at_start[static_cast<size_t>(block)], -1))
        insert_at_start(bb, seq);
    }
    gsi_insert_seq_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), prologue(stand_ins));
    for (int e = 0; e < graph.num_edges(); e++) {
      gimple_seq seq =
          statements(plan_.on_edge[static_cast<size_t>(e)], numbering_.split.call_on[static_cast<size_t>(e)]);
      if (graph.edge(e).dst == kExitBlock)
        call(&seq, stand_ins.leave, NULL_TREE);
      if (seq && edges_[static_cast<size_t>(e)])
        insert_on_edge(edges_[static_cast<size_t>(e)], seq);
    }
    gsi_commit_edge_inserts();
    counter_.branch();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
    return {cell_, std::move(passed_)};
  }

private:
  tree variable(const char *name) const { return create_tmp_reg(type_, name); }
  tree constant(const mpz_class &value) const { return number(type_, wide(value)); }

  template <typename Predicate>
  bool any(Predicate predicate) const {
    for (const std::vector<ProcedureOps> *places : {&plan_.on_edge, &plan_.at_start, &plan_.before_end})
      for (const ProcedureOps &ops : *places)
        if (std::any_of(ops.begin(), ops.end(), predicate))
          return true;
    return false;
  }

  // Splits the function's blocks so that its CFG matches the graph in which blocks end at calls.
  void split_blocks() {
    edges_ = planned_.function->edges;
    for (int block = 0; block < procedure_.graph.num_blocks(); block++)
      blocks_.push_back(BASIC_BLOCK_FOR_FN(cfun, block));
    for (size_t i = 0; i < procedure_.calls.size(); i++) {
      if (procedure_.calls[i].kind == CallKind::SteppedOver)
        continue;
      gcall *call = planned_.calls[i];
      basic_block bb = gimple_bb(call);
      edge on;
      if (gimple_call_noreturn_p(call)) { // no successor
        edges_.push_back(nullptr);
        blocks_.push_back(nullptr);
        continue;
      }
      if (stmt_ends_bb_p(call)) {
        edge out = find_fallthru_edge(bb->succs);
        basic_block behind = split_edge(out);
        std::replace(edges_.begin(), edges_.end(), out, single_succ_edge(behind));
        on = find_edge(bb, behind);
      } else {
        on = split_block(bb, call);
      }
      edges_.push_back(on);
      blocks_.push_back(on->dest);
    }
  }

  // Returns the index of the call that ends the block, or -1 if the block does not end with a call.
  int call_at_end(int block) const {
    for (int e : numbering_.split.graph.succs(block))
      if (numbering_.split.is_call(e))
        return numbering_.split.call_on[static_cast<size_t>(e)];
    return -1;
  }

  // Returns the statements to insert at the function's entry. If the number of completions is known, `completions` is a
  // constant. `on_entry` is needed only with mode=context, for paths that can restart. `mark` is needed only with
  // mode=piecewise:
  //
  //   cell = __pathprof_cell ();
  //   completions = __pathprof_completions ();
  //   base = cell[0];
  //   on_entry = base; mark = 0;
  gimple_seq prologue(const StandIns &stand_ins) {
    gimple_seq seq = nullptr;
    call(&seq, stand_ins.cell, cell_);
    if (known_completions_)
      assign(&seq, completions_, number(type_, *known_completions_));
    else
      call(&seq, stand_ins.completions, completions_);
    assign(&seq, base_, in_cell(kNumberInCell));
    if (on_entry_)
      assign(&seq, on_entry_, base_);
    if (mark_)
      assign(&seq, mark_, number(type_, 0));
    return seq;
  }

  // cell[place], as an lvalue
  tree in_cell(uint64_t place) const {
    return build2(MEM_REF, type_, cell_,
                  fold_convert(TREE_TYPE(cell_), size_binop(MULT_EXPR, size_int(place), TYPE_SIZE_UNIT(type_))));
  }

  gimple_seq statements(const ProcedureOps &ops, int call) {
    gimple_seq seq = nullptr;
    for (const ProcedureOp &op : ops)
      perform(&seq, op, call);
    return seq;
  }

  // Emits the code for one operation. For Pass and Resume, `call` is the index of the call.
  void perform(gimple_seq *seq, const ProcedureOp &op, int call) {
    switch (op.kind) {
    case ProcedureOp::Set: // number = base + constant; factor = its factor
      assign(seq, number_, plus(seq, base_, constant_of(op)));
      if (factor_)
        assign(seq, factor_, number(type_, op.amount.factor));
      break;
    case ProcedureOp::Add: // number += constant; factor += its factor
      if (constant_of(op))
        assign(seq, number_, plus(seq, number_, constant_of(op)));
      if (factor_ && op.amount.factor)
        assign(seq, factor_, plus(seq, factor_, op.amount.factor));
      break;
    case ProcedureOp::CountAt: // count[number + amount]++
      counter_.count(seq, sum(seq, op));
      break;
    case ProcedureOp::Pass:
      pass(seq, op, call);
      break;
    case ProcedureOp::Resume:
      resume(seq, call);
      break;
    case ProcedureOp::Restart:
      restart(seq);
      break;
    case ProcedureOp::Return: // cell[0] = number + amount; cell[1] = mark
      assign(seq, in_cell(kNumberInCell), sum(seq, op));
      if (mark_)
        assign(seq, in_cell(kMarkInCell), mark_);
      break;
    }
  }

  // Returns the constant part of `op.amount`. If the number of completions is known, the whole amount is constant.
  WideNumber constant_of(const ProcedureOp &op) const {
    return op.amount.constant + op.amount.factor * known_completions_.value_or(0);
  }

  // Emits code that computes number + op.amount.constant + (factor + op.amount.factor) * completions. Returns the
  // result.
  tree sum(gimple_seq *seq, const ProcedureOp &op) {
    tree result = plus(seq, number_, constant_of(op));
    if (!factor_)
      return result;
    tree factor = plus(seq, factor_, op.amount.factor);
    return binary(seq, PLUS_EXPR, result, binary(seq, MULT_EXPR, factor, completions_));
  }

  // Passes the partial path ID and the number of completions to the callee. The number of completions from the callee's
  // EXIT is the number of completions from the return site in the caller (Melski and Reps, section 5.4).
  //
  //   cell[0] = number + amount; passed = completions * a + b;
  void pass(gimple_seq *seq, const ProcedureOp &op, int call) {
    assign(seq, in_cell(kNumberInCell), sum(seq, op));
    const Linear &completions = numbering_.psi_return[static_cast<size_t>(call)];
    tree product = binary(seq, MULT_EXPR, completions_, constant(completions.a));
    tree passed = variable("pathpassed");
    assign(seq, passed, plus(seq, product, wide(completions.b)));
    passed_[planned_.calls[static_cast<size_t>(call)]] = passed;
  }

  // Reads the partial path ID that the callee stored:
  //
  //   base = cell[0];
  //
  // With mode=piecewise, the path may have started inside the callee:
  //
  //   inside = cell[1];
  //   base = inside ? base + return value : base;
  //   completions = inside ? num_from_exit : completions;
  //   mark |= inside;
  void resume(gimple_seq *seq, int call) {
    assign(seq, base_, in_cell(kNumberInCell));
    if (!mark_)
      return;
    tree mark = variable("pathmark");
    assign(seq, mark, in_cell(kMarkInCell));
    select(seq, mark, base_, plus(seq, base_, wide(numbering_.return_value[static_cast<size_t>(call)])));
    select(seq, mark, completions_, constant(numbering_.num_from_exit));
    assign(seq, mark_, binary(seq, BIT_IOR_EXPR, mark_, mark));
  }

  // variable = mark ? if_set : variable
  static void select(gimple_seq *seq, tree mark, tree variable, tree if_set) {
    tree condition = compat_condition(seq, NE_EXPR, mark, number(TREE_TYPE(mark), 0));
    gimple_seq_add_stmt(seq, gimple_build_assign(variable, COND_EXPR, condition, if_set, variable));
  }

  // Emits code that starts a new path. With mode=context:
  //
  //   base = on_entry;
  //
  // With mode=piecewise:
  //
  //   base = gentry_value; completions = num_from_exit; mark = 1;
  void restart(gimple_seq *seq) {
    if (!mark_) {
      assign(seq, base_, on_entry_);
      return;
    }
    assign(seq, base_, constant(numbering_.gentry_value));
    assign(seq, completions_, constant(numbering_.num_from_exit));
    assign(seq, mark_, number(type_, 1));
  }

  const Procedure &procedure_;
  const ProcedureNumbering &numbering_;
  const PlannedProcedure &planned_;
  const ProcedurePlan &plan_;
  UnitPathCounter counter_;
  tree type_; // type of path IDs
  tree cell_, completions_, base_;
  tree number_, factor_ = NULL_TREE;            // base + t2 and t1 of section 5.5.1
  std::optional<WideNumber> known_completions_; // if known, t1 is part of t2
  tree on_entry_ = NULL_TREE;                   // pathNumOnEntry
  tree mark_ = NULL_TREE;                       // piecewise: set if no call is open (cntOpenLfParens = 0)
  std::vector<basic_block> blocks_;             // blocks of the split graph; null after a noreturn call
  std::vector<edge> edges_;                     // edges of the split graph; null after a noreturn call
  std::map<gcall *, tree> passed_;
};

} // namespace

ProcedureBody emit_procedure(const PlannedUnit &unit, int procedure, const StandIns &stand_ins,
                             const RuntimeFunctions &runtime) {
  return ProcedureEmitter(unit, procedure, runtime).run(stand_ins);
}

} // namespace pathprof
