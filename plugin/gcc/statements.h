// SPDX-License-Identifier: GPL-3.0-or-later
// Answers questions about statements and blocks. Include after plugin/gcc/gcc.h.
#ifndef PATHPROF_PLUGIN_GCC_STATEMENTS_H
#define PATHPROF_PLUGIN_GCC_STATEMENTS_H

namespace pathprof {

static inline gimple *first_statement(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb);
  return gsi_end_p(gsi) ? nullptr : gsi_stmt(gsi);
}

// Returns true if the block is the artificial block through which GCC routes abnormal edges. This block contains no
// code.
static inline bool is_abnormal_dispatcher(basic_block bb) {
  gimple *first = first_statement(bb);
  return first && gimple_call_internal_p(first, IFN_ABNORMAL_DISPATCHER);
}

// Returns true if the abnormal edge comes from a computed goto in this function, either directly or through the block
// that GCC uses to route abnormal edges.
static inline bool is_computed_goto(edge e) {
  gimple *first = first_statement(e->src), *last = compat_last_stmt(e->src);
  if (is_abnormal_dispatcher(e->src))
    return integer_onep(gimple_call_arg(first, 0));
  return last && gimple_code(last) == GIMPLE_GOTO;
}

static inline bool has_ordinary_succ(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (!(e->flags & (EDGE_ABNORMAL | EDGE_FAKE)))
      return true;
  return false;
}

// Returns the tail call at the end of the block, or null. GCC marks tail calls after its optimisations, and drops the
// statements that follow them. In earlier passes, the marks are set by mark_tail_calls (plugin/cfg/tail_calls.h).
static inline gcall *tail_call_of(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi))
    if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)))
      return (gimple_call_tail_p(call) || gimple_plf(call, GF_PLF_2)) && single_succ_p(bb) ? call : nullptr;
  return nullptr;
}

// Returns true if the block begins with a call that returns twice, the receiver of __builtin_setjmp, or the abnormal
// dispatcher. No statement may be inserted before these.
static inline bool starts_with_receiver(basic_block bb) {
  gimple *first = first_statement(bb);
  return first && is_gimple_call(first) &&
         ((gimple_call_flags(first) & ECF_RETURNS_TWICE) || gimple_call_builtin_p(first, BUILT_IN_SETJMP_RECEIVER) ||
          is_abnormal_dispatcher(bb));
}

// Returns the source line of the statement, or 0 if it is unknown. If the statement was inlined, returns the line of
// the outermost inlined call.
static inline unsigned outermost_line(gimple *statement) {
  location_t place = gimple_location(statement);
  for (tree block = gimple_block(statement); block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block))
    if (inlined_function_outer_scope_p(block))
      place = BLOCK_SOURCE_LOCATION(block);
  int line = LOCATION_LINE(place);
  return line > 0 ? static_cast<unsigned>(line) : 0;
}

static inline bool same_line(location_t a, location_t b) {
  return LOCATION_FILE(a) == LOCATION_FILE(b) && LOCATION_LINE(a) == LOCATION_LINE(b);
}

// Returns the location of the last statement in the block whose location is known, or UNKNOWN_LOCATION.
static inline location_t last_position(basic_block bb) {
  location_t location = UNKNOWN_LOCATION;
  for (gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb); !gsi_end_p(gsi); gsi_prev_nondebug(&gsi)) {
    location = gimple_location(gsi_stmt(gsi));
    if (!RESERVED_LOCATION_P(location))
      break;
  }
  return location;
}

} // namespace pathprof

#endif
