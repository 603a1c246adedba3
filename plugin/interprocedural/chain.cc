// SPDX-License-Identifier: GPL-3.0-or-later
// Converts an indirect call into tests for its probable targets and direct calls:
//
//   if (callee == &a)
//     result = a (...);
//   else if (callee == &b)
//     result = b (...);
//   else
//     result = callee (...);
#include "plugin/interprocedural/chain.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/names.h"

#include "calls.h"
#include "ipa-utils.h"

namespace pathprof {

// ---- selection of targets ----

KnownTargets::KnownTargets(std::vector<cgraph_node *> functions) : functions_(std::move(functions)) {
  std::sort(functions_.begin(), functions_.end(), [](cgraph_node *a, cgraph_node *b) {
    return std::make_pair(std::string(name_of(a->decl)), a->order) <
           std::make_pair(std::string(name_of(b->decl)), b->order);
  });
}

// Returns true if the indirect call can be replaced with a direct call to `function`.
static bool can_be_called_so(cgraph_node *function, gcall *call) {
  return types_compatible_p(TREE_TYPE(function->decl), gimple_call_fntype(call)) &&
         !(flags_from_decl_or_type(function->decl) & (ECF_NORETURN | ECF_RETURNS_TWICE));
}

// Returns the possible targets of a virtual call, as determined from the class hierarchy. Returns an empty set if the
// call is not polymorphic.
static std::set<cgraph_node *> overriders(cgraph_node *caller, gcall *call) {
  std::set<cgraph_node *> result;
  cgraph_edge *edge = caller->get_edge(call);
  if (!edge || !edge->indirect_info || !compat_is_polymorphic(edge->indirect_info))
    return result;
  for (cgraph_node *target : possible_polymorphic_call_targets(edge))
    result.insert(target->ultimate_alias_target());
  return result;
}

std::vector<cgraph_node *> KnownTargets::of(cgraph_node *caller, gcall *call) const {
  std::set<cgraph_node *> named = overriders(caller, call);
  bool is_virtual = virtual_method_call_p(gimple_call_fn(call));
  std::vector<cgraph_node *> result;
  for (cgraph_node *function : functions_)
    if (is_virtual ? named.count(function) : function->address_taken && can_be_called_so(function, call))
      result.push_back(function);
  if (result.size() > kMost)
    result.clear();
  return result;
}

// ---- insertion of tests ----

namespace {

class Chain {
public:
  explicit Chain(gcall *call) : call_(call) {
    isolate();
    take_result();
    forget_memory();
  }

  void add(cgraph_node *target, size_t num_left) {
    basic_block test = on_miss_->src;
    if (!single_succ_p(test))
      test = split_edge(on_miss_);
    gimple_stmt_iterator gsi = gsi_last_bb(test);
    tree callee = load(&gsi, callee_of(call_)), wanted = load(&gsi, build_fold_addr_expr(target->decl));
    gsi_insert_after(&gsi, gimple_build_cond(EQ_EXPR, callee, wanted, NULL_TREE, NULL_TREE), GSI_CONTINUE_LINKING);
    on_miss_ = single_succ_edge(test);
    profile_probability hit = profile_probability::always().apply_scale(1, static_cast<int>(num_left) + 1);
    basic_block direct = create_empty_bb(test);
    if (current_loops)
      add_bb_to_loop(direct, test->loop_father);
    direct->count = test->count.apply_probability(hit);
    make_edge(test, direct, EDGE_TRUE_VALUE)->probability = hit;
    on_miss_->flags = (on_miss_->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
    on_miss_->probability = hit.invert();
    call_directly(direct, target);
    gimple_bb(call_)->count = gimple_bb(call_)->count - direct->count;
  }

private:
  static tree callee_of(gcall *call) {
    tree callee = gimple_call_fn(call);
    return TREE_CODE(callee) == OBJ_TYPE_REF ? OBJ_TYPE_REF_EXPR(callee) : callee;
  }

  static tree load(gimple_stmt_iterator *gsi, tree address) {
    tree result = create_tmp_reg(ptr_type_node, "pathcallee");
    gsi_insert_after(gsi, gimple_build_assign(result, fold_convert(ptr_type_node, unshare_expr(address))),
                     GSI_CONTINUE_LINKING);
    return result;
  }

  // Moves the call to a block of its own. The block has a single predecessor, and its fall-through successor has no
  // other predecessors.
  void isolate() {
    gimple_stmt_iterator before = gsi_for_stmt(call_);
    basic_block bb = gimple_bb(call_);
    gsi_prev(&before);
    on_miss_ = gsi_end_p(before) ? split_block_after_labels(bb) : split_block(bb, gsi_stmt(before));
    bb = gimple_bb(call_);
    behind_ = stmt_ends_bb_p(call_) ? split_edge(find_fallthru_edge(bb->succs)) : split_block(bb, call_)->dest;
  }

  // Makes the call store its result in a temporary variable, because several calls cannot define the same SSA name.
  void take_result() {
    tree result = gimple_call_lhs(call_);
    if (!result || TREE_CODE(result) != SSA_NAME)
      return;
    tree variable = create_tmp_reg(TREE_TYPE(result), "pathresult");
    gimple_call_set_lhs(call_, variable);
    gimple_stmt_iterator gsi = gsi_start_bb(behind_);
    gsi_insert_before(&gsi, gimple_build_assign(result, variable), GSI_SAME_STMT);
  }

  void forget_memory() {
    tree defined = gimple_vdef(call_);
    if (defined && TREE_CODE(defined) == SSA_NAME) {
      unlink_stmt_vdef(call_);
      release_ssa_name(defined);
    }
    gimple_set_vdef(call_, NULL_TREE);
    gimple_set_vuse(call_, NULL_TREE);
    update_stmt(call_);
  }

  void call_directly(basic_block direct, cgraph_node *target) {
    gcall *copy = as_a<gcall *>(gimple_copy(call_));
    gimple_call_set_fndecl(copy, target->decl);
    gimple_stmt_iterator gsi = gsi_start_bb(direct);
    gsi_insert_after(&gsi, copy, GSI_NEW_STMT);
    if (int landing_pad = lookup_stmt_eh_lp(call_); landing_pad && stmt_could_throw_p(cfun, copy))
      add_stmt_to_eh_lp(copy, landing_pad);
    make_edge(direct, behind_, EDGE_FALLTHRU)->probability = profile_probability::always();
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, gimple_bb(call_)->succs)
      if (e->flags & EDGE_COMPLEX)
        copy_edge(direct, e);
    if (!stmt_could_throw_p(cfun, copy))
      gimple_purge_dead_eh_edges(direct);
  }

  static void copy_edge(basic_block from, edge original) {
    edge copy = make_edge(from, original->dest, original->flags);
    copy->probability = original->probability;
    for (gphi_iterator psi = gsi_start_phis(original->dest); !gsi_end_p(psi); gsi_next(&psi))
      SET_USE(PHI_ARG_DEF_PTR_FROM_EDGE(psi.phi(), copy), PHI_ARG_DEF_FROM_EDGE(psi.phi(), original));
  }

  gcall *call_;
  edge on_miss_;       // edge to the block of the original call, after the last test
  basic_block behind_; // block at which all calls continue
};

// Returns true if the call can be duplicated.
bool can_be_copied(gcall *call) {
  return !gimple_call_internal_p(call) && !gimple_call_fndecl(call) && !gimple_call_noreturn_p(call) &&
         !(gimple_call_flags(call) & ECF_RETURNS_TWICE) && !gimple_call_chain(call) && !gimple_call_must_tail_p(call) &&
         !gimple_call_va_arg_pack_p(call) && (!stmt_ends_bb_p(call) || find_fallthru_edge(gimple_bb(call)->succs));
}

} // namespace

void chain_indirect_calls(cgraph_node *node, const KnownTargets &targets) {
  std::vector<std::pair<gcall *, std::vector<cgraph_node *>>> chains;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi)); call && can_be_copied(call))
        chains.emplace_back(call, targets.of(node, call));
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (auto &[call, functions] : chains) {
    if (functions.empty())
      continue;
    Chain chain(call);
    for (size_t i = 0; i < functions.size(); i++)
      chain.add(functions[i], functions.size() - i);
  }
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
}

} // namespace pathprof
