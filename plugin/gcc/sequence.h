// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of statements: the words of what the plugin adds to a function.  Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_SEQUENCE_H
#define PATHPROF_PLUGIN_GCC_SEQUENCE_H

#include <cstdint>

#include "plugin/gcc/update.h"

namespace pathprof {

// Of counters, of numbers of paths, and of where these are.
static inline tree word_type() {
  return long_long_unsigned_type_node;
}
static inline tree pointer_type() {
  return build_pointer_type(word_type());
}

static inline tree word(int64_t value) {
  return build_int_cst(word_type(), value);
}

// Appends the assignment; returns what it assigns to.
static inline tree append(gimple_seq *seq, gassign *statement) {
  gimple_seq_add_stmt(seq, statement);
  return gimple_assign_lhs(statement);
}

// The rest return a new temporary with this name.

static inline tree copied(gimple_seq *seq, tree value, const char *name) {
  return append(seq, gimple_build_assign(create_tmp_reg(TYPE_MAIN_VARIANT(TREE_TYPE(value)), name), value));
}

static inline tree converted(gimple_seq *seq, tree type, tree value, const char *name = "pathsum") {
  return append(seq, gimple_build_assign(create_tmp_reg(type, name), NOP_EXPR, value));
}

// Of the first operand's type.
static inline tree binary(gimple_seq *seq, tree_code code, tree a, tree b, const char *name = "pathsum") {
  return append(seq, gimple_build_assign(create_tmp_reg(TREE_TYPE(a), name), code, a, b));
}

// A pointer of that type so many bytes on; these are a word, or have the type of sizes.
static inline tree displaced(gimple_seq *seq, tree type, tree pointer, tree bytes, const char *name = "pathptr") {
  if (!useless_type_conversion_p(sizetype, TREE_TYPE(bytes)))
    bytes = converted(seq, sizetype, bytes, name);
  return append(seq, gimple_build_assign(create_tmp_reg(type, name), POINTER_PLUS_EXPR, pointer, bytes));
}

// The address of what a thread's copy has there: `tls_counter_offset` is what to add, or null where there are no
// copies.  In integers, since the copies are other objects.
static inline tree own_address(gimple_seq *seq, tree address, tree tls_counter_offset) {
  if (!tls_counter_offset)
    return address;
  return converted(seq, pointer_type(),
                   binary(seq, PLUS_EXPR, converted(seq, word_type(), address), tls_counter_offset), "pathptr");
}

// ---- counters ----

static inline void append_atomic_increment(gimple_seq *seq, tree counter, tree amount) {
  tree address = build_fold_addr_expr(counter);
  if (!is_gimple_val(address))
    address = copied(seq, address, "pathptr");
  gimple_seq_add_stmt(seq, gimple_build_call(builtin_decl_explicit(BUILT_IN_ATOMIC_FETCH_ADD_8), 3, address, amount,
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

// counter += amount; the counter is an lvalue.
static inline void append_increment(gimple_seq *seq, tree counter, tree amount, Update update) {
  if (update == Update::Atomic)
    append_atomic_increment(seq, counter, amount);
  else
    append_fetch_and_add(seq, counter, amount, update);
}

} // namespace pathprof

#endif
