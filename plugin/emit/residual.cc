// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the counting code of functions with interesting paths (mode=preferential).
#include <cstdint>
#include <optional>
#include <vector>

#include "plugin/gcc/gcc.h"

#include "plugin/emit/increment.h"
#include "plugin/emit/runtime_calls.h"
#include "plugin/emit/residual.h"

namespace pathprof {

ResidualPaths::ResidualPaths(const PlannedFunction &function, const CounterMemory &memory, UnitVariables &variables,
                             const RuntimeFunctions &runtime)
    : function_(function), memory_(memory), runtime_(runtime) {
  const FunctionNotes &notes = function.notes;
  bool notifies = function.notifies && notes.interesting.size() < notes.num_paths;
  if (!notifies && !function.slots)
    return;
  ResidualInfo info;
  if (notifies)
    info.name = notes.name;
  if (function.slots) {
    info.mask = (uint64_t{1} << function.slots->shift()) - 1;
    info.num_slots = function.slots->num_slots();
    declare_keys(variables);
  } else if (notes.storage == PATHPROF_STORAGE_ARRAY) {
    info.counters = function.counters;
    info.num_counters = notes.num_paths;
  }
  if (notifies && !(function.slots && function.slots->has_all()))
    info.interesting = notes.interesting_ids();
  info_ = variables.add_residual_info(info);
}

// Declares the array of keys. Its length is a power of two, so every masked slot number is a valid index. The entries
// after the last slot contain 0. They never match, because a path register with the value 0 selects the first entry.
void ResidualPaths::declare_keys(UnitVariables &variables) {
  std::vector<uint64_t> keys = function_.slots->keys();
  for (slot_mask_ = 0; slot_mask_ + 1 < keys.size();)
    slot_mask_ = 2 * slot_mask_ + 1;
  keys.resize(slot_mask_ + 1, 0);
  keys_ = address_of({variables.add_words(keys), 0});
}

// residual (table, sum, &info, amount, cache);
gcall *ResidualPaths::call(gimple_seq *seq, const Place &table, const Place &cache, tree sum, tree amount) const {
  tree function = memory_.is_atomic() ? runtime_.residual_atomic : runtime_.residual;
  tree own_cache = cache.array ? memory_.own(seq, address_of(cache)) : null_pointer_node;
  gcall *statement = gimple_build_call(function, 5, memory_.own(seq, address_of(table)), sum, info_, amount, own_cache);
  gimple_seq_add_stmt(seq, statement);
  return statement;
}

// Counts a path of a function with slots. If the sum is a constant, it is known at compile time whether the path has a
// slot, and one of the following statements is emitted:
//
//   counters[slot] += amount;      or      residual (table, sum, &info, amount, null);
//
// Otherwise, only the call is inserted here, and branch() expands it later.
void ResidualPaths::count_sum(gimple_seq *seq, tree sum, tree amount) {
  if (TREE_CODE(sum) != INTEGER_CST) {
    slot_counts_.push_back(call(seq, function_.second_table, {}, sum, amount));
    return;
  }
  if (std::optional<uint64_t> slot = function_.slots->slot_of(tree_to_uhwi(sum)))
    memory_.increment(seq, memory_.counter(seq, static_cast<int64_t>(*slot)), amount);
  else
    call(seq, function_.second_table, {}, sum, amount);
}

// Emits code that increments the counter and calls the runtime. Later, branch() makes the call conditional and passes
// the address of the counter to the runtime.
//
//   before = *counter; *counter = before + amount;
//   first (&info, counter);
void ResidualPaths::count_in_array(gimple_seq *seq, tree counter, tree amount) {
  if (!is_runtime_told()) {
    memory_.increment(seq, counter, amount);
    return;
  }
  tree before = append_fetch_and_add(seq, counter, amount, function_.update);
  gcall *statement = gimple_build_call(runtime_.first, 2, info_, null_pointer_node);
  gimple_seq_add_stmt(seq, statement);
  zero_counts_.push_back({statement, before, amount, unshare_expr(counter)});
}

// Replaces a call to the runtime with code that increments the slot's counter if the path has a slot:
//
//   slot = sum >> shift;
//   if (keys[slot & mask] == sum)
//     counters[slot & mask] += amount;
//   else
//     residual (table, sum, &info, amount, null);
void ResidualPaths::look_at_slot(gcall *call) {
  gimple_seq look = nullptr, hit = nullptr;
  tree sum = gimple_call_arg(call, 1);
  tree slot = binary(&look, RSHIFT_EXPR, sum, build_int_cst(integer_type_node, function_.slots->shift()), "pathslot");
  tree masked = binary(&look, BIT_AND_EXPR, slot, word(static_cast<int64_t>(slot_mask_)), "pathslot");
  tree bytes = binary(&look, LSHIFT_EXPR, masked, word(CounterMemory::kCounterShift), "pathslot");
  tree offset = converted(&look, sizetype, bytes, "pathslot");
  tree key = copied(&look, CounterMemory::at(displaced(&look, pointer_type(), keys_, offset), 0), "pathkey");
  gcond *is_hit = gimple_build_cond(EQ_EXPR, key, sum, NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, is_hit);
  tree counters = memory_.own(&hit, memory_.unit_address(0));
  memory_.increment(&hit, CounterMemory::at(displaced(&hit, pointer_type(), counters, offset), 0),
                    gimple_call_arg(call, 3));
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around(call, is_hit, hit);
}

// Makes a call to the runtime conditional, so that the runtime is called only when the count changes from zero to a
// different value:
//
//   if (before != 0)
//     ;
//   else
//     first (&info, counter);
//
// If the amount is not a constant, it may be zero. The condition is then:
//
//   news = before == 0 ? amount : 0;
//   if (news == 0)
void ResidualPaths::look_at_zero(const ZeroCount &count) {
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

// Skips calls that GCC has removed since.
void ResidualPaths::branch() {
  for (gcall *call : slot_counts_)
    if (gimple_bb(call))
      look_at_slot(call);
  for (const ZeroCount &count : zero_counts_)
    if (gimple_bb(count.call))
      look_at_zero(count);
}

} // namespace pathprof
