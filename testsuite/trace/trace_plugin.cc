// SPDX-License-Identifier: GPL-3.0-or-later
// A GCC plugin for tests: programs record which blocks each activation of each function runs
// through.
//
// It changes functions where pathprof finds them, right before it, and leaves their graphs as they
// are but for what pathprof does first, too.  Its first argument names the stage, or is `link` for functions that
// pathprof changes when the program is linked; the second, if given, says
// that pathprof makes loops reducible.  The
// recording is inline code, so that it hides nothing from what pathprof does to call-free loops.
// Each step is two words at trace_next: the activation and the block, or, as it begins, the address
// of the function's name.  trace_runtime.c prints them.
#include "plugin/cfg/candidates.h"
#include "plugin/cfg/normalise.h"
#include "plugin/cfg/split.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/names.h"
#include "plugin/gcc/statements.h"

__attribute__((visibility("default"))) int plugin_is_GPL_compatible;

namespace {

const pass_data late_pass_data = {
    GIMPLE_PASS, "trace", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data unit_pass_data = {
    SIMPLE_IPA_PASS, "trace", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data link_pass_data = {
    IPA_PASS, "trace", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};

tree external_word(const char *name) {
  tree decl = build_decl(UNKNOWN_LOCATION, VAR_DECL, get_identifier(name), long_long_unsigned_type_node);
  DECL_EXTERNAL(decl) = TREE_PUBLIC(decl) = TREE_USED(decl) = DECL_ARTIFICIAL(decl) = 1;
  return decl;
}

tree temporary(gimple_seq *seq, tree value) {
  gassign *statement = gimple_build_assign(create_tmp_reg(TREE_TYPE(value), "trace"), value);
  gimple_seq_add_stmt(seq, statement);
  return gimple_assign_lhs(statement);
}

tree plus(gimple_seq *seq, tree a, uint64_t b) {
  tree word = long_long_unsigned_type_node;
  gassign *statement = gimple_build_assign(create_tmp_reg(word, "trace"), PLUS_EXPR, a, build_int_cst(word, b));
  gimple_seq_add_stmt(seq, statement);
  return gimple_assign_lhs(statement);
}

class Recorder {
public:
  Recorder()
      : next_(external_word("trace_next")), activations_(external_word("trace_activations")),
        activation_(create_tmp_reg(long_long_unsigned_type_node, "activation")) {}

  gimple_seq begin() {
    gimple_seq seq = nullptr;
    tree number = plus(&seq, temporary(&seq, activations_), 1);
    gimple_seq_add_stmt(&seq, gimple_build_assign(activations_, number));
    gimple_seq_add_stmt(&seq, gimple_build_assign(activation_, number));
    const char *name = pathprof::name_of(current_function_decl);
    tree address = build_string_literal(strlen(name) + 1, name);
    record(&seq, fold_convert(long_long_unsigned_type_node, address));
    return seq;
  }

  gimple_seq arrive(int block) {
    gimple_seq seq = nullptr;
    record(&seq, build_int_cst(long_long_unsigned_type_node, block));
    return seq;
  }

private:
  void record(gimple_seq *seq, tree what) {
    tree pointer = build_pointer_type(long_long_unsigned_type_node);
    tree at = temporary(seq, next_);
    gassign *converted = gimple_build_assign(create_tmp_reg(pointer, "trace"), NOP_EXPR, at);
    gimple_seq_add_stmt(seq, converted);
    if (!is_gimple_val(what)) {
      gassign *word = gimple_build_assign(create_tmp_reg(long_long_unsigned_type_node, "trace"), what);
      gimple_seq_add_stmt(seq, word);
      what = gimple_assign_lhs(word);
    }
    store(seq, gimple_assign_lhs(converted), 0, activation_);
    store(seq, gimple_assign_lhs(converted), 8, what);
    gimple_seq_add_stmt(seq, gimple_build_assign(next_, plus(seq, at, 16)));
  }

  static void store(gimple_seq *seq, tree address, int offset, tree value) {
    tree place = build2(MEM_REF, long_long_unsigned_type_node, address, build_int_cst(TREE_TYPE(address), offset));
    gimple_seq_add_stmt(seq, gimple_build_assign(place, value));
  }

  tree next_, activations_, activation_;
};

bool makes_reducible = false;
bool records_exits = false;

void record_exits(Recorder &recorder) {
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, EXIT_BLOCK_PTR_FOR_FN(cfun)->preds)
    if (gimple *last = compat_last_stmt(e->src); last && gimple_code(last) == GIMPLE_RETURN) {
      gimple_stmt_iterator gsi = gsi_for_stmt(last);
      gsi_insert_seq_before(&gsi, recorder.arrive(EXIT_BLOCK), GSI_SAME_STMT);
    }
}

void record_blocks(pathprof::Stage stage) {
  edge entry = single_succ_edge(ENTRY_BLOCK_PTR_FOR_FN(cfun));
  basic_block first = single_pred_p(entry->dest) ? entry->dest : split_edge(entry);
  if (makes_reducible)
    pathprof::make_loops_reducible();
  pathprof::normalise_cfg(stage);
  Recorder recorder;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun) {
    if (pathprof::starts_with_receiver(bb))
      continue;
    gimple_stmt_iterator gsi = gsi_after_labels(bb);
    gsi_insert_seq_before(&gsi, recorder.arrive(bb->index), GSI_SAME_STMT);
  }
  if (records_exits)
    record_exits(recorder);
  gimple_stmt_iterator gsi = gsi_after_labels(first);
  gsi_insert_seq_before(&gsi, recorder.begin(), GSI_SAME_STMT);
  if (gimple_in_ssa_p(cfun))
    update_ssa(TODO_update_ssa);
}

class LatePass : public gimple_opt_pass {
public:
  explicit LatePass(gcc::context *context) : gimple_opt_pass(late_pass_data, context) {}
  unsigned int execute(function *) final override {
    record_blocks(pathprof::Stage::Late);
    return 0;
  }
};

// What else must be done for functions that write now, pathprof does for all.
void record_unit(pathprof::Stage stage) {
  cgraph_node *node;
  FOR_EACH_DEFINED_FUNCTION(node)
    if (pathprof::may_be_changed(node, stage)) {
      node->set_const_flag(false, false);
      node->set_pure_flag(false, false);
    }
  FOR_EACH_DEFINED_FUNCTION(node)
    if (pathprof::may_be_changed(node, stage)) {
      push_cfun(DECL_STRUCT_FUNCTION(node->decl));
      record_blocks(stage);
      pop_cfun();
    }
}

class UnitPass : public simple_ipa_opt_pass {
public:
  UnitPass(gcc::context *context, pathprof::Stage stage)
      : simple_ipa_opt_pass(unit_pass_data, context), stage_(stage) {}
  unsigned int execute(function *) final override {
    record_unit(stage_);
    return 0;
  }

private:
  pathprof::Stage stage_;
};

class LinkPass : public ipa_opt_pass_d {
public:
  explicit LinkPass(gcc::context *context)
      : ipa_opt_pass_d(link_pass_data, context, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 0, nullptr,
                       nullptr) {}
  bool gate(function *) final override { return in_lto_p; }
  unsigned int execute(function *) final override {
    cgraph_node *node;
    FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
      node->get_untransformed_body();
    record_unit(pathprof::Stage::Source);
    return 0;
  }
};

} // namespace

extern "C" __attribute__((visibility("default"))) int plugin_init(plugin_name_args *given,
                                                                  plugin_gcc_version *version) {
  if (!plugin_default_version_check(version, &gcc_version))
    return 1;
  auto is = [&](const char *stage) { return given->argc >= 1 && strcmp(given->argv[0].key, stage) == 0; };
  for (int i = 1; i < given->argc; i++) {
    makes_reducible |= strcmp(given->argv[i].key, "reducible") == 0;
    records_exits |= strcmp(given->argv[i].key, "exits") == 0;
  }
  register_pass_info info = {new LatePass(g), "optimized", 1, PASS_POS_INSERT_AFTER};
  if (is("early"))
    info = {new UnitPass(g, pathprof::Stage::Early), "profile", 1, PASS_POS_INSERT_AFTER};
  if (is("source"))
    info = {new UnitPass(g, pathprof::Stage::Source), "visibility", 1, PASS_POS_INSERT_AFTER};
  if (is("link"))
    info = {new LinkPass(g), "whole-program", 1, PASS_POS_INSERT_AFTER};
  register_callback(given->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
  return 0;
}
