// SPDX-License-Identifier: GPL-3.0-or-later
// Disables partial inlining for the bodies of coroutines.
#include "plugin/entry/coroutines.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

namespace pathprof {

namespace {

const pass_data before_pass_data = {
    GIMPLE_PASS, "pathprof_keep_coroutines", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};
const pass_data after_pass_data = {
    GIMPLE_PASS, "pathprof_kept_coroutines", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

// Clears the -fpartial-inlining flag immediately before GCC's partial-inlining pass, and restores it immediately
// afterwards.
class PartialInliningPass : public gimple_opt_pass {
public:
  PartialInliningPass(gcc::context *context, const pass_data &data, bool is_before)
      : gimple_opt_pass(data, context), is_before_(is_before) {}

  bool gate(function *body) final override { return body->coroutine_component; }

  unsigned int execute(function *) final override {
    static int given;
    if (is_before_)
      given = flag_partial_inlining;
    flag_partial_inlining = is_before_ ? 0 : given;
    return 0;
  }

private:
  bool is_before_;
};

} // namespace

void register_coroutine_passes(const char *plugin_name) {
  register_pass(plugin_name, new PartialInliningPass(g, before_pass_data, true), "fnsplit", PASS_POS_INSERT_BEFORE);
  register_pass(plugin_name, new PartialInliningPass(g, after_pass_data, false), "fnsplit");
}

} // namespace pathprof
