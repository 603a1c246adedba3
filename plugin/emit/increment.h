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

// Appends counter += amount. `counter` must be an lvalue.
static inline void append_increment(gimple_seq *seq, tree counter, tree amount, Update update) {
  if (update == Update::Atomic)
    append_atomic_increment(seq, counter, amount);
  else
    append_fetch_and_add(seq, counter, amount, update);
}

} // namespace pathprof

#endif
