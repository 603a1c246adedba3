// SPDX-License-Identifier: GPL-3.0-or-later
// The pass of stages source and early runs once, after GCC's own tree_profiling: all functions of a unit are
// planned, then all are emitted.  Between the two functions lose const and pure, and GCC forgets what it
// knew about the memory they touch: they all write counters now.
#include "plugin/pass.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "plugin/candidates.h"
#include "plugin/dump.h"
#include "plugin/exits.h"
#include "plugin/instrument.h"
#include "plugin/late.h"
#include "plugin/program.h"

#include "plugin/gcc.h"

namespace pathprof {

namespace {

const pass_data ipa_pass_data = {
    SIMPLE_IPA_PASS, "pathprof", OPTGROUP_NONE, TV_IPA_PROFILE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data dump_pass_data = {
    GIMPLE_PASS, "pathprof", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

// Never runs: it gives -fdump-tree-pathprof its name, and the IPA pass writes the dump.
class DumpPass : public gimple_opt_pass {
public:
  explicit DumpPass(gcc::context *context) : gimple_opt_pass(dump_pass_data, context) {}
  bool gate(function *) final override { return false; }
};

class InstrumentPass : public simple_ipa_opt_pass {
public:
  InstrumentPass(gcc::context *context, Arguments arguments, opt_pass *dump_pass)
      : simple_ipa_opt_pass(ipa_pass_data, context), arguments_(std::move(arguments)),
        dump_pass_(dump_pass) {}

  bool gate(function *) final override { return !in_lto_p && !seen_error(); }

  unsigned int execute(function *) final override {
    Instrumenter instrumenter(arguments_);
    std::vector<PlannedFunction> functions = plan_functions(instrumenter);
    SuddenEnds ends = find_sudden_ends();
    if (functions.empty() && ends.empty())
      return 0;
    std::stable_sort(functions.begin(), functions.end(), Instrumenter::precedes);
    std::unique_ptr<PlannedProgram> program = plan_program(functions, arguments_);
    if (seen_error())
      return 0;
    for (PlannedFunction &function : functions)
      dump(function);
    drop_memory_facts();
    if (!functions.empty())
      instrumenter.emit(std::move(functions), std::move(program));
    ends.insert_flushes(instrumenter.runtime());
    instrumenter.connect();
    update_bodies();
    instrumenter.finish();
    return 0;
  }

private:
  static std::vector<PlannedFunction> plan_functions(Instrumenter &instrumenter) {
    std::vector<PlannedFunction> functions;
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (instrumenter.wants(node)) {
        FunctionScope scope(node);
        functions.push_back(instrumenter.plan(node));
      }
    return functions;
  }

  static SuddenEnds find_sudden_ends() {
    SuddenEnds ends;
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (may_be_changed(node)) {
        FunctionScope scope(node);
        ends.find(node);
      }
    return ends;
  }

  void dump(const PlannedFunction &function) const {
    if (dump_file)
      dump_plan(dump_file, function);
    FILE *ipa_file = dump_file;
    dump_flags_t ipa_flags = dump_flags;
    gcc::dump_manager *dumps = g->get_dumps();
    if (dumps->dump_start(dump_pass_->static_pass_number, &dump_flags)) {
      FunctionScope scope(function.node);
      dump_file = dumps->get_dump_file_info(dump_pass_->static_pass_number)->pstream;
      dump_function_header(dump_file, function.node->decl, dump_flags);
      dump_plan(dump_file, function);
      dumps->dump_finish(dump_pass_->static_pass_number);
    }
    dump_file = ipa_file;
    dump_flags = ipa_flags;
  }

  static void drop_memory_facts() {
    compat_forget_modref_summaries();
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (has_own_body(node)) {
        node->set_const_flag(false, false);
        node->set_pure_flag(false, false);
      }
  }

  // Calls to functions that are no longer const or pure have new memory operands.
  static void update_bodies() {
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node) {
      if (!has_own_body(node))
        continue;
      FunctionScope scope(node);
      basic_block bb;
      if (gimple_in_ssa_p(cfun)) {
        FOR_EACH_BB_FN(bb, cfun)
          for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
            if (is_gimple_call(gsi_stmt(gsi)))
              update_stmt(gsi_stmt(gsi));
        update_ssa(TODO_update_ssa);
      }
      cleanup_tree_cfg();
      if (gimple_in_ssa_p(cfun))
        update_ssa(TODO_update_ssa);
      free_dominance_info(CDI_DOMINATORS);
      free_dominance_info(CDI_POST_DOMINATORS);
      cgraph_edge::rebuild_edges();
      if (flag_checking)
        compat_verify_function();
    }
  }

  Arguments arguments_;
  opt_pass *dump_pass_;
};

void register_after(const char *plugin_name, opt_pass *pass, const char *anchor) {
  register_pass_info info = {pass, anchor, 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace

void register_pass_for(const char *plugin_name, const Arguments &arguments) {
  register_roots(plugin_name);
  check_stage_of_link(plugin_name, arguments);
  if (arguments.stage == Stage::Late) {
    register_after(plugin_name, make_late_pass(plugin_name, arguments), "optimized");
  } else {
    DumpPass *dump_pass = new DumpPass(g);
    register_after(plugin_name, dump_pass, "optimized");
    register_after(plugin_name, new InstrumentPass(g, arguments, dump_pass),
                   arguments.stage == Stage::Source ? "visibility" : "profile");
  }
  for (const std::string &dump : arguments.dumps)
    g->get_dumps()->dump_switch_p(dump.c_str());
}

} // namespace pathprof
