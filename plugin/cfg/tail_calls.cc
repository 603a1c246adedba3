// SPDX-License-Identifier: GPL-3.0-or-later
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

// The last statement that does something before `gsi`, or at it.
gimple *last_that_does(gimple_stmt_iterator gsi) {
  while (!gsi_end_p(gsi) && does_nothing(gsi_stmt(gsi)))
    gsi_prev(&gsi);
  return gsi_end_p(gsi) ? nullptr : gsi_stmt(gsi);
}

// Whether GCC may, or must, turn the call into a jump if only the return of its value follows.
bool may_be_tail_call(gcall *call) {
  return !gimple_call_internal_p(call) && !is_fork(call) && !cfun->calls_setjmp &&
         (flag_optimize_sibling_calls || gimple_call_must_tail_p(call));
}

gcall *candidate(gimple *statement) {
  gcall *call = statement ? dyn_cast<gcall *>(statement) : nullptr;
  return call && may_be_tail_call(call) ? call : nullptr;
}

bool is_value_of(gcall *call, tree value) {
  return !value || value == gimple_call_lhs(call);
}

// The return that is all that a block does, or null.
greturn *only_return(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_last_bb(bb);
  greturn *result = gsi_end_p(gsi) ? nullptr : dyn_cast<greturn *>(gsi_stmt(gsi));
  if (!result)
    return nullptr;
  for (gsi_prev(&gsi); !gsi_end_p(gsi); gsi_prev(&gsi)) {
    glabel *label = dyn_cast<glabel *>(gsi_stmt(gsi));
    bool is_local_label =
        label && !FORCED_LABEL(gimple_label_label(label)) && !DECL_NONLOCAL(gimple_label_label(label));
    if (!is_local_label && !does_nothing(gsi_stmt(gsi)))
      return nullptr;
  }
  return result;
}

// What the block that returns has for a name when it is entered over the edge.
tree value_on(edge e, tree name) {
  gimple *definition = name && TREE_CODE(name) == SSA_NAME ? SSA_NAME_DEF_STMT(name) : nullptr;
  bool is_merged = definition && gimple_code(definition) == GIMPLE_PHI && gimple_bb(definition) == e->dest;
  return is_merged ? PHI_ARG_DEF_FROM_EDGE(definition, e) : name;
}

// The state of memory at the block's begin, in SSA form.  Clobbers ahead of a return have states of their own.
tree memory_at_start(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (tree memory = gimple_vuse(gsi_stmt(gsi)))
      return memory;
  return NULL_TREE;
}

// What an exception from the block's call leads to.
edge exception_edge(basic_block bb) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, bb->succs)
    if (e->flags & EDGE_EH)
      return e;
  return nullptr;
}

// The block does nothing with an exception, which goes on as if it had not come here.
bool only_resumes(basic_block bb) {
  bool resumes = false;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    resumes = gimple_code(gsi_stmt(gsi)) == GIMPLE_RESX;
    if (!resumes && !does_nothing(gsi_stmt(gsi)))
      return false;
  }
  return resumes && EDGE_COUNT(bb->succs) == 0;
}

// A front end may have promised that a call is a jump: so one coroutine goes on with another.  GCC takes it at its
// word, drops what follows, counters, too, and ends in an internal error where an exception of the call has a handler.
bool is_promised(gcall *call) {
  return gimple_call_tail_p(call) && !gimple_call_must_tail_p(call);
}

// Whether the call is a jump, or an error.
bool is_jump(gcall *call) {
  return gimple_call_tail_p(call) || gimple_call_must_tail_p(call);
}

// A handler that does nothing is taken away from a jump, as GCC does before it optimises.
void detach_jumps() {
  bool has_unreachable = false;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    gcall *call = candidate(last_that_does(gsi_last_bb(bb)));
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

tree memory_at_end(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_last_bb(bb); !gsi_end_p(gsi); gsi_prev(&gsi))
    if (tree memory = gimple_vdef(gsi_stmt(gsi)) ? gimple_vdef(gsi_stmt(gsi)) : gimple_vuse(gsi_stmt(gsi)))
      return memory;
  return NULL_TREE;
}

// The return that a block goes on to, and what it would return, and the state of memory, if it came from there.
struct ReturnBehind {
  basic_block block;
  greturn *shared;
  tree value;
  tree memory; // in SSA form
};

// Behind a call at a block's end: a return in the next block, which others may lead to.
ReturnBehind next_return(basic_block bb, gcall *call) {
  edge e = single_succ_edge(bb);
  greturn *shared = only_return(e->dest);
  tree value = shared ? value_on(e, gimple_return_retval(shared)) : NULL_TREE;
  if (!shared || !is_value_of(call, value))
    return {bb, nullptr, NULL_TREE, NULL_TREE};
  return {bb, shared, value, gimple_in_ssa_p(cfun) ? value_on(e, memory_at_start(e->dest)) : NULL_TREE};
}

// What the value is called in the block that the edge leads to.
tree passed_on(edge e, tree value) {
  for (gphi_iterator gsi = gsi_start_phis(e->dest); value && !gsi_end_p(gsi); gsi_next(&gsi))
    if (PHI_ARG_DEF_FROM_EDGE(gsi.phi(), e) == value)
      return gimple_phi_result(gsi.phi());
  return value;
}

bool is_copy_of(gimple *statement, tree value) {
  if (!value || !gimple_assign_single_p(statement) || gimple_assign_rhs1(statement) != value)
    return false;
  tree copy = gimple_assign_lhs(statement);
  return TREE_CODE(copy) == SSA_NAME || (auto_var_p(copy) && !TREE_THIS_VOLATILE(copy));
}

// Behind a call that must be a jump: the blocks up to the return may end variables and copy the call's value.
ReturnBehind last_return(basic_block bb, gcall *call) {
  const ReturnBehind none{bb, nullptr, NULL_TREE, NULL_TREE};
  tree memory = memory_at_end(bb);
  if (gimple_in_ssa_p(cfun) && !memory)
    return none;
  tree value = gimple_call_lhs(call);
  basic_block last = bb;
  for (int blocks = n_basic_blocks_for_fn(cfun); blocks > 0 && single_succ_p(last); blocks--) {
    edge e = single_succ_edge(last);
    last = e->dest;
    if (last == EXIT_BLOCK_PTR_FOR_FN(cfun) || (e->flags & EDGE_COMPLEX))
      return none;
    value = passed_on(e, value);
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(last); !gsi_end_p(gsi);
         gsi_next_nondebug(&gsi)) {
      gimple *statement = gsi_stmt(gsi);
      if (greturn *shared = dyn_cast<greturn *>(statement)) {
        tree returned = gimple_return_retval(shared);
        return !returned || returned == value
                   ? ReturnBehind{bb, shared, returned ? gimple_call_lhs(call) : NULL_TREE, memory}
                   : none;
      }
      if (is_copy_of(statement, value))
        value = gimple_assign_lhs(statement);
      else if (!does_nothing(statement))
        return none;
    }
  }
  return none;
}

// The block ends in a call that may be a jump; what follows is a return that others may share.
ReturnBehind return_behind(basic_block bb, bool only_jumps) {
  gcall *call = candidate(last_that_does(gsi_last_bb(bb)));
  if (!call || (only_jumps && !is_jump(call)) || !single_succ_p(bb) || single_succ(bb) == EXIT_BLOCK_PTR_FOR_FN(cfun) ||
      (single_succ_edge(bb)->flags & EDGE_COMPLEX))
    return {bb, nullptr, NULL_TREE, NULL_TREE};
  ReturnBehind next = next_return(bb, call);
  return !next.shared && is_jump(call) ? last_return(bb, call) : next;
}

void give_return(const ReturnBehind &behind) {
  edge e = single_succ_edge(behind.block);
  basic_block next = e->dest;
  greturn *own = gimple_build_return(behind.value);
  gimple_set_location(own, gimple_location(behind.shared));
  profile_count count = e->count();
  remove_edge(e);
  gimple_stmt_iterator gsi = gsi_last_bb(behind.block);
  gsi_insert_after(&gsi, own, GSI_NEW_STMT);
  if (behind.memory) {
    gimple_set_vuse(own, behind.memory);
    update_stmt(own);
  }
  edge out = make_edge(behind.block, EXIT_BLOCK_PTR_FOR_FN(cfun), 0);
  out->probability = profile_probability::always();
  // Others may come to the blocks between, too.
  for (basic_block shared = gimple_bb(behind.shared);; next = single_succ(next)) {
    bool is_reached = EDGE_COUNT(next->preds) != 0;
    if (is_reached && next->count.initialized_p() && count.initialized_p())
      next->count -= count;
    if (next == shared)
      break;
  }
}

// The call that the block ends in but for the return of its value.
gcall *call_before_return(basic_block bb) {
  if (!single_succ_p(bb) || single_succ(bb) != EXIT_BLOCK_PTR_FOR_FN(cfun))
    return nullptr;
  gimple_stmt_iterator gsi = gsi_last_nondebug_bb(bb);
  greturn *end = gsi_end_p(gsi) ? nullptr : dyn_cast<greturn *>(gsi_stmt(gsi));
  if (!end)
    return nullptr;
  gsi_prev(&gsi);
  gcall *call = candidate(last_that_does(gsi));
  return call && is_value_of(call, gimple_return_retval(end)) ? call : nullptr;
}

// What is counted behind a call would be lost if the call were a jump.
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
  std::vector<ReturnBehind> returns;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (ReturnBehind behind = return_behind(bb, only_jumps); behind.shared)
      returns.push_back(behind);
  for (const ReturnBehind &behind : returns)
    give_return(behind);
  if (!returns.empty())
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
