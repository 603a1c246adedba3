// SPDX-License-Identifier: GPL-3.0-or-later
// Registers the plugin's passes. At the stages source and early, the pass is executed once per translation unit: at
// stage=source when all bodies have a CFG, and at stage=early after GCC's own tree_profiling pass.
#include "plugin/entry/pass.h"

#include <utility>

#include "plugin/cfg/computed_goto.h"
#include "plugin/gcc/gimplified.h"
#include "plugin/options/interesting.h"
#include "plugin/entry/coroutines.h"
#include "plugin/entry/dependencies.h"
#include "plugin/entry/entry_switch_check.h"
#include "plugin/entry/late.h"
#include "plugin/entry/link.h"
#include "plugin/entry/lto_marks.h"
#include "plugin/entry/inline_calls.h"
#include "plugin/rebuild/rebuild.h"
#include "plugin/rebuild/untrained.h"
#include "plugin/emit/thread_segment.h"
#include "plugin/emit/unit.h"
#include "plugin/entry/whole_unit.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

namespace pathprof {

namespace {

const pass_data ipa_pass_data = {
    SIMPLE_IPA_PASS, "pathprof", OPTGROUP_NONE, TV_IPA_PROFILE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data dump_pass_data = {
    GIMPLE_PASS, "pathprof", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

const pass_data text_pass_data = {
    GIMPLE_PASS, "pathprof_texts", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

class TextPass : public gimple_opt_pass {
public:
  explicit TextPass(gcc::context *context) : gimple_opt_pass(text_pass_data, context) {}

  unsigned int execute(function *) final override {
    give_jumps_their_texts();
    return 0;
  }
};

// A pass that is never executed. It exists only to define -fdump-tree-pathprof. The IPA pass writes the dump.
class DumpPass : public gimple_opt_pass {
public:
  explicit DumpPass(gcc::context *context) : gimple_opt_pass(dump_pass_data, context) {}
  bool gate(function *) final override { return false; }
};

class InstrumentPass : public simple_ipa_opt_pass {
public:
  InstrumentPass(gcc::context *context, Arguments arguments, opt_pass *dump_pass)
      : simple_ipa_opt_pass(ipa_pass_data, context), arguments_(std::move(arguments)), dump_pass_(dump_pass) {}

  bool gate(function *) final override { return !seen_error() && !(flag_generate_lto && waits_for_link(arguments_)); }

  unsigned int execute(function *) final override {
    instrument_unit(arguments_, dump_pass_);
    return 0;
  }

private:
  Arguments arguments_;
  opt_pass *dump_pass_;
};

// Optimises the unit with a profile. The pass runs at the same position as InstrumentPass at stage=early, so the graphs
// of the functions are the same.
class RebuildPass : public simple_ipa_opt_pass {
public:
  RebuildPass(gcc::context *context, Arguments arguments)
      : simple_ipa_opt_pass(ipa_pass_data, context), arguments_(std::move(arguments)) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    rebuild_unit(arguments_);
    return 0;
  }

private:
  Arguments arguments_;
};

} // namespace

void register_pass_for(const char *plugin_name, const Arguments &arguments) {
  register_roots(plugin_name);
  register_attribute(plugin_name);
  register_dependencies(plugin_name, arguments);
  register_computed_goto_passes(plugin_name);
  if (arguments.stage == Stage::Early && !is_link())
    register_coroutine_passes(plugin_name);
  check_link(plugin_name, arguments);
  if (arguments.use_file.empty()) {
    register_thread_segment_passes(plugin_name);
    register_pass(plugin_name, make_inline_calls_pass(), "optimized"); // the last of the passes at this anchor
  }
  if (arguments.use_file.empty() && !is_link()) {
    watch_gimplifier(arguments.stage == Stage::Source);
    register_pass(plugin_name, new TextPass(g), "cfg");
  }
  if (arguments.keeps_conditions)
    keep_short_circuits();
  if (!arguments.use_file.empty()) {
    register_placement_passes(plugin_name);
    if (arguments.use)
      register_pass(plugin_name, new RebuildPass(g, arguments), "profile");
  } else if (arguments.stage == Stage::Late) {
    register_pass(plugin_name, make_late_pass(plugin_name, arguments), "optimized");
    register_entry_switch_check(plugin_name);
  } else {
    DumpPass *dump_pass = new DumpPass(g);
    register_pass(plugin_name, dump_pass, "optimized");
    if (!is_link())
      register_pass(plugin_name, new InstrumentPass(g, arguments, dump_pass),
                    arguments.stage == Stage::Source ? "visibility" : "profile");
    else if (waits_for_link(arguments))
      register_link_pass(plugin_name, arguments, dump_pass);
  }
  for (const std::string &dump : arguments.dumps)
    g->get_dumps()->dump_switch_p(dump.c_str());
}

} // namespace pathprof
