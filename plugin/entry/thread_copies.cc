// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on each function after everything else that the plugin does to it, at all stages: until then a call of a
// constant function says more to GCC than a read of a variable, of which it does not know that it never changes.  Calls
// in inlined functions become one, and those in loops go ahead of them.
#include "plugin/entry/thread_copies.h"

#include "plugin/emit/thread_copy.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

const pass_data thread_copies_pass_data = {
    GIMPLE_PASS, "pathprof-copies", OPTGROUP_NONE, TV_NONE, PROP_cfg | PROP_ssa, 0, 0, 0, 0,
};

class ThreadCopiesPass : public gimple_opt_pass {
public:
  explicit ThreadCopiesPass(gcc::context *context) : gimple_opt_pass(thread_copies_pass_data, context) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    if (read_thread_variable_first() && flag_checking)
      compat_verify_function();
    return 0;
  }
};

} // namespace

opt_pass *make_thread_copies_pass() {
  return new ThreadCopiesPass(g);
}

bool is_thread_copies_pass(const opt_pass *pass) {
  return pass->name == thread_copies_pass_data.name;
}

} // namespace pathprof
