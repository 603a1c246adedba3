// SPDX-License-Identifier: GPL-3.0-or-later
// Emits the code that counts values (values=1): callees of indirect calls, operands, quotients and alignments.
#include <cstddef>

#include "profile/format/abi.h"
#include "profile/model/profile.h"

#include "plugin/gcc/gcc.h"

#include "plugin/emit/runtime_calls.h"
#include "plugin/emit/values.h"
#include "plugin/gcc/sequence.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// Returns an lvalue for the word at this offset in struct pathprof_indirect_call.
static tree word_of_call(size_t offset) {
  tree index = build_int_cst(sizetype, static_cast<int64_t>(offset / sizeof(uint64_t)));
  return build4(ARRAY_REF, word_type(), indirect_call_variable(), index, NULL_TREE, NULL_TREE);
}

static tree as_word(gimple_seq *seq, tree value) {
  return converted(seq, word_type(), value, "pathvalue");
}

// Returns min (dividend / divisor, 2), computed with two comparisons.
static tree quotient(gimple_seq *seq, gimple *remainder) {
  tree dividend = gimple_assign_rhs1(remainder), divisor = gimple_assign_rhs2(remainder);
  tree rest = binary(seq, MINUS_EXPR, dividend, divisor, "pathvalue");
  tree once = create_tmp_reg(word_type(), "pathvalue"), twice = create_tmp_reg(word_type(), "pathvalue");
  tree condition = compat_condition(seq, GE_EXPR, dividend, divisor);
  gimple_seq_add_stmt(seq, gimple_build_assign(once, COND_EXPR, condition, word(1), word(0)));
  condition = compat_condition(seq, GE_EXPR, rest, divisor);
  gimple_seq_add_stmt(seq, gimple_build_assign(twice, COND_EXPR, condition, once, word(0)));
  return binary(seq, PLUS_EXPR, once, twice, "pathvalue");
}

// x & -x, where x = address | kMostAlignment
static tree alignment(gimple_seq *seq, tree address) {
  tree bits = binary(seq, BIT_IOR_EXPR, as_word(seq, address), word(kMostAlignment), "pathvalue");
  tree negative = append(seq, gimple_build_assign(create_tmp_reg(word_type(), "pathvalue"), NEGATE_EXPR, bits));
  return binary(seq, BIT_AND_EXPR, bits, negative, "pathvalue");
}

// Returns the address of the function's table or, with update=thread, of the running thread's copy of the table.
tree ValueCounters::table(gimple_seq *seq) const {
  tree tls_counter_offset = NULL_TREE;
  if (function_.update == Update::Thread) {
    tls_counter_offset = create_tmp_reg(word_type(), "pathown");
    gcall *call = gimple_build_call(runtime_.thread, 0);
    gimple_call_set_lhs(call, tls_counter_offset);
    gimple_seq_add_stmt(seq, call);
  }
  return own_address(seq, address_of(function_.second_table), tls_counter_offset);
}

// value (table, site, value);
void ValueCounters::count(gimple_seq *seq, const ValueSite &at, tree value) const {
  tree function = function_.update == Update::Atomic ? runtime_.value_atomic : runtime_.value;
  gimple_seq_add_stmt(seq, gimple_build_call(function, 3, table(seq), word(static_cast<int64_t>(at.site)), value));
}

//   indirect_call.callee = callee; indirect_call.table = table; indirect_call.site = site;
void ValueCounters::note_call(gimple_seq *seq, const ValueSite &at) const {
  uint64_t number = at.site | (function_.update == Update::Atomic ? PATHPROF_SITE_IS_ATOMIC : 0);
  tree words[] = {as_word(seq, unshare_expr(at.operand())), as_word(seq, table(seq)),
                  word(static_cast<int64_t>(number))};
  const size_t offsets[] = {offsetof(pathprof_indirect_call, callee), offsetof(pathprof_indirect_call, table),
                            offsetof(pathprof_indirect_call, site)};
  for (size_t i = 0; i < std::size(words); i++)
    gimple_seq_add_stmt(seq, gimple_build_assign(word_of_call(offsets[i]), words[i]));
}

void ValueCounters::count_values() const {
  for (const ValueSite &at : function_.values) {
    if (starts_with_receiver(gimple_bb(at.statement)) && first_statement(gimple_bb(at.statement)) == at.statement)
      continue;
    gimple_seq seq = nullptr;
    switch (at.kind) {
    case ValueKind::Callee:
      note_call(&seq, at);
      break;
    case ValueKind::Operand:
      count(&seq, at, as_word(&seq, unshare_expr(at.operand())));
      break;
    case ValueKind::Quotient:
      count(&seq, at, quotient(&seq, at.statement));
      break;
    case ValueKind::Alignment:
      count(&seq, at, alignment(&seq, unshare_expr(at.operand())));
      break;
    }
    gimple_stmt_iterator gsi = gsi_for_stmt(at.statement);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
  }
}

// Emits a call that branch() will make conditional.
//
//   called (number);
gimple_seq ValueCounters::tell_callee() {
  gimple_seq seq = nullptr;
  if (!function_.counts_values || function_.node->only_called_directly_p())
    return seq;
  tree number = word(callee_number(function_.notes, function_.path));
  called_ = gimple_build_call(runtime_.called, 1, number);
  gimple_seq_add_stmt(&seq, called_);
  return seq;
}

//   if (indirect_call.callee != this_function)
//     ;
//   else
//     called (number);
void ValueCounters::branch() const {
  if (!called_ || !gimple_bb(called_))
    return;
  gimple_seq look = nullptr;
  tree callee = copied(&look, word_of_call(offsetof(pathprof_indirect_call, callee)), "pathvalue");
  tree self = as_word(&look, build_fold_addr_expr(function_.node->decl));
  gcond *is_other = gimple_build_cond(NE_EXPR, callee, self, NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, is_other);
  gimple_stmt_iterator gsi = gsi_for_stmt(called_);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around(called_, is_other, nullptr);
}

} // namespace pathprof
