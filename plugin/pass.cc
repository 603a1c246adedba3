// SPDX-License-Identifier: GPL-3.0-or-later
// The pass, after GCC's own tree_profiling: all functions of a unit are planned, then all are emitted.
//
// Between the two the sizes of the unit's arrays are known and every function has its place in them.
// Functions lose const and pure before the first body changes, and GCC forgets what it knew about the
// memory they touch: they all write counters now.
#include "plugin/pass.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "plugin/dump.h"
#include "plugin/emit.h"
#include "plugin/exits.h"
#include "plugin/function.h"
#include "plugin/unit.h"

#include "plugin/gcc.h"
#include "plugin/names.h"

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

// Sets `cfun` for a scope.
class FunctionScope {
public:
  explicit FunctionScope(cgraph_node *node) { push_cfun(DECL_STRUCT_FUNCTION(node->decl)); }
  ~FunctionScope() { pop_cfun(); }
};

bool has_own_body(cgraph_node *node) {
  return gimple_has_body_p(node->decl) && !node->alias && !node->thunk &&
         !(node->clone_of && node->decl == node->clone_of->decl);
}

bool is_ifunc_symbol(cgraph_node *node, void *) {
  return node->ifunc_resolver || lookup_attribute("ifunc", DECL_ATTRIBUTES(node->decl));
}

// GCC marks the symbol that the resolver decides on, which is an alias of the resolver.
bool is_ifunc_resolver(cgraph_node *node) {
  return node->dispatcher_function ||
         node->call_for_symbol_thunks_and_aliases(is_ifunc_symbol, nullptr, true);
}

// What users and GCC's own profiler leave alone.
bool may_be_changed(cgraph_node *node) {
  tree decl = node->decl;
  return has_own_body(node) && DECL_SOURCE_LOCATION(decl) != BUILTINS_LOCATION &&
         !DECL_EXTERNAL(decl) && !is_ifunc_resolver(node) &&
         !lookup_attribute("no_profile_instrument_function", DECL_ATTRIBUTES(decl)) &&
         !lookup_attribute("no_instrument_function", DECL_ATTRIBUTES(decl));
}

bool is_candidate(cgraph_node *node, const Arguments &arguments) {
  tree decl = node->decl;
  return may_be_changed(node) &&
         arguments.wants(name_of(decl), lang_hooks.decl_printable_name(decl, 1),
                         LOCATION_FILE(DECL_SOURCE_LOCATION(decl)));
}

class InstrumentPass : public simple_ipa_opt_pass {
public:
  InstrumentPass(gcc::context *context, Arguments arguments, DumpPass *dump_pass)
      : simple_ipa_opt_pass(ipa_pass_data, context), arguments_(std::move(arguments)),
        dump_pass_(dump_pass) {}

  bool gate(function *) final override { return !in_lto_p && !seen_error(); }

  unsigned int execute(function *) final override {
    UnitNotes unit;
    std::vector<PlannedFunction> functions = plan_functions(unit);
    SuddenEnds ends = find_sudden_ends();
    if (functions.empty() && ends.empty())
      return 0;
    sort_and_place(functions);
    for (PlannedFunction &function : functions)
      dump(function);
    drop_memory_facts();
    UnitVariables variables(sizes_);
    RuntimeFunctions runtime;
    for (const PlannedFunction &function : functions)
      emit(function, variables, runtime);
    ends.insert_flushes(runtime);
    update_bodies();
    for (PlannedFunction &function : functions)
      unit.functions.push_back(std::move(function.notes));
    if (!functions.empty())
      variables.finish(encode_notes(unit));
    return 0;
  }

private:
  std::vector<PlannedFunction> plan_functions(UnitNotes &unit) {
    unit.source = remap_debug_filename(main_input_filename);
    FileTable files(unit);
    std::vector<PlannedFunction> functions;
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (is_candidate(node, arguments_)) {
        FunctionScope scope(node);
        functions.push_back(plan_function(node, arguments_, files));
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

  // By name, as the notes' index has them: that order hands out counters and table heads.
  void sort_and_place(std::vector<PlannedFunction> &functions) {
    std::stable_sort(functions.begin(), functions.end(),
                     [](const PlannedFunction &a, const PlannedFunction &b) {
                       return a.notes.name < b.notes.name;
                     });
    sizes_ = {};
    for (PlannedFunction &function : functions) {
      if (function.notes.storage == PATHPROF_STORAGE_ARRAY) {
        function.storage_index = sizes_.counters;
        sizes_.counters += function.notes.num_paths;
      } else if (function.notes.storage == PATHPROF_STORAGE_TABLE) {
        function.storage_index = sizes_.tables++;
      }
      if (function.notes.counts_prefixes()) {
        function.prefixes_index = sizes_.tables++;
        sizes_.frame_infos++;
        sizes_.calls += function.calls.size();
      }
    }
  }

  void dump(const PlannedFunction &function) {
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

  static void emit(const PlannedFunction &function, UnitVariables &variables,
                   const RuntimeFunctions &runtime) {
    if (!function.plan)
      return;
    FunctionScope scope(function.node);
    emit_plan(function, variables, runtime);
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
  DumpPass *dump_pass_;
  UnitSizes sizes_;
};

void register_after(const char *plugin_name, opt_pass *pass, const char *anchor) {
  register_pass_info info = {pass, anchor, 1, PASS_POS_INSERT_AFTER};
  register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace

void register_pass_for(const char *plugin_name, const Arguments &arguments) {
  DumpPass *dump_pass = new DumpPass(g);
  register_after(plugin_name, dump_pass, "optimized");
  register_after(plugin_name, new InstrumentPass(g, arguments, dump_pass),
                 arguments.stage == Stage::Source ? "visibility" : "profile");
  for (const std::string &dump : arguments.dumps)
    g->get_dumps()->dump_switch_p(dump.c_str());
}

} // namespace pathprof
