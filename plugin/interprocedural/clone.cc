// SPDX-License-Identifier: GPL-3.0-or-later
// Clones functions so that their callers can pass them a partial path ID.
#include "plugin/interprocedural/clone.h"

#include <utility>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"
#include "plugin/gcc/sequence.h"

#include "alloc-pool.h"
#include "symbol-summary.h"
#include "ipa-param-manipulation.h"
#include "calls.h"
#include "tree-inline.h"

namespace pathprof {

namespace {

// Updates SSA form and frees dominance information, because GCC requires both before it copies a body.
void finish_body() {
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  cgraph_edge::rebuild_edges();
}

ipa_adjusted_param parameter(ipa_parm_op op, unsigned index, tree type) {
  ipa_adjusted_param result;
  memset(&result, 0, sizeof result);
  result.op = op;
  result.base_index = result.prev_clone_index = index;
  result.type = type;
  if (op == IPA_PARAM_OP_NEW)
    result.param_prefix_index = IPA_PARAM_PREFIX_SYNTH;
  return result;
}

// Returns a clone with two additional parameters after the named parameters: the address of the cell that passes the
// partial path ID, and the number of possible completions of the path after the return.
cgraph_node *clone(cgraph_node *node, tree number_type) {
  vec<ipa_adjusted_param, va_gc> *parameters = nullptr;
  unsigned named = 0;
  for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p), named++)
    vec_safe_push(parameters, parameter(IPA_PARAM_OP_COPY, named, NULL_TREE));
  vec_safe_push(parameters, parameter(IPA_PARAM_OP_NEW, 0, build_pointer_type(number_type)));
  vec_safe_push(parameters, parameter(IPA_PARAM_OP_NEW, 0, number_type));
  int copied_first = stdarg_p(TREE_TYPE(node->decl)) ? static_cast<int>(named) : -1;
  auto *adjustments = new (ggc_alloc<ipa_param_adjustments>()) ipa_param_adjustments(parameters, copied_first, false);
  cgraph_node *copy = compat_clone(node, adjustments, "pathctx");
  copy->set_const_flag(false, false);
  copy->set_pure_flag(false, false);
  // Declare the clone inline, because GCC then inlines larger bodies. Otherwise, the counting code could prevent a
  // small function from being inlined.
  DECL_DECLARED_INLINE_P(copy->decl) = DECL_NO_INLINE_WARNING_P(copy->decl) = 1;
  return copy;
}

// Returns the last two parameters of a clone as operands. `cfun` is the body of the clone.
std::pair<tree, tree> last_parameters(cgraph_node *node) {
  tree last = NULL_TREE, before = NULL_TREE;
  for (tree p = DECL_ARGUMENTS(node->decl); p; p = DECL_CHAIN(p)) {
    before = last;
    last = p;
  }
  if (gimple_in_ssa_p(cfun))
    return {get_or_create_ssa_default_def(cfun, before), get_or_create_ssa_default_def(cfun, last)};
  return {before, last};
}

// Declares a local cell in `cfun`.
tree own_cell(tree number_type) {
  tree cell = create_tmp_var(build_array_type_nelts(number_type, kCellSize), "pathcells");
  TREE_ADDRESSABLE(cell) = 1;
  return cell;
}

tree in_own_cell(tree cell, uint64_t place) {
  return build4(ARRAY_REF, TREE_TYPE(TREE_TYPE(cell)), cell, size_int(static_cast<HOST_WIDE_INT>(place)), NULL_TREE,
                NULL_TREE);
}

tree address_of_own_cell(tree cell) {
  return fold_convert(build_pointer_type(TREE_TYPE(TREE_TYPE(cell))), build_fold_addr_expr(in_own_cell(cell, 0)));
}

class Connector {
public:
  Connector(const PlannedUnit &unit, const std::vector<ProcedureBody> &bodies, const StandIns &stand_ins,
            const RuntimeFunctions &runtime)
      : unit_(unit), bodies_(bodies), stand_ins_(stand_ins), runtime_(runtime), type_(number_type(unit)),
        clones_(bodies.size(), nullptr) {}

  // Processes callees first, so that their clones exist when calls are redirected.
  void run() {
    for (int procedure : callees_first(unit_.supergraph))
      connect(static_cast<size_t>(procedure));
  }

private:
  cgraph_node *node_of(size_t procedure) const { return unit_.procedures[procedure].function->node; }
  tree entry_value(size_t procedure) const {
    return number(type_, wide(unit_.numbering->of(static_cast<int>(procedure)).entry_value));
  }

  void connect(size_t procedure) {
    cgraph_node *node = node_of(procedure);
    {
      FunctionScope scope(node);
      for (const auto &[call, passed] : bodies_[procedure].passed)
        extend_call(call, clones_[static_cast<size_t>(callee_of(procedure, call))], bodies_[procedure].cell, passed);
      finish_body();
    }
    if (unit_.procedures[procedure].has_clone) {
      clones_[procedure] = clone(node, type_);
      FunctionScope scope(clones_[procedure]);
      auto [cell, completions] = last_parameters(clones_[procedure]);
      fill(cell, completions, nullptr);
      finish_body();
    }
    bool begins = unit_.supergraph.procedures[procedure].begins_paths;
    if (begins && clones_[procedure] && can_be_entrance(node)) {
      make_entrance(procedure);
      return;
    }
    FunctionScope scope(node);
    begin_paths(procedure);
    finish_body();
    // Without optimisation, GCC keeps unused local functions for debuggers. This function is not needed, because its
    // clone has replaced it.
    if (!begins && clones_[procedure])
      node->force_output = 0;
  }

  int callee_of(size_t procedure, gcall *call) const {
    const std::vector<gcall *> &calls = unit_.procedures[procedure].calls;
    size_t index = static_cast<size_t>(std::find(calls.begin(), calls.end(), call) - calls.begin());
    return unit_.supergraph.procedures[procedure].calls[index].callee;
  }

  // Redirects the call to the clone, and inserts two arguments after the named arguments:
  //
  //   result = clone (named arguments, cell, completions, further arguments);
  static void extend_call(gcall *call, cgraph_node *callee, tree cell, tree completions) {
    unsigned named = static_cast<unsigned>(list_length(DECL_ARGUMENTS(callee->decl))) - 2;
    auto_vec<tree> arguments;
    for (unsigned i = 0; i < gimple_call_num_args(call); i++) {
      if (i == named) {
        arguments.safe_push(cell);
        arguments.safe_push(completions);
      }
      arguments.safe_push(gimple_call_arg(call, i));
    }
    if (gimple_call_num_args(call) == named) {
      arguments.safe_push(cell);
      arguments.safe_push(completions);
    }
    gcall *extended = gimple_build_call_vec(build_fold_addr_expr(callee->decl), arguments);
    gimple_call_set_fntype(extended, TREE_TYPE(callee->decl));
    gimple_call_set_lhs(extended, gimple_call_lhs(call));
    gimple_call_copy_flags(extended, call);
    gimple_call_set_chain(extended, gimple_call_chain(call));
    gimple_set_location(extended, gimple_location(call));
    gimple_set_block(extended, gimple_block(call));
    if (gimple_in_ssa_p(cfun))
      gimple_move_vops(extended, call);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    int landing_pad = lookup_stmt_eh_lp(call);
    if (landing_pad)
      remove_stmt_from_eh_lp(call);
    gsi_replace(&gsi, extended, false);
    if (landing_pad)
      add_stmt_to_eh_lp(extended, landing_pad);
  }

  // Replaces the placeholder calls in `cfun`. If `own` is not null, the cell is a local variable of `cfun`, and `own`
  // emits code that counts the path with the ID `number` at the end of the activation.
  void fill(tree cell, tree completions, UnitPathCounter *own, tree number = NULL_TREE) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi);) {
        gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi));
        tree callee = call ? gimple_call_fndecl(call) : NULL_TREE;
        if (callee && callee == stand_ins_.cell)
          replace(&gsi, cell);
        else if (callee && callee == stand_ins_.completions)
          replace(&gsi, completions);
        else if (callee && callee == stand_ins_.leave)
          leave(&gsi, own, number);
        else
          gsi_next(&gsi);
      }
    if (own)
      own->branch();
  }

  // Prepares a statement for removal: removes its virtual definition, and redirects uses of the definition to the
  // preceding memory state.
  static void touch_no_memory(gimple *statement) {
    tree defined = gimple_vdef(statement);
    if (!defined || TREE_CODE(defined) != SSA_NAME)
      return;
    unlink_stmt_vdef(statement);
    gimple_set_vdef(statement, NULL_TREE);
    release_ssa_name(defined);
  }

  static void replace(gimple_stmt_iterator *gsi, tree value) {
    gimple *call = gsi_stmt(*gsi);
    tree result = gimple_call_lhs(call);
    touch_no_memory(call);
    if (result) {
      gsi_replace(gsi, gimple_build_assign(result, value), false);
      gsi_next(gsi);
    } else {
      gsi_remove(gsi, true);
    }
  }

  // Replaces the placeholder call at the end of an activation with count[number]++, or removes it if `own` is null.
  static void leave(gimple_stmt_iterator *gsi, UnitPathCounter *own, tree number) {
    if (own) {
      gimple_seq seq = nullptr;
      tree id = copied(&seq, unshare_expr(number), "pathsum");
      own->count(&seq, id);
      gsi_insert_seq_before(gsi, seq, GSI_SAME_STMT);
    }
    touch_no_memory(gsi_stmt(*gsi));
    gsi_remove(gsi, true);
  }

  UnitPathCounter counter(size_t procedure) const {
    return {unit_, runtime_, unit_.procedures[procedure].function->update};
  }

  // Inserts code into `cfun` that starts a path on entry and counts the path on exit:
  //
  //   cells[0] = entry value;      on entry
  //   count[cells[0]]++;           on exit
  void begin_paths(size_t procedure) {
    tree cell = own_cell(type_);
    UnitPathCounter own = counter(procedure);
    fill(address_of_own_cell(cell), build_one_cst(type_), &own, in_own_cell(cell, kNumberInCell));
    gimple_seq seq = nullptr;
    gimple_seq_add_stmt(&seq, gimple_build_assign(in_own_cell(cell, kNumberInCell), entry_value(procedure)));
    gsi_insert_seq_on_edge_immediate(single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun)), seq);
  }

  // Returns true if the body of a function can be replaced with a call to its clone. A call cannot forward variable
  // arguments or a static chain, and the attributes always_inline and flatten require the original body.
  static bool can_be_entrance(cgraph_node *node) {
    return !stdarg_p(TREE_TYPE(node->decl)) && !DECL_STATIC_CHAIN(node->decl) &&
           !lookup_attribute("always_inline", DECL_ATTRIBUTES(node->decl)) &&
           !lookup_attribute("flatten", DECL_ATTRIBUTES(node->decl));
  }

  // Replaces the body of the function with the following code:
  //
  //   cells[0] = entry value;
  //   result = clone (arguments, &cells, 1);
  //   count[cells[0]]++;
  //   return result;
  //
  // The implementation follows cgraph_node::create_wrapper, which does not support additional arguments.
  void make_entrance(size_t procedure) {
    cgraph_node *node = node_of(procedure);
    tree decl = node->decl, result_decl = DECL_RESULT(decl), parameters = DECL_ARGUMENTS(decl);
    bool in_ssa = gimple_in_ssa_p(DECL_STRUCT_FUNCTION(decl));
    node->release_body(true);
    compat_reset(node);
    DECL_RESULT(decl) = result_decl;
    DECL_ARGUMENTS(decl) = parameters;
    DECL_INITIAL(decl) = NULL_TREE;
    if (!DECL_STRUCT_FUNCTION(decl))
      allocate_struct_function(decl, false);
    node->definition = node->analyzed = true;
    basic_block bb = init_lowered_empty_function(decl, in_ssa, profile_count::uninitialized());
    set_cfun(nullptr);
    current_function_decl = NULL_TREE;
    FunctionScope scope(node);
    UnitPathCounter own = counter(procedure);
    gimple_seq seq = entrance(procedure, own);
    gimple_stmt_iterator gsi = gsi_start_bb(bb);
    gsi_insert_seq_after(&gsi, seq, GSI_NEW_STMT);
    cfun->gimple_df->in_ssa_p = in_ssa;
    node->lowered = true;
    own.branch();
    finish_body();
  }

  gimple_seq entrance(size_t procedure, UnitPathCounter &own) {
    tree decl = node_of(procedure)->decl, cell = own_cell(type_);
    gimple_seq seq = nullptr;
    gimple_seq_add_stmt(&seq, gimple_build_assign(in_own_cell(cell, kNumberInCell), entry_value(procedure)));
    auto_vec<tree> arguments;
    for (tree p = DECL_ARGUMENTS(decl); p; p = DECL_CHAIN(p))
      arguments.safe_push(value_of(&seq, p));
    arguments.safe_push(address_of_own_cell(cell));
    arguments.safe_push(build_one_cst(type_));
    tree callee = clones_[procedure]->decl;
    gcall *call = gimple_build_call_vec(build_fold_addr_expr(callee), arguments);
    gimple_call_set_fntype(call, TREE_TYPE(callee));
    gimple_set_location(call, DECL_SOURCE_LOCATION(decl));
    gimple_call_set_from_thunk(call, true);
    tree result = take_result(call, decl);
    gimple_seq_add_stmt(&seq, call);
    tree id = copied(&seq, in_own_cell(cell, kNumberInCell), "pathsum");
    own.count(&seq, id);
    gimple_seq_add_stmt(&seq, gimple_build_return(result));
    return seq;
  }

  // Returns the parameter as an operand that can be passed to a call.
  static tree value_of(gimple_seq *seq, tree parameter) {
    if (!is_gimple_reg_type(TREE_TYPE(parameter)))
      return parameter;
    if (gimple_in_ssa_p(cfun) && is_gimple_reg(parameter))
      return get_or_create_ssa_default_def(cfun, parameter);
    return copied(seq, parameter, "pathargument");
  }

  // Makes the call store its result, if it has one. Returns the operand for the function's return statement.
  static tree take_result(gcall *call, tree decl) {
    tree type = TREE_TYPE(TREE_TYPE(decl)), result_decl = DECL_RESULT(decl);
    if (VOID_TYPE_P(type))
      return NULL_TREE;
    if (DECL_BY_REFERENCE(result_decl)) {
      tree address = gimple_in_ssa_p(cfun) ? get_or_create_ssa_default_def(cfun, result_decl) : result_decl;
      gimple_call_set_lhs(
          call, build2(MEM_REF, TREE_TYPE(TREE_TYPE(result_decl)), address, build_zero_cst(TREE_TYPE(result_decl))));
      gimple_call_set_return_slot_opt(call, true);
      return address;
    }
    if (is_gimple_reg_type(type)) {
      tree result = create_tmp_reg(type, "pathresult");
      gimple_call_set_lhs(call, result);
      return result;
    }
    gimple_call_set_lhs(call, result_decl);
    gimple_call_set_return_slot_opt(call, true);
    return result_decl;
  }

  const PlannedUnit &unit_;
  const std::vector<ProcedureBody> &bodies_;
  const StandIns &stand_ins_;
  const RuntimeFunctions &runtime_;
  tree type_; // type of path IDs
  std::vector<cgraph_node *> clones_;
};

} // namespace

void connect_procedures(const PlannedUnit &unit, const std::vector<ProcedureBody> &bodies, const StandIns &stand_ins,
                        const RuntimeFunctions &runtime) {
  Connector(unit, bodies, stand_ins, runtime).run();
}

} // namespace pathprof
