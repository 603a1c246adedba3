// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments all functions of a translation unit or program at once.
#include "plugin/entry/whole_unit.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "plugin/cfg/candidates.h"
#include "plugin/cfg/function.h"
#include "plugin/cfg/clean.h"
#include "plugin/interprocedural/chain.h"
#include "plugin/cfg/dump.h"
#include "plugin/emit/announced.h"
#include "plugin/entry/instrument.h"
#include "plugin/interprocedural/planned_unit.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/scope.h"

namespace pathprof {

namespace {

// In functions with interprocedural paths, replaces indirect calls with comparisons against known targets and direct
// calls to these targets. Only targets that have interprocedural paths are used.
void chain_calls(const Arguments &arguments) {
  std::vector<cgraph_node *> procedures;
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (is_wanted(node, arguments) && is_interprocedural(arguments_of(node, arguments).mode))
      procedures.push_back(node);
  KnownTargets targets(procedures);
  for (cgraph_node *procedure : procedures) {
    FunctionScope scope(procedure);
    chain_indirect_calls(procedure, targets);
  }
}

std::vector<PlannedFunction> plan_functions(Instrumenter &instrumenter, const Arguments &arguments) {
  std::vector<PlannedFunction> functions;
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (is_wanted(node, arguments)) {
      FunctionScope scope(node);
      functions.push_back(instrumenter.plan(node));
    }
  return functions;
}

AnnouncedCalls find_announced_calls(const RuntimeFunctions &runtime, const Arguments &arguments) {
  AnnouncedCalls announced(runtime);
  if (arguments.function.is_freestanding)
    return announced; // there is no runtime to notify
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (may_be_changed(node, arguments.stage)) {
      FunctionScope scope(node);
      announced.find(node);
    }
  return announced;
}

void dump(const PlannedFunction &function, opt_pass *dump_pass) {
  if (dump_file)
    dump_plan(dump_file, function);
  FILE *ipa_file = dump_file;
  dump_flags_t ipa_flags = dump_flags;
  gcc::dump_manager *dumps = g->get_dumps();
  if (dumps->dump_start(dump_pass->static_pass_number, &dump_flags)) {
    FunctionScope scope(function.node);
    dump_file = dumps->get_dump_file_info(dump_pass->static_pass_number)->pstream;
    if (dump_file) { // null if only -fopt-info is enabled
      dump_function_header(dump_file, function.node->decl, dump_flags);
      dump_plan(dump_file, function);
    }
    dumps->dump_finish(dump_pass->static_pass_number);
  }
  dump_file = ipa_file;
  dump_flags = ipa_flags;
}

void drop_memory_facts() {
  compat_forget_modref_summaries();
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (has_own_body(node)) {
      node->set_const_flag(false, false);
      node->set_pure_flag(false, false);
    }
}

// Removes `const` from the function type of a call. The C front end adds this qualifier when a const function is
// called.
void drop_const_of_type(gcall *call) {
  tree type = gimple_call_fntype(call), callee = gimple_call_fndecl(call);
  if (type && TYPE_READONLY(type) && !(callee && TREE_READONLY(callee)))
    gimple_call_set_fntype(call, build_qualified_type(type, TYPE_QUALS(type) & ~TYPE_QUAL_CONST));
}

// Updates the memory operands of calls to functions that are no longer const or pure.
void update_calls() {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node) {
    if (!has_own_body(node))
      continue;
    FunctionScope scope(node);
    basic_block bb;
    FOR_EACH_BB_FN(bb, cfun)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
        if (gcall *call = dyn_cast<gcall *>(gsi_stmt(gsi))) {
          drop_const_of_type(call);
          if (gimple_in_ssa_p(cfun))
            update_stmt(call);
        }
    if (gimple_in_ssa_p(cfun))
      update_ssa(TODO_update_ssa);
  }
}

} // namespace

void instrument_unit(const Arguments &arguments, opt_pass *dump_pass) {
  Instrumenter instrumenter(arguments);
  if (arguments.chains_indirect_calls)
    chain_calls(arguments);
  std::vector<PlannedFunction> functions = plan_functions(instrumenter, arguments);
  AnnouncedCalls announced = find_announced_calls(instrumenter.runtime(), arguments);
  if (functions.empty() && announced.empty())
    return;
  std::stable_sort(functions.begin(), functions.end(), Instrumenter::precedes);
  std::unique_ptr<PlannedUnit> unit = plan_unit(functions, arguments);
  if (seen_error())
    return;
  for (PlannedFunction &function : functions)
    dump(function, dump_pass);
  drop_memory_facts();
  update_calls();
  if (!functions.empty())
    instrumenter.emit(std::move(functions), std::move(unit));
  announced.insert_announcements();
  instrumenter.connect();
  clean_bodies();
  instrumenter.finish();
}

} // namespace pathprof
