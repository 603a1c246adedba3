// SPDX-License-Identifier: GPL-3.0-or-later
// Instruments a program at link time, after the program's exported symbols have been determined and before any
// interprocedural optimisation.
//
// At this point, GCC has a summary of each function, which was computed when the function's unit was compiled: accessed
// memory, use of parameters, cost of inlining. Instrumented functions have different properties and different
// parameters. Passes that use such summaries are therefore skipped, except for inlining, whose summaries are
// recomputed.
#include "plugin/entry/link.h"

#include <utility>

#include "plugin/cfg/candidates.h"
#include "plugin/entry/lto_marks.h"
#include "plugin/entry/whole_unit.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "tree-inline.h"

namespace pathprof {

namespace {

const pass_data link_pass_data = {
    IPA_PASS, "pathprof", OPTGROUP_NONE, TV_IPA_PROFILE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data left_out_pass_data = {
    IPA_PASS, "pathprof_left_out", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};
const char *const passes_left_out[] = {"icf", "cp", "sra", "pure-const", "modref", "static-var"};

// A link-time pass that processes the whole program. The pass neither reads nor writes summaries.
class WholeProgramPass : public ipa_opt_pass_d {
protected:
  WholeProgramPass(const pass_data &data, gcc::context *context)
      : ipa_opt_pass_d(data, context, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr, nullptr) {}
};

class LeftOutPass : public WholeProgramPass {
public:
  explicit LeftOutPass(gcc::context *context) : WholeProgramPass(left_out_pass_data, context) {}
  bool gate(function *) final override { return false; }
};

class LinkPass : public WholeProgramPass {
public:
  LinkPass(gcc::context *context, Arguments arguments, opt_pass *dump_pass)
      : WholeProgramPass(link_pass_data, context), arguments_(std::move(arguments)), dump_pass_(dump_pass) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    if (is_instrumented_already()) {
      error("pathprof: argument %<mode=%s%> of the link command: objects compiled with %<-flto%> are already "
            "instrumented; pass the argument to the compile commands as well",
            to_string(arguments_.mode_through_calls()));
      return 0;
    }
    read_bodies();
    forget_conclusions();
    instrument_unit(arguments_, dump_pass_);
    conclude_anew();
    return 0;
  }

private:
  static void read_bodies() {
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
      node->get_untransformed_body();
  }

  static void forget_conclusions() {
    ipa_free_fn_summary();
    ipa_free_size_summary();
    ipa_free_all_structures_after_iinln();
  }

  // Recomputes the function summaries in the same way as GCC's ipa-fnsummary.cc.
  static void conclude_anew() {
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (has_own_body(node))
        node->versionable = tree_versionable_function_p(node->decl);
    ipa_register_cgraph_hooks();
    FOR_EACH_DEFINED_FUNCTION(node)
      if (has_own_body(node) || node->thunk)
        inline_analyze_function(node);
    if (ipa_fn_summaries)
      ipa_fn_summaries->enable_insertion_hook();
  }

  Arguments arguments_;
  opt_pass *dump_pass_;
};

} // namespace

bool waits_for_link(const Arguments &arguments) {
  return is_interprocedural(arguments.mode_through_calls());
}

void register_link_pass(const char *plugin_name, const Arguments &arguments, opt_pass *dump_pass) {
  if (flag_wpa || flag_ltrans) {
    error("pathprof: %<mode=%s%> with %<-flto%> requires %<-flto-partition=none%>; pass this option to the link "
          "command",
          to_string(arguments.mode_through_calls()));
    return;
  }
  for (const char *name : passes_left_out)
    register_pass(plugin_name, new LeftOutPass(g), name, PASS_POS_REPLACE);
  register_pass(plugin_name, new LinkPass(g, arguments, dump_pass), "whole-program");
}

} // namespace pathprof
