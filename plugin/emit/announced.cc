// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts the calls that notify the runtime of a call that the program is about to make:
//
//   __pathrt_flush (); _exit (status);
//   __pathrt_restrict (); seccomp_load (filter);
//   __pathrt_prctl (option); prctl (option, ...);
//   __pathrt_syscall (number, first argument); syscall (number, first argument, ...);
#include "plugin/emit/announced.h"

#include <cstring>

#include "plugin/cfg/exits.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/library_calls.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

// Returns the runtime function to call before `call`, or null if no call to the runtime is needed. Sets
// `*num_arguments` to the number of arguments of `call` that must be passed to the runtime.
static tree announcement_of(gimple *call, const RuntimeFunctions &runtime, unsigned *num_arguments) {
  *num_arguments = 0;
  if (is_sudden_end(call))
    return runtime.flush;
  tree decl = called_in_library(call);
  const char *name = decl ? library_name(decl) : "";
  if (strcmp(name, "seccomp_load") == 0)
    return runtime.restrict_calls;
  *num_arguments = strcmp(name, "prctl") == 0 ? 1 : strcmp(name, "syscall") == 0 ? 2 : 0;
  return *num_arguments == 1 ? runtime.prctl : *num_arguments == 2 ? runtime.syscall : NULL_TREE;
}

// Returns true if the option in a prctl call is a constant other than PR_SET_SECCOMP. PR_SET_SECCOMP is the only option
// that the runtime handles.
static bool is_other_option(tree argument) {
  const int set_seccomp = 22; // PR_SET_SECCOMP
  return TREE_CODE(argument) == INTEGER_CST && compare_tree_int(argument, set_seccomp) != 0;
}

static bool is_announced(gimple *statement, const RuntimeFunctions &runtime) {
  unsigned num_arguments;
  tree function = announcement_of(statement, runtime, &num_arguments);
  return function && !(function == runtime.prctl && gimple_call_num_args(statement) > 0 &&
                       is_other_option(gimple_call_arg(statement, 0)));
}

void AnnouncedCalls::find(cgraph_node *node) {
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (is_announced(gsi_stmt(gsi), runtime_))
        calls_.emplace_back(node, gsi_stmt(gsi));
}

// Returns the i-th argument of a call, converted to long, or 0 if the argument is missing or not an integer.
static tree argument_of(gimple_seq *seq, gimple *call, unsigned i) {
  tree argument = i < gimple_call_num_args(call) ? gimple_call_arg(call, i) : integer_zero_node;
  if (TREE_CODE(argument) == INTEGER_CST)
    return fold_convert(long_integer_type_node, argument);
  if (!INTEGRAL_TYPE_P(TREE_TYPE(argument)))
    return build_int_cst(long_integer_type_node, 0);
  return converted(seq, long_integer_type_node, argument, "patharg");
}

void AnnouncedCalls::insert_announcements() const {
  for (auto [node, call] : calls_) {
    push_cfun(DECL_STRUCT_FUNCTION(node->decl));
    gimple_seq seq = nullptr;
    unsigned num_arguments;
    auto_vec<tree, 2> arguments;
    tree function = announcement_of(call, runtime_, &num_arguments);
    for (unsigned i = 0; i < num_arguments; i++)
      arguments.safe_push(argument_of(&seq, call, i));
    gimple *statement = gimple_build_call_vec(function, arguments);
    gimple_set_location(statement, gimple_location(call));
    gimple_seq_add_stmt(&seq, statement);
    gimple_stmt_iterator gsi = gsi_for_stmt(call);
    gsi_insert_seq_before(&gsi, seq, GSI_SAME_STMT);
    pop_cfun();
  }
}

} // namespace pathprof
