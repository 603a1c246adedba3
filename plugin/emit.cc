// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of a plan, as GIMPLE statements.
//
// With array storage the path register is a pointer into the counters: in position-independent code an
// index would need the array's address in a second register.  With table storage it is the path's
// number; where interesting paths have slots (core/preferential.h), both of its numbers.
#include "plugin/emit.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>

#include "core/prefix.h"
#include "profile/abi.h"

#include "plugin/clock.h"
#include "plugin/forest.h"
#include "plugin/front.h"
#include "plugin/gcc.h"
#include "plugin/sequence.h"
#include "plugin/insert.h"
#include "plugin/statements.h"
#include "plugin/windows.h"

namespace pathprof {

namespace {

class Emitter : private PathRegister {
public:
  Emitter(const PlannedFunction &function, UnitVariables &variables, const RuntimeFunctions &runtime)
      : function_(function), variables_(variables), runtime_(runtime),
        array_(function.notes.storage == PATHPROF_STORAGE_ARRAY && !function.slots), update_(function.update),
        register_(create_tmp_reg(array_ ? pointer_type() : word_type(), "pathreg")) {
    if (update_ == Update::Thread)
      to_own_ = create_tmp_reg(word_type(), "pathown");
    if (function.notes.measures_cycles())
      clock_ = std::make_unique<Clock>();
    if (function.notes.has_forest())
      forest_ = std::make_unique<ForestState>(address_of(function.table), function.notes.model.k, update_);
    if (!function.calls.empty())
      frame_ = create_tmp_reg(ptr_type_node, "pathframe");
    if (function.notes.model.mode == Mode::Preferential)
      prepare_residual_paths();
    if (array_)
      bias_ = std::max<int64_t>(0, *std::max_element(behind_at().begin(), behind_at().end()) -
                                       static_cast<int64_t>(function.counters.index));
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
    look_at_front_first(calls_to_count_, residual_info_ ? CountCall::Residual : CountCall::Function, update_);
    look_at_slots();
    look_at_zeros();
    if (forest_)
      forest_->look_at_ways_first();
  }

  bool has_frame() const { return frame_ != NULL_TREE; }

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
    if (to_own_)
      call(&seq, runtime_.thread, to_own_);
    if (forest_)
      forest_->begin(&seq, own(&seq, address_of(function_.table)));
    if (frame_)
      enter(&seq);
    return seq;
  }

  // What it does on its way out.
  gimple_seq epilogue() { return call_with_frame(runtime_.leave); }
  // In a handler: activations that this one called may have ended without leaving.
  gimple_seq after_unwinding() { return call_with_frame(runtime_.unwound); }
  // Where abnormal edges arrive: so may have this activation's own path.
  gimple_seq after_jump() { return call_with_frame(runtime_.jumped); }

  // Before a call at which a path may be cut short.
  gimple_seq before_call(uint64_t place) {
    gimple_seq seq = nullptr;
    store(&seq, offsetof(pathprof_frame, path_register), array_ ? converted(&seq, word_type(), register_) : register_);
    store(&seq, offsetof(pathprof_frame, call), word(static_cast<int64_t>(place) + 1));
    return seq;
  }

private:
  static constexpr int64_t kCounterSize = 8;
  static constexpr uint64_t kCounterShift = 3;

  void perform(gimple_seq *seq, const Op &op) {
    switch (op.kind) {
    case OpKind::Set:
      gimple_seq_add_stmt(seq, gimple_build_assign(register_, start(seq, op.value)));
      if (clock_)
        clock_->start(seq);
      break;
    case OpKind::Add:
      gimple_seq_add_stmt(seq, advance(register_, register_, op.value));
      break;
    case OpKind::CountAt:
      count_at(seq, op.value);
      break;
    case OpKind::CountConst:
      count_path(seq, op.value, word(1));
      break;
    case OpKind::Clear:
      gimple_seq_add_stmt(seq, gimple_build_assign(tally(op.value), word(0)));
      break;
    case OpKind::Tally:
      gimple_seq_add_stmt(seq, add_to_tally(tally(op.value), op.value, 1));
      break;
    case OpKind::Untally:
      gimple_seq_add_stmt(seq, add_to_tally(tally(op.value), op.value, -1));
      break;
    case OpKind::Flush:
      count_path(seq, op.value, tally(op.value));
      break;
    case OpKind::Repeat: {
      const RepeatedPath &repeated = function_.plan->plan.repeats[static_cast<size_t>(op.value)];
      count_path(seq, repeated.path, word(static_cast<int64_t>(repeated.times)));
      break;
    }
    case OpKind::UncountAt:
      array_ ? increment(seq, counter_at(op.value), word(-1)) : count_sum(seq, sum(seq, op.value), word(-1));
      break;
    case OpKind::Enter:
    case OpKind::KeepHead:
    case OpKind::SetBody:
    case OpKind::AddBody:
    case OpKind::Around:
    case OpKind::Settle:
    case OpKind::Accumulate:
    case OpKind::Leave:
      windows_.perform(seq, op);
      break;
    case OpKind::Save:
      gimple_seq_add_stmt(seq, gimple_build_assign(saved(op.value), register_));
      break;
    case OpKind::Restore:
      gimple_seq_add_stmt(seq, gimple_build_assign(register_, saved(op.value)));
      break;
    case OpKind::Pass:
    case OpKind::Resume:
    case OpKind::Restart:
    case OpKind::Return:
      gcc_unreachable(); // plugin/emit_program.h
    }
    note_count(seq, op.kind);
  }

  // ---- the path register, for windows ----

  tree variable() const override { return register_; }
  // A temporary: the address of a counter is no operand of everything.
  tree value_of(gimple_seq *seq, int64_t value) override { return copied(seq, start(seq, value), "pathsum"); }

  tree plus(gimple_seq *seq, tree value, tree amount, int64_t factor) override {
    int64_t scale = array_ ? factor * kCounterSize : factor;
    tree product = scale == 1 ? amount : binary(seq, MULT_EXPR, amount, word(scale));
    return array_ ? displaced(seq, pointer_type(), value, product, "pathsum") : binary(seq, PLUS_EXPR, value, product);
  }

  tree plus(gimple_seq *seq, tree value, int64_t number) override {
    return number == 0 ? value : append(seq, advance(create_tmp_reg(TREE_TYPE(register_), "pathsum"), value, number));
  }

  void count(gimple_seq *seq, tree value, int64_t number) override {
    array_ ? increment(seq, at(value, number - bias_), word(1)) : call_count(seq, plus(seq, value, number));
  }

  void count(gimple_seq *seq, tree value, int64_t number, tree amount) override {
    gcc_assert(array_);
    increment(seq, at(value, number - bias_), amount);
  }

  // Both values are computed and the branch's condition selects one: the machine compares once, for the
  // selection and for the branch, and constant addresses are computed outside of loops.
  void choose(gimple_seq *seq, gcond *branch, const Choice &choice) {
    switch (choice.kind) {
    case OpKind::Set: {
      tree if_true = start(seq, choice.if_true), if_false = start(seq, choice.if_false);
      select(seq, branch, register_, if_true, if_false);
      break;
    }
    case OpKind::Add: {
      tree if_true = sum(seq, choice.if_true), if_false = sum(seq, choice.if_false);
      select(seq, branch, register_, if_true, if_false);
      break;
    }
    case OpKind::CountAt:
      choose_count(seq, branch, sum(seq, choice.if_true - bias_), sum(seq, choice.if_false - bias_));
      break;
    case OpKind::CountConst:
      choose_count(seq, branch, start(seq, choice.if_true - bias_), start(seq, choice.if_false - bias_));
      break;
    case OpKind::Tally:
      choose_tally(seq, branch, choice);
      break;
    case OpKind::SetBody:
      select(seq, branch, windows_.body(), word(choice.if_true), word(choice.if_false));
      break;
    case OpKind::AddBody: {
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

  // count[branch ? if_true : if_false] += 1; these are addresses of counters, or numbers of paths.
  void choose_count(gimple_seq *seq, gcond *branch, tree if_true, tree if_false) {
    tree selected = create_tmp_reg(TREE_TYPE(register_), "pathsel");
    select(seq, branch, selected, if_true, if_false);
    array_ ? count_in_array(seq, at(selected, 0), word(1)) : count_sum(seq, selected, word(1));
  }

  void choose_tally(gimple_seq *seq, gcond *branch, const Choice &choice) {
    tree if_true = tally(choice.if_true), if_false = tally(choice.if_false);
    tree more_if_true = create_tmp_reg(word_type(), "pathcount");
    tree more_if_false = create_tmp_reg(word_type(), "pathcount");
    gimple_seq_add_stmt(seq, add_to_tally(more_if_true, choice.if_true, 1));
    gimple_seq_add_stmt(seq, add_to_tally(more_if_false, choice.if_false, 1));
    select(seq, branch, if_true, more_if_true, if_true);
    select(seq, branch, if_false, if_false, more_if_false);
  }

  // The frame says that its path is counted.
  void note_count(gimple_seq *seq, OpKind kind) {
    if (frame_ && (kind == OpKind::CountAt || kind == OpKind::CountConst))
      store(seq, offsetof(pathprof_frame, call), build_int_cstu(word_type(), PATHPROF_FRAME_COUNTED));
  }

  const std::vector<int64_t> &behind_at() const { return function_.plan->increments.behind_at; }

  // The register that counts the path with this number.
  tree tally(int64_t path) {
    tree &variable = tallies_[path];
    if (!variable)
      variable = create_tmp_reg(word_type(), "pathtally");
    return variable;
  }

  // What later iterations of the loop with this head begin with.
  tree saved(int64_t head) {
    tree &variable = saved_[head];
    if (!variable)
      variable = create_tmp_reg(TREE_TYPE(register_), "pathsaved");
    return variable;
  }

  tree own(gimple_seq *seq, tree address) const { return own_address(seq, address, to_own_); }

  // Of a counter; `value` may lead out of the array: it is a base, additions lead back.
  tree counter_address(int64_t value) const { return address_of(function_.counters, value); }

  // counters[first + value], as an lvalue
  tree counter(gimple_seq *seq, int64_t value) {
    if (to_own_)
      return build2(MEM_REF, word_type(), own(seq, counter_address(value)), build_int_cst(pointer_type(), 0));
    tree index = build_int_cst(sizetype, static_cast<int64_t>(function_.counters.index) + value);
    return build4(ARRAY_REF, word_type(), function_.counters.array, index, NULL_TREE, NULL_TREE);
  }

  // *(register + value), as an lvalue
  tree counter_at(int64_t value) const { return at(register_, value - bias_); }

  // pointer[index], as an lvalue
  tree at(tree pointer, int64_t index) const {
    return build2(MEM_REF, word_type(), pointer, build_int_cst(pointer_type(), index * kCounterSize));
  }

  // &counters[first + value], or value: what the register is set to
  tree start(gimple_seq *seq, int64_t value) { return array_ ? own(seq, counter_address(value + bias_)) : word(value); }

  // to = from + value
  gassign *advance(tree to, tree from, int64_t value) const {
    return array_ ? gimple_build_assign(to, POINTER_PLUS_EXPR, from, build_int_cst(sizetype, value * kCounterSize))
                  : gimple_build_assign(to, PLUS_EXPR, from, word(value));
  }

  // register + value, in a temporary
  tree sum(gimple_seq *seq, int64_t value) { return plus(seq, register_, value); }

  // to = tally[path] + amount
  gassign *add_to_tally(tree to, int64_t path, int64_t amount) {
    return gimple_build_assign(to, PLUS_EXPR, tally(path), word(amount));
  }

  // counter += amount
  void increment(gimple_seq *seq, tree counter, tree amount) { append_increment(seq, counter, amount, update_); }

  void call(gimple_seq *seq, tree function, tree result) {
    gcall *statement = gimple_build_call(function, 0);
    gimple_call_set_lhs(statement, result);
    gimple_seq_add_stmt(seq, statement);
  }

  // count (&tables[index], key)
  void call_count(gimple_seq *seq, tree id) {
    if (forest_) {
      forest_->emit(seq, id, runtime_);
      return;
    }
    if (residual_info_) {
      calls_to_count_.push_back(call_residual(seq, function_.table, id, word(1)));
      return;
    }
    tree function = update_ == Update::Atomic ? runtime_.count_atomic : runtime_.count;
    tree table = own(seq, address_of(function_.table));
    calls_to_count_.push_back(gimple_build_call(function, 2, table, key_of(seq, id)));
    gimple_seq_add_stmt(seq, calls_to_count_.back());
  }

  // The path with this number was executed so often more.
  void count_path(gimple_seq *seq, int64_t path, tree amount) {
    if (!array_)
      return count_sum(seq, word(path), amount);
    if (residual_info_ && !function_.notes.is_interesting(static_cast<uint64_t>(path)))
      count_in_array(seq, counter(seq, path), amount);
    else
      increment(seq, counter(seq, path), amount);
  }

  // `sum`: what the path register has at the path's end.
  void count_sum(gimple_seq *seq, tree sum, tree amount) {
    if (!function_.slots)
      return call_count(seq, sum); // once
    if (TREE_CODE(sum) != INTEGER_CST) {
      slot_counts_.push_back(call_residual(seq, function_.residual, sum, amount));
      return;
    }
    if (std::optional<uint64_t> slot = function_.slots->slot_of(tree_to_uhwi(sum)))
      increment(seq, counter(seq, static_cast<int64_t>(*slot)), amount);
    else
      call_residual(seq, function_.residual, sum, amount);
  }

  // ---- mode=preferential ----

  // What is counted beside slots is counted by the runtime; so it is where it tells of residual paths.
  void prepare_residual_paths() {
    const FunctionNotes &notes = function_.notes;
    bool notifies = function_.notifies && notes.interesting.size() < notes.num_paths;
    if (!notifies && !function_.slots)
      return;
    ResidualInfo info;
    if (notifies)
      info.name = notes.name;
    if (function_.slots) {
      info.mask = (uint64_t{1} << function_.slots->shift()) - 1;
      info.num_slots = function_.slots->num_slots();
      // Masked, every slot has a key; those behind the last have one of slot 0.
      std::vector<uint64_t> keys = function_.slots->keys();
      for (slot_mask_ = 0; slot_mask_ + 1 < keys.size();)
        slot_mask_ = 2 * slot_mask_ + 1;
      keys.resize(slot_mask_ + 1, 0);
      keys_ = address_of({variables_.add_words(keys), 0});
    } else if (array_) {
      info.counters = function_.counters;
      info.num_counters = notes.num_paths;
    }
    if (notifies && !(function_.slots && function_.slots->has_all()))
      info.interesting = notes.interesting_ids();
    residual_info_ = variables_.add_residual_info(info);
  }

  // residual (&tables[index], sum, &info, amount)
  gcall *call_residual(gimple_seq *seq, const Place &table, tree sum, tree amount) {
    tree function = update_ == Update::Atomic ? runtime_.residual_atomic : runtime_.residual;
    gcall *statement = gimple_build_call(function, 4, own(seq, address_of(table)), sum, residual_info_, amount);
    gimple_seq_add_stmt(seq, statement);
    return statement;
  }

  // *counter += amount, after which the runtime is called if it was zero.
  void count_in_array(gimple_seq *seq, tree counter, tree amount) {
    if (!residual_info_)
      return increment(seq, counter, amount);
    tree before = append_fetch_and_add(seq, counter, amount, update_);
    gcall *statement = gimple_build_call(runtime_.first, 2, residual_info_, null_pointer_node);
    gimple_seq_add_stmt(seq, statement);
    zero_counts_.push_back({statement, before, amount, unshare_expr(counter)});
  }

  // Each of these calls of the runtime is made only where the path has no slot; else the slot's counter goes up:
  //
  //   slot = sum >> shift;
  //   if (keys[slot & mask] == sum)
  //     counters[slot & mask] += amount;
  //   else
  //     residual (table, sum, info, amount);
  void look_at_slots() {
    for (gcall *call : slot_counts_) {
      if (!gimple_bb(call))
        continue;
      gimple_seq look = nullptr, hit = nullptr;
      tree sum = gimple_call_arg(call, 1);
      tree slot =
          binary(&look, RSHIFT_EXPR, sum, build_int_cst(integer_type_node, function_.slots->shift()), "pathslot");
      tree masked = binary(&look, BIT_AND_EXPR, slot, word(static_cast<int64_t>(slot_mask_)), "pathslot");
      tree offset =
          converted(&look, sizetype, binary(&look, LSHIFT_EXPR, masked, word(kCounterShift), "pathslot"), "pathslot");
      tree key = copied(&look, at(displaced(&look, pointer_type(), keys_, offset), 0), "pathkey");
      gcond *is_hit = gimple_build_cond(EQ_EXPR, key, sum, NULL_TREE, NULL_TREE);
      gimple_seq_add_stmt(&look, is_hit);
      increment(&hit, at(displaced(&hit, pointer_type(), own(&hit, counter_address(0)), offset), 0),
                gimple_call_arg(call, 3));
      gimple_stmt_iterator gsi = gsi_for_stmt(call);
      gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
      branch_around(call, is_hit, hit);
    }
  }

  // These calls are made only where the counter was zero and is not any more.
  void look_at_zeros() {
    for (const ZeroCount &count : zero_counts_) {
      if (!gimple_bb(count.call))
        continue;
      gimple_seq look = nullptr;
      gcond *is_known;
      if (TREE_CODE(count.amount) == INTEGER_CST) {
        is_known = gimple_build_cond(NE_EXPR, count.before, word(0), NULL_TREE, NULL_TREE);
      } else {
        tree news = create_tmp_reg(word_type(), "pathcount");
        tree condition = compat_condition(&look, EQ_EXPR, count.before, word(0));
        gimple_seq_add_stmt(&look, gimple_build_assign(news, COND_EXPR, condition, count.amount, word(0)));
        is_known = gimple_build_cond(EQ_EXPR, news, word(0), NULL_TREE, NULL_TREE);
      }
      gimple_seq_add_stmt(&look, is_known);
      tree address = build_fold_addr_expr(count.counter);
      if (!is_gimple_val(address))
        address = copied(&look, address, "pathptr");
      gimple_call_set_arg(count.call, 1, address);
      update_stmt(count.call);
      gimple_stmt_iterator gsi = gsi_for_stmt(count.call);
      gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
      branch_around(count.call, is_known, nullptr);
    }
  }

  // The path with the number register + value ends here.
  void count_at(gimple_seq *seq, int64_t value) {
    tree cycles = clock_ ? clock_->spent(seq) : NULL_TREE;
    array_ ? count_in_array(seq, counter_at(value), word(1)) : count_sum(seq, sum(seq, value), word(1));
    if (cycles)
      spend(seq, value, cycles);
  }

  // The time that it takes to keep the cycles in a table belongs to no path.
  void spend(gimple_seq *seq, int64_t value, tree cycles) {
    if (array_)
      return increment(seq, counter_at(value + static_cast<int64_t>(function_.notes.num_paths)), cycles);
    tree function = update_ == Update::Atomic ? runtime_.spend_atomic : runtime_.spend;
    tree table = own(seq, address_of(function_.cycles));
    gimple_seq_add_stmt(seq, gimple_build_call(function, 3, table, sum(seq, value), cycles));
    clock_->begin_sequence();
  }

  FrameInfo frame_info() const {
    FrameInfo info = {
        function_.notes.name, function_.prefixes, function_.notes.num_paths, array_ ? kCounterShift : 0, {}};
    for (const PossibleEnd &site : function_.calls)
      info.behind.push_back(behind_at()[static_cast<size_t>(site.block)]);
    return info;
  }

  // frame = enter (&frame_infos[index], base of the path register)
  void enter(gimple_seq *seq) {
    tree base = word(0);
    if (array_)
      base = converted(seq, word_type(), own(seq, counter_address(bias_)));
    gcall *statement = gimple_build_call(runtime_.enter, 2, variables_.add_frame_info(frame_info()), base);
    gimple_call_set_lhs(statement, frame_);
    gimple_seq_add_stmt(seq, statement);
  }

  gimple_seq call_with_frame(tree function) {
    gimple_seq seq = nullptr;
    gimple_seq_add_stmt(&seq, gimple_build_call(function, 1, frame_));
    return seq;
  }

  // frame->field = value
  void store(gimple_seq *seq, size_t offset, tree value) {
    tree field = build2(MEM_REF, word_type(), frame_, build_int_cst(ptr_type_node, static_cast<HOST_WIDE_INT>(offset)));
    gimple_seq_add_stmt(seq, gimple_build_assign(field, value));
  }

  const PlannedFunction &function_;
  UnitVariables &variables_;
  const RuntimeFunctions &runtime_;
  bool array_;
  Update update_;
  tree register_;
  std::map<int64_t, tree> tallies_;
  std::map<int64_t, tree> saved_;
  std::vector<gcall *> calls_to_count_;
  // mode=preferential
  struct ZeroCount {
    gcall *call;
    tree before, amount, counter;
  };
  tree residual_info_ = NULL_TREE; // none: the runtime need not know of residual paths
  tree keys_ = NULL_TREE;          // address of the slots' keys
  uint64_t slot_mask_ = 0;
  std::vector<gcall *> slot_counts_;
  std::vector<ZeroCount> zero_counts_;
  // Keeps the pointer from ever pointing before the array: GCC takes it that none does, and that
  // *(register + 9) therefore is not one of the first nine counters.  At a block the register has a sum of
  // vals, which is not negative, less what it is behind there.
  int64_t bias_ = 0;
  tree to_own_ = NULL_TREE;      // update=thread: what to add to an address
  tree frame_ = NULL_TREE;       // exact termination: this activation's frame
  std::unique_ptr<Clock> clock_; // metric=tsc
  Windows windows_{function_.plan->plan, *this};
  std::unique_ptr<ForestState> forest_; // mode=kipf, where activations run through several paths
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
gimple_seq after_arrival(basic_block bb, Emitter &emitter) {
  bool by_jump = false, by_exception = false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->preds) {
    by_jump |= (e->flags & EDGE_ABNORMAL) && !is_computed_goto(e);
    by_exception |= (e->flags & EDGE_EH) != 0;
  }
  return by_jump ? emitter.after_jump() : by_exception ? emitter.after_unwinding() : nullptr;
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
    gimple_seq seq = emitter.has_frame() ? after_arrival(blocks[index], emitter) : nullptr;
    gimple_seq_add_seq(&seq, emitter.statements(plan.at_start[index]));
    if (seq)
      insert_at_start(blocks[index], seq);
  }
  if (gimple_seq seq = emitter.prologue())
    gsi_insert_seq_on_edge(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), seq);
  for (size_t index = 0; index < function.edges.size(); index++) {
    gimple_seq seq = emitter.statements(plan.on_edge[index]);
    emitter.note_activation(&seq, function.plan->peeled.graph.edge(static_cast<int>(index)));
    if (emitter.has_frame() && function.edges[index]->dest == EXIT_BLOCK_PTR_FOR_FN(cfun))
      gimple_seq_add_seq(&seq, emitter.epilogue());
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
