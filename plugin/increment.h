// SPDX-License-Identifier: GPL-3.0-or-later
// Statements that let a counter go up.  Include after plugin/gcc.h.
#ifndef PATHPROF_PLUGIN_INCREMENT_H
#define PATHPROF_PLUGIN_INCREMENT_H

#include "plugin/arguments.h"

namespace pathprof {

// Appends the assignment; returns what it assigns to.
static inline tree append(gimple_seq *seq, gassign *statement) {
  gimple_seq_add_stmt(seq, statement);
  return gimple_assign_lhs(statement);
}

static inline void append_atomic_increment(gimple_seq *seq, tree counter, tree amount) {
  tree address = build_fold_addr_expr(counter);
  if (!is_gimple_val(address))
    address = append(seq, gimple_build_assign(create_tmp_reg(build_pointer_type(TREE_TYPE(counter)), "pathptr"),
                                              address));
  gimple_seq_add_stmt(
      seq, gimple_build_call(builtin_decl_explicit(BUILT_IN_ATOMIC_FETCH_ADD_8), 3, address, amount,
                             build_int_cst(integer_type_node, MEMMODEL_RELAXED)));
}

// counter += amount, and returns what it was; the counter is an lvalue.
static inline tree append_fetch_and_add(gimple_seq *seq, tree counter, tree amount, Update update) {
  tree type = TREE_TYPE(counter);
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

// The same, where nobody asks.
static inline void append_increment(gimple_seq *seq, tree counter, tree amount, Update update) {
  if (update == Update::Atomic)
    append_atomic_increment(seq, counter, amount);
  else
    append_fetch_and_add(seq, counter, amount, update);
}

} // namespace pathprof

#endif
