// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts the statements of a plan into GCC's CFG.
#include "plugin/gcc/insert.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// Inserts the statements at the start of a block that abnormal edges enter. The statements follow the labels. If the
// block starts with a call that returns twice or with a setjmp receiver, the statements also follow this call or
// receiver, because it does not preserve the path register.
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

// Inserts the statements before the final statement of the block, such as a computed goto or a call that does not
// return.
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

// Inserts the statements on the edge, or before certain calls at the end of its source block. Code after a tail call
// would not be executed. Code after a fork would also be executed in the child, and the path would be counted twice.
// Code after the start of a transaction would be executed again whenever the transaction is repeated or cancelled.
void insert_on_edge(edge e, gimple_seq seq) {
  gimple *call = tail_call_of(e->src);
  if (!call)
    call = fork_at_end(e->src);
  if (gimple *last = compat_last_stmt(e->src); last && gimple_call_builtin_p(last, BUILT_IN_RETURN))
    call = last; // __builtin_return returns from the function like a return statement.
  if (gimple *last = compat_last_stmt(e->src); last && gimple_call_builtin_p(last, BUILT_IN_TM_START))
    call = last;
  if (call) {
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  } else {
    gsi_insert_seq_on_edge(e, seq);
  }
}

} // namespace pathprof
