// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments functions one by one, each immediately before it is converted to assembly. The variables of the unit are
// therefore declared per function, and defined after the last function.
#include "plugin/entry/late.h"

#include <memory>
#include <utility>
#include <vector>

#include "plugin/cfg/candidates.h"
#include "plugin/cfg/function.h"
#include "plugin/cfg/dump.h"
#include "plugin/gcc/instrumented_clone.h"
#include "plugin/emit/announced.h"
#include "plugin/entry/instrument.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/barriers.h"
#include "plugin/gcc/scope.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

const pass_data late_pass_data = {
    GIMPLE_PASS, "pathprof", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

bool may_call_back(gimple *statement) {
  return is_gimple_call(statement) && !gimple_call_internal_p(statement) && !gimple_call_builtin_p(statement) &&
         (gimple_call_flags(statement) & (ECF_CONST | ECF_PURE)) && !gimple_call_tail_p(as_a<gcall *>(statement));
}

// Inserts memory barriers after calls to const and pure functions. Later passes still rely on these attributes,
// although the callee may call `cfun`, which would change the counters of `cfun`.
void mark_what_calls_change(const VersionedBodies *bodies) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    if (bodies && bodies->plain.count(bb))
      continue; // uninstrumented blocks have no counters
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
      if (!may_call_back(gsi_stmt(gsi)))
        continue;
      if (!stmt_ends_bb_p(gsi_stmt(gsi)))
        gsi_insert_after(&gsi, memory_barrier(), GSI_NEW_STMT);
      else if (edge on = find_fallthru_edge(bb->succs))
        gsi_insert_on_edge(on, memory_barrier());
    }
  }
}

bool is_used_by_statement(tree name) {
  imm_use_iterator iterator;
  use_operand_p use;
  FOR_EACH_IMM_USE_FAST(use, iterator, name)
    if (gimple_code(USE_STMT(use)) != GIMPLE_PHI && !is_gimple_debug(USE_STMT(use)))
      return true;
  return false;
}

// Replaces uses of variables with the constants that are assigned to them. This is necessary because array indices can
// be constant in a peeled iteration, and GCC cannot expand a TARGET_MEM_REF with unfolded constants. Returns true if
// the function changed.
bool propagate_numbers() {
  bool changed = false;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *statement = gsi_stmt(gsi);
      if (!gimple_assign_single_p(statement) || TREE_CODE(gimple_assign_rhs1(statement)) != INTEGER_CST)
        continue;
      tree name = gimple_assign_lhs(statement);
      if (TREE_CODE(name) != SSA_NAME || SSA_NAME_OCCURS_IN_ABNORMAL_PHI(name) || !is_used_by_statement(name))
        continue;
      replace_uses_by(name, gimple_assign_rhs1(statement));
      changed = true;
    }
  return changed;
}

class LatePass : public gimple_opt_pass {
public:
  LatePass(gcc::context *context, Arguments arguments)
      : gimple_opt_pass(late_pass_data, context), arguments_(std::move(arguments)) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    cgraph_node *node = cgraph_node::get(current_function_decl);
    if (!node || !may_be_changed(node, arguments_.stage))
      return 0;
    if (!instrumenter_)
      instrumenter_ = std::make_unique<Instrumenter>(arguments_);
    bool wanted = is_wanted(node, arguments_);
    cgraph_node *version = nullptr;
    if (wanted && arguments_of(node, arguments_).on_demand && !has_loops_to_version())
      version = make_instrumented_clone(node);
    if (version)
      instrument_version(version);
    instrument(node, wanted && !version);
    return 0;
  }

  void finish() {
    if (instrumenter_ && !seen_error())
      instrumenter_->finish();
    instrumenter_.reset();
  }

private:
  void instrument_version(cgraph_node *version) {
    bool is_counted = false;
    {
      FunctionScope scope(version);
      is_counted = instrument(version, true);
      mark_clone_cold();
    }
    if (!is_counted)
      remove_instrumented_clone(version);
  }

  // Instruments the body in `cfun`. Returns true if the body's paths are counted, that is, if the function is selected
  // and can be profiled.
  bool instrument(cgraph_node *node, bool is_wanted) {
    std::vector<PlannedFunction> functions;
    if (is_wanted)
      functions.push_back(instrumenter_->plan(node));
    bool is_counted = is_wanted && functions.front().plan;
    AnnouncedCalls announced(instrumenter_->runtime());
    if (!arguments_.function.is_freestanding)
      announced.find(node);
    if (is_wanted)
      count_paths(std::move(functions));
    announced.insert_announcements();
    update_ssa(TODO_update_ssa);
    if (flag_checking)
      compat_verify_function();
    return is_counted;
  }

  void count_paths(std::vector<PlannedFunction> functions) {
    if (dump_file)
      dump_plan(dump_file, functions.front());
    if (functions.front().plan)
      mark_what_calls_change(functions.front().bodies.get());
    instrumenter_->emit(std::move(functions));
    cleanup_tree_cfg();
    while (optimize && propagate_numbers())
      cleanup_tree_cfg();
    free_dominance_info(CDI_DOMINATORS);
    free_dominance_info(CDI_POST_DOMINATORS);
  }

  Arguments arguments_;
  std::unique_ptr<Instrumenter> instrumenter_;
};

void finish_unit(void *, void *pass) {
  static_cast<LatePass *>(pass)->finish();
}

} // namespace

opt_pass *make_late_pass(const char *plugin_name, const Arguments &arguments) {
  LatePass *pass = new LatePass(g, arguments);
  register_callback(plugin_name, PLUGIN_FINISH_UNIT, finish_unit, pass);
  return pass;
}

} // namespace pathprof
