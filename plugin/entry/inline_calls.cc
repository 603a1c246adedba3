// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the common case of calls of the runtime. The pass runs after all other changes that the plugin makes to a
// function, at all stages, because calls provide more information to GCC than inline code. GCC can combine calls of the
// const function that returns a thread's copy, and can move these calls out of loops. GCC could not do this with reads
// of a variable, because GCC does not know that the variable never changes. The calls that allocate and release frames
// also make it possible to find frames that are dead or rarely needed after inlining.
#include "plugin/entry/inline_calls.h"

#include "plugin/emit/dead_frames.h"
#include "plugin/emit/frame_allocation.h"
#include "plugin/emit/sunk_frames.h"
#include "plugin/emit/thread_copy.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

const pass_data inline_calls_pass_data = {
    GIMPLE_PASS, "pathprof-inline", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class InlineCallsPass : public gimple_opt_pass {
public:
  explicit InlineCallsPass(gcc::context *context) : gimple_opt_pass(inline_calls_pass_data, context) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    bool is_changed = remove_dead_frames();
    std::set<gimple *> seldom;
    is_changed |= sink_frames(&seldom);
    is_changed |= read_thread_variable_first();
    is_changed |= inline_frame_allocation(seldom);
    if (is_changed && flag_checking)
      compat_verify_function();
    return 0;
  }
};

} // namespace

opt_pass *make_inline_calls_pass() {
  return new InlineCallsPass(g);
}

bool is_inline_calls_pass(const opt_pass *pass) {
  return pass->name == inline_calls_pass_data.name;
}

} // namespace pathprof
