// SPDX-License-Identifier: GPL-3.0-or-later
// Builds the statement sequences that the plugin adds to a function. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_SEQUENCE_H
#define PATHPROF_PLUGIN_GCC_SEQUENCE_H

#include <cstdint>

namespace pathprof {

// Returns the type of counters, path IDs and integers that hold addresses.
static inline tree word_type() {
  return long_long_unsigned_type_node;
}
static inline tree pointer_type() {
  return build_pointer_type(word_type());
}

static inline tree word(int64_t value) {
  return build_int_cst(word_type(), value);
}

// Appends the assignment and returns its left-hand side.
static inline tree append(gimple_seq *seq, gassign *statement) {
  gimple_seq_add_stmt(seq, statement);
  return gimple_assign_lhs(statement);
}

// Each of the following functions returns a new temporary with the given name.

static inline tree copied(gimple_seq *seq, tree value, const char *name) {
  return append(seq, gimple_build_assign(create_tmp_reg(TYPE_MAIN_VARIANT(TREE_TYPE(value)), name), value));
}

// GIMPLE does not extend pointers, so a 32-bit pointer is first converted to an integer of the same size.
static inline tree converted(gimple_seq *seq, tree type, tree value, const char *name = "pathsum") {
  if (POINTER_TYPE_P(TREE_TYPE(value)) && INTEGRAL_TYPE_P(type) && TYPE_PRECISION(type) > POINTER_SIZE)
    value = append(seq, gimple_build_assign(create_tmp_reg(pointer_sized_int_node, name), NOP_EXPR, value));
  return append(seq, gimple_build_assign(create_tmp_reg(type, name), NOP_EXPR, value));
}

// Appends a binary operation. The result has the type of the first operand.
static inline tree binary(gimple_seq *seq, tree_code code, tree a, tree b, const char *name = "pathsum") {
  return append(seq, gimple_build_assign(create_tmp_reg(TREE_TYPE(a), name), code, a, b));
}

// Appends the addition of `bytes` to a pointer. The result has type `type`. The type of `bytes` must be word_type() or
// sizetype.
static inline tree displaced(gimple_seq *seq, tree type, tree pointer, tree bytes, const char *name = "pathptr") {
  if (!useless_type_conversion_p(sizetype, TREE_TYPE(bytes)))
    bytes = converted(seq, sizetype, bytes, name);
  return append(seq, gimple_build_assign(create_tmp_reg(type, name), POINTER_PLUS_EXPR, pointer, bytes));
}

// Returns the address of the thread's copy of the object at `address`. `tls_counter_offset` is the difference between
// the two addresses, or null if threads share the object. The addition is done on integers, because the two addresses
// belong to different objects.
static inline tree own_address(gimple_seq *seq, tree address, tree tls_counter_offset) {
  if (!tls_counter_offset)
    return address;
  return converted(seq, pointer_type(),
                   binary(seq, PLUS_EXPR, converted(seq, word_type(), address), tls_counter_offset), "pathptr");
}

} // namespace pathprof

#endif
