// SPDX-License-Identifier: GPL-3.0-or-later
// Turns off cross-jumping in functions with computed gotos.
#include "plugin/cfg/computed_goto.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

namespace {

// Name of the attribute that marks functions with computed gotos. The name contains blanks, so no program can use this
// attribute. The attribute is preserved by link-time optimisation.
const char *const note = "pathprof computed goto";

bool ends_in_computed_goto(basic_block bb) {
  gimple *last = compat_last_stmt(bb);
  return last && computed_goto_p(last);
}

// Returns true if the block is small enough to be copied. GCC limits the number of instructions in the block. The
// number of statements is used as an approximation. Blocks with calls are excluded, because a path that ends after a
// call cannot be counted before the call.
bool is_little(basic_block bb) {
  int statements = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_after_labels_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    if (is_gimple_call(gsi_stmt(gsi)))
      return false;
    statements++;
  }
  return statements <= param_max_goto_duplication_insns;
}

// One instance of this pass runs before GCC's jump2 pass, and saves and clears the -fcrossjumping flag. Another
// instance runs after jump2, and restores the flag.
class CrossJumpingPass : public rtl_opt_pass {
public:
  CrossJumpingPass(gcc::context *context, const pass_data &data, bool is_before)
      : rtl_opt_pass(data, context), is_before_(is_before) {}

  bool gate(function *) final override {
    return optimize && lookup_attribute(note, DECL_ATTRIBUTES(current_function_decl));
  }

  unsigned int execute(function *) final override {
    static int given;
    if (is_before_)
      given = flag_crossjumping;
    flag_crossjumping = is_before_ ? 0 : given;
    return 0;
  }

private:
  bool is_before_;
};

const pass_data before_pass_data = {
    RTL_PASS, "pathprof_keep_gotos", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};
const pass_data behind_pass_data = {
    RTL_PASS, "pathprof_kept_gotos", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

} // namespace

std::vector<char> blocks_at_computed_gotos() {
  std::vector<char> is_at(static_cast<size_t>(last_basic_block_for_fn(cfun)), 0);
  std::vector<basic_block> work;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (ends_in_computed_goto(bb) && is_little(bb))
      work.push_back(bb);
  while (!work.empty()) {
    bb = work.back();
    work.pop_back();
    is_at[static_cast<size_t>(bb->index)] = 1;
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, bb->preds)
      if (e->src != ENTRY_BLOCK_PTR_FOR_FN(cfun) && single_succ_p(e->src) && !first_statement(e->src))
        work.push_back(e->src);
  }
  return is_at;
}

void note_computed_gotos() {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    if (ends_in_computed_goto(bb)) {
      tree &attributes = DECL_ATTRIBUTES(cfun->decl);
      if (!lookup_attribute(note, attributes))
        attributes = tree_cons(get_identifier(note), NULL_TREE, attributes);
      return;
    }
}

void register_computed_goto_passes(const char *plugin_name) {
  register_pass(plugin_name, new CrossJumpingPass(g, before_pass_data, true), "jump2", PASS_POS_INSERT_BEFORE);
  register_pass(plugin_name, new CrossJumpingPass(g, behind_pass_data, false), "jump2");
}

} // namespace pathprof
