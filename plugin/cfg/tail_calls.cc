// SPDX-License-Identifier: GPL-3.0-or-later
// Finds calls in tail position, gives them a return in their own block and marks them.
#include "plugin/cfg/tail_calls.h"

#include <vector>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

bool does_nothing(gimple *statement) {
  return is_gimple_debug(statement) || gimple_clobber_p(statement) || gimple_code(statement) == GIMPLE_NOP ||
         gimple_code(statement) == GIMPLE_PREDICT;
}

// Returns true if a conversion between the two types needs no instruction. GCC uses the same rule when it looks for
// tail calls.
bool is_free_conversion(tree to, tree from) {
  auto is_word = [](tree type) { return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type); };
  auto fills_mode = [](tree type) { return !INTEGRAL_TYPE_P(type) || type_has_mode_precision_p(type); };
  return is_word(to) && is_word(from) && TYPE_MODE(to) == TYPE_MODE(from) && fills_mode(to) && fills_mode(from);
}

// Returns true if the statement copies a variable to a local variable. The copy may include a conversion that needs no
// instruction.
bool is_local_copy(gimple *statement) {
  gassign *copy = dyn_cast<gassign *>(statement);
  if (!copy || !(gimple_assign_single_p(copy) || gimple_assign_cast_p(copy)))
    return false;
  tree to = gimple_assign_lhs(copy), from = gimple_assign_rhs1(copy);
  bool is_local = TREE_CODE(to) == SSA_NAME || (auto_var_p(to) && !TREE_THIS_VOLATILE(to));
  return is_local && (TREE_CODE(from) == SSA_NAME || DECL_P(from)) &&
         (gimple_assign_single_p(copy) || is_free_conversion(TREE_TYPE(to), TREE_TYPE(from)));
}

// Returns true if the statement copies `value` to a local variable.
bool is_copy_of(gimple *statement, tree value) {
  return value && is_local_copy(statement) && gimple_assign_rhs1(statement) == value;
}

// Returns true if GCC might turn the call into a jump, provided that only a return follows the call.
bool may_be_tail_call(gcall *call) {
  return !gimple_call_internal_p(call) && !is_fork(call) && !cfun->calls_setjmp &&
         (flag_optimize_sibling_calls || gimple_call_must_tail_p(call));
}

// Returns the last call in the block, or null if GCC cannot turn this call into a jump. Only copies to local variables
// and a return may follow the call.
gcall *last_call(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  while (!gsi_end_p(gsi) &&
         (does_nothing(gsi_stmt(gsi)) || is_local_copy(gsi_stmt(gsi)) || gimple_code(gsi_stmt(gsi)) == GIMPLE_RETURN))
    gsi_prev(&gsi);
  gcall *call = gsi_end_p(gsi) ? nullptr : dyn_cast<gcall *>(gsi_stmt(gsi));
  return call && may_be_tail_call(call) ? call : nullptr;
}

// Returns the edge from the call at the end of the block to the exception handler of the call, or null.
edge exception_edge(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_EH)
      return e;
  return nullptr;
}

// Returns true if the block does nothing except pass an exception on to the caller.
bool only_resumes(basic_block bb) {
  bool resumes = false;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    resumes = gimple_code(gsi_stmt(gsi)) == GIMPLE_RESX;
    if (!resumes && !does_nothing(gsi_stmt(gsi)))
      return false;
  }
  return resumes && EDGE_COUNT(bb->succs) == 0;
}

// Returns true if the front end marked the call as a jump, as it does when one coroutine resumes another. If a call is
// marked, GCC drops all statements after it, including counter increments. If a marked call has an exception handler,
// GCC fails with an internal error.
bool is_promised(gcall *call) {
  return gimple_call_tail_p(call) && !gimple_call_must_tail_p(call);
}

// Returns true if GCC must either emit the call as a jump or report an error.
bool is_jump(gcall *call) {
  return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

// If a call must become a jump and the call's exception handler does nothing, removes the handler. GCC does the same
// before its optimisations.
void detach_jumps() {
  bool has_unreachable = false;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    gcall *call = last_call(bb);
    edge e = call && is_jump(call) ? exception_edge(bb) : nullptr;
    if (!e || !only_resumes(e->dest))
      continue;
    basic_block handler = e->dest;
    remove_stmt_from_eh_lp(call);
    gimple_purge_dead_eh_edges(bb);
    has_unreachable |= EDGE_COUNT(handler->preds) == 0;
  }
  if (has_unreachable) {
    delete_unreachable_blocks();
    maybe_remove_unreachable_handlers();
  }
}

// The edges and statements between a call and the return of the call's value.
struct WayToReturn {
  basic_block block = nullptr;   // Block of the call
  std::vector<edge> edges;       // Edges from the call's block to the return's block; empty if both are the same block
  std::vector<gassign *> copies; // Copies of the value in the blocks that these edges enter
  std::vector<gimple *> ends_of_life; // Clobbers of local variables in these blocks
  greturn *end = nullptr;             // The return statement, or null if the function does more than return the value
};

// Returns the SSA name that holds `value` in the destination block of the edge. This is the result of a PHI node, or
// `value` itself if no PHI node in the block uses it.
tree passed_on(edge e, tree value) {
  for (gphi_iterator gsi = gsi_start_phis(e->dest); value && !gsi_end_p(gsi); gsi_next(&gsi))
    if (PHI_ARG_DEF_FROM_EDGE(gsi.phi(), e) == value)
      return gimple_phi_result(gsi.phi());
  return value;
}

// Returns true if the statements from `gsi` to the end of the block only copy or return the call's value. `value` is
// the variable that holds this value, and is updated when the value is copied.
bool follow(WayToReturn &way, gimple_stmt_iterator gsi, tree &value) {
  for (; !gsi_end_p(gsi); gsi_next(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    if (greturn *end = dyn_cast<greturn *>(statement)) {
      tree returned = gimple_return_retval(end);
      way.end = !returned || returned == value ? end : nullptr;
      return way.end;
    }
    if (is_copy_of(statement, value)) {
      value = gimple_assign_lhs(statement);
      if (!way.edges.empty())
        way.copies.push_back(as_a<gassign *>(statement));
    } else if (gimple_clobber_p(statement) && DECL_P(gimple_assign_lhs(statement))) {
      if (!way.edges.empty())
        way.ends_of_life.push_back(statement);
    } else if (!does_nothing(statement) && gimple_code(statement) != GIMPLE_LABEL) {
      return false;
    }
  }
  return true;
}

// Follows the control flow from the call, which must be the last call in the block, to the return of the call's value.
WayToReturn way_to_return(basic_block bb, gcall *call) {
  WayToReturn way;
  way.block = bb;
  tree value = gimple_call_lhs(call);
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_next(&gsi);
  basic_block last = bb;
  for (int blocks = n_basic_blocks_for_fn(cfun); blocks > 0 && follow(way, gsi, value) && !way.end; blocks--) {
    if (!single_succ_p(last) || single_succ(last) == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
        (single_succ_edge(last)->flags & EDGE_COMPLEX))
      break;
    way.edges.push_back(single_succ_edge(last));
    last = single_succ(last);
    value = passed_on(way.edges.back(), value);
    gsi = gsi_start_bb(last);
  }
  return way;
}

// Returns the virtual SSA name for memory at the end of the call's block, or null if there are no virtual SSA names
// yet.
tree memory_at_start(const WayToReturn &way) {
  tree memory = gimple_vuse(way.end);
  if (!memory || TREE_CODE(memory) != SSA_NAME)
    return NULL_TREE;
  for (auto e = way.edges.rbegin(); e != way.edges.rend(); ++e) {
    gimple *definition = SSA_NAME_DEF_STMT(memory);
    while (gimple_bb(definition) == (*e)->dest && gimple_code(definition) != GIMPLE_PHI) {
      memory = gimple_vuse(definition);
      if (TREE_CODE(memory) != SSA_NAME)
        return NULL_TREE;
      definition = SSA_NAME_DEF_STMT(memory);
    }
    if (gimple_bb(definition) == (*e)->dest)
      memory = PHI_ARG_DEF_FROM_EDGE(definition, *e);
  }
  return memory;
}

// Returns the variable that holds the call's value at the end of the call's block.
tree value_in_block(gcall *call) {
  tree value = gimple_call_lhs(call);
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  for (; !gsi_end_p(gsi); gsi_next(&gsi))
    if (is_copy_of(gsi_stmt(gsi), value))
      value = gimple_assign_lhs(gsi_stmt(gsi));
  return value;
}

// Appends a duplicate of the assignment `copy` to the block. The right-hand side of the duplicate is `value`. Returns
// the variable that holds the value afterwards.
tree repeat(gassign *copy, basic_block bb, tree value) {
  tree to = gimple_assign_lhs(copy);
  if (gimple_in_ssa_p(cfun) && TREE_CODE(to) != SSA_NAME)
    return value; // The variable is dead after the return.
  if (TREE_CODE(to) == SSA_NAME)
    to = make_ssa_name(TREE_TYPE(to));
  gassign *repeated = gimple_build_assign(to, gimple_assign_cast_p(copy) ? NOP_EXPR : TREE_CODE(value), value);
  gimple_set_location(repeated, gimple_location(copy));
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  gsi_insert_after(&gsi, repeated, GSI_NEW_STMT);
  return to;
}

// Appends a duplicate of the clobber to the block, so that GCC's warnings and its layout of the stack see the same
// lifetimes of variables as without instrumentation. `memory` is the virtual SSA name for memory, if there is one, and
// is updated.
void repeat_clobber(gimple *clobber, basic_block bb, tree &memory) {
  gimple *repeated = gimple_copy(clobber);
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  if (memory) {
    gimple_set_vuse(repeated, memory);
    memory = make_ssa_name(gimple_vop(cfun), repeated);
    gimple_set_vdef(repeated, memory);
  }
  gsi_insert_after(&gsi, repeated, GSI_NEW_STMT);
}

// Subtracts `count`, the execution count of the call, from the counts of the blocks that no longer follow the call.
void reduce_counts(const std::vector<basic_block> &blocks, profile_count count) {
  for (basic_block bb : blocks)
    if (EDGE_COUNT(bb->preds) != 0 && bb->count.initialized_p() && count.initialized_p())
      bb->count -= count;
}

// Adds a return statement to the call's block and removes the edge to the shared return.
void give_return(const WayToReturn &way) {
  edge e = way.edges.front();
  profile_count count = e->count();
  location_t jump = e->goto_locus; // Location of a statement such as `break`
  std::vector<basic_block> blocks;
  for (edge on_way : way.edges)
    blocks.push_back(on_way->dest);
  tree memory = gimple_in_ssa_p(cfun) ? memory_at_start(way) : NULL_TREE;
  tree value = value_in_block(last_call(way.block));
  remove_edge(e);
  for (gassign *copy : way.copies)
    value = repeat(copy, way.block, value);
  if (memory || !gimple_in_ssa_p(cfun))
    for (gimple *clobber : way.ends_of_life)
      repeat_clobber(clobber, way.block, memory);
  greturn *own = gimple_build_return(gimple_return_retval(way.end) ? value : NULL_TREE);
  gimple_set_location(own, gimple_location(way.end));
  gimple_stmt_iterator gsi = gsi_last_bb(way.block);
  gsi_insert_after(&gsi, own, GSI_NEW_STMT);
  if (memory)
    gimple_set_vuse(own, memory);
  if (gimple_in_ssa_p(cfun))
    update_stmt(own);
  edge out = make_edge(way.block, EXIT_BLOCK_PTR_FOR_FN(cfun), 0);
  out->probability = profile_probability::always();
  out->goto_locus = jump;
  reduce_counts(blocks, count);
}

// Returns the tail call that precedes the return at the end of the block, or null.
gcall *call_before_return(basic_block bb) {
  gcall *call = last_call(bb);
  if (!call)
    return nullptr;
  WayToReturn way = way_to_return(bb, call);
  return way.end && way.edges.empty() ? call : nullptr;
}

// Clears GCC's tail-call flag on calls that are not directly followed by a return. Otherwise, GCC would drop counter
// increments after such a call.
void break_other_promises() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)); call && is_promised(call) && call != call_before_return(bb))
        gimple_call_set_tail(call, false);
}

} // namespace

void give_tail_calls_their_return(bool only_jumps) {
  if (!only_jumps)
    detach_jumps();
  std::vector<basic_block> blocks;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    blocks.push_back(bb);
  bool has_changed = false;
  for (basic_block block : blocks) {
    gcall *call = last_call(block);
    if (!call || (only_jumps && !is_jump(call)))
      continue;
    if (WayToReturn way = way_to_return(block, call); way.end && !way.edges.empty()) {
      give_return(way);
      has_changed = true;
    }
  }
  if (has_changed)
    delete_unreachable_blocks();
  break_other_promises();
}

void forget_tail_calls() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (is_gimple_call(gsi_stmt(gsi)))
        gimple_set_plf(gsi_stmt(gsi), GF_PLF_2, false);
}

void mark_tail_calls(bool all) {
  forget_tail_calls();
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (gcall *call = call_before_return(bb))
      gimple_set_plf(call, GF_PLF_2, all || gimple_call_must_tail_p(call) || gimple_call_tail_p(call));
}

} // namespace pathprof
