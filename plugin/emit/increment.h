// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the GIMPLE statements that increment a counter. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_EMIT_INCREMENT_H
#define PATHPROF_PLUGIN_EMIT_INCREMENT_H

#include "plugin/gcc/sequence.h"
#include "plugin/options/update.h"

namespace pathprof {

static inline void append_atomic_increment(gimple_seq *seq, tree counter, tree amount) {
  tree address = build_fold_addr_expr(counter);
  if (!is_gimple_val(address))
    address = copied(seq, address, "pathptr");
  gimple_seq_add_stmt(seq, gimple_build_call(builtin_decl_explicit(BUILT_IN_ATOMIC_FETCH_ADD_8), 3, address, amount,
                                             build_int_cst(integer_type_node, MEMMODEL_RELAXED)));
}

// Returns true if the counter is a byte that only records whether the path was executed (counters=bit). Such a counter
// has a Boolean type.
static inline bool is_byte_counter(tree counter) {
  return TREE_CODE(TREE_TYPE(counter)) == BOOLEAN_TYPE;
}

// Returns true if the counter is a 32-bit counter of a freestanding program.
static inline bool is_narrow_counter(tree counter) {
  return TYPE_PRECISION(TREE_TYPE(counter)) < TYPE_PRECISION(word_type());
}

// before = counter; after = before + 1; counter = after - (after == 0)
static inline void append_saturating_increment(gimple_seq *seq, tree counter) {
  tree type = TREE_TYPE(counter);
  tree before = append(seq, gimple_build_assign(create_tmp_reg(type, "pathcount"), counter));
  tree after = binary(seq, PLUS_EXPR, before, build_one_cst(type), "pathcount");
  tree wrapped = create_tmp_reg(boolean_type_node, "pathwrapped");
  append(seq, gimple_build_assign(wrapped, EQ_EXPR, after, build_zero_cst(type)));
  tree saturated = binary(seq, MINUS_EXPR, after, converted(seq, type, wrapped, "pathwrapped"), "pathcount");
  gimple_seq_add_stmt(seq, gimple_build_assign(unshare_expr(counter), saturated));
}

// Appends counter = MIN (counter + amount, the largest value of the counter). The sum is a 64-bit integer.
static inline void append_saturating_addition(gimple_seq *seq, tree counter, tree amount) {
  tree type = TREE_TYPE(counter);
  if (integer_onep(amount)) {
    append_saturating_increment(seq, counter);
    return;
  }
  tree before = append(seq, gimple_build_assign(create_tmp_reg(type, "pathcount"), counter));
  tree sum = binary(seq, PLUS_EXPR, converted(seq, word_type(), before, "pathcount"), amount, "pathcount");
  tree most = fold_convert(word_type(), TYPE_MAX_VALUE(type));
  tree saturated = converted(seq, type, binary(seq, MIN_EXPR, sum, most, "pathcount"), "pathcount");
  gimple_seq_add_stmt(seq, gimple_build_assign(unshare_expr(counter), saturated));
}

// Appends counter += amount and returns the previous count. `counter` must be an lvalue.
static inline tree append_fetch_and_add(gimple_seq *seq, tree counter, tree amount, Update update) {
  tree type = word_type();
  tree before = create_tmp_reg(type, "pathcount");
  if (update == Update::Atomic) {
    append_atomic_increment(seq, counter, amount);
    gimple_call_set_lhs(gimple_seq_last_stmt(*seq), before);
    return before;
  }
  append(seq, gimple_build_assign(before, counter));
  tree after = append(seq, gimple_build_assign(create_tmp_reg(type, "pathcount"), PLUS_EXPR, before, amount));
  gimple_seq_add_stmt(seq, gimple_build_assign(unshare_expr(counter), after));
  return before;
}

// Appends counter += amount. `counter` must be an lvalue. With counters=bit, appends a single store, which interrupts
// cannot tear.
static inline void append_increment(gimple_seq *seq, tree counter, tree amount, Update update) {
  if (is_byte_counter(counter))
    gimple_seq_add_stmt(seq, gimple_build_assign(counter, boolean_true_node));
  else if (is_narrow_counter(counter))
    append_saturating_addition(seq, counter, amount);
  else if (update == Update::Atomic)
    append_atomic_increment(seq, counter, amount);
  else
    append_fetch_and_add(seq, counter, amount, update);
}

} // namespace pathprof

#endif
