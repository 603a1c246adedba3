// SPDX-License-Identifier: GPL-3.0-or-later
// Inlines the lookup of the running thread's copy of the counters. Each call of __pathrt_thread is replaced with the
// following code:
//
//   tls_counter_offset = __pathrt_to_own;
//   if (tls_counter_offset == PATHPROF_NO_COPY)
//     tls_counter_offset = __pathrt_thread ();
//
// The runtime is called once per thread, by a call that preserves all registers except the result register. An ordinary
// call would force every leaf function to save registers and set up a frame, even if the call is never executed.
#include "plugin/emit/thread_copy.h"

#include <cstring>
#include <string>
#include <vector>

#include "profile/format/abi.h"

#include "plugin/emit/runtime_calls.h"
#include "plugin/emit/unit.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/sequence.h"

namespace pathprof {

namespace {

#ifdef PATHPROF_IS_X86
// Returns the vector registers that the call clobbers. The runtime preserves only the 16-byte registers that every
// processor has. If the processor may have wider vector registers or mask registers, all vector registers are
// clobbered, as in an ordinary call.
vec<tree, va_gc> *vector_registers() {
  vec<tree, va_gc> *clobbers = nullptr;
  for (unsigned i = 0; TARGET_AVX && i < FIRST_PSEUDO_REGISTER; i++) {
    const char *name = reg_names[i];
    if (TEST_HARD_REG_BIT(accessible_reg_set, i) && (strncmp(name, "xmm", 3) == 0 || name[0] == 'k'))
      vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(strlen(name) + 1, name)));
  }
  return clobbers;
}

// Returns an asm statement that moves the stack pointer past the red zone and calls the runtime. The call frame
// information does not describe the changed stack pointer, because it is not known yet whether the function addresses
// its stack frame through the stack pointer. Therefore, the stack cannot be unwound during the call.
gimple *keeping_call(tree result) {
  const std::string code = "lea{q}\t{-128(%%rsp), %%rsp|rsp, [rsp-128]}\n"
                           "\tcall\t" PATHPROF_THREAD_KEEPING_SYMBOL "\n"
                           "\tlea{q}\t{128(%%rsp), %%rsp|rsp, [rsp+128]}";
  vec<tree, va_gc> *outputs = nullptr;
  vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, build_string(3, "=a")), result));
  gasm *call = gimple_build_asm_vec(code.c_str(), nullptr, outputs, vector_registers(), nullptr);
  gimple_asm_set_volatile(call, true);
  return call;
}

bool reaches_near() {
  return TARGET_64BIT && ix86_cmodel != CM_LARGE && ix86_cmodel != CM_LARGE_PIC;
}
#else
gimple *keeping_call(tree) {
  gcc_unreachable();
}

bool reaches_near() {
  return false;
}
#endif

gimple *same_call(gcall *call, tree result) {
  gcall *same = as_a<gcall *>(gimple_copy(call));
  gimple_call_set_lhs(same, result);
  return same;
}

// Expands a call to __pathrt_thread. The PHI that joins the two values of `tls_counter_offset` is created later by
// update_ssa.
void read_variable_first(gcall *call) {
  tree tls_counter_offset = create_tmp_reg(word_type(), "pathown");
  gimple_seq look = nullptr, hit = nullptr;
  tree found = copied(&look, to_own_variable(), "pathown");
  gcond *has_copy = gimple_build_cond(NE_EXPR, found, word(PATHPROF_NO_COPY), NULL_TREE, NULL_TREE);
  gimple_seq_add_stmt(&look, has_copy);
  gimple_seq_add_stmt(&hit, gimple_build_assign(tls_counter_offset, found));

  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gsi_insert_seq_before(&gsi, look, GSI_SAME_STMT);
  branch_around_result(call, has_copy, hit, tls_counter_offset,
                       reaches_near() ? keeping_call(tls_counter_offset) : same_call(call, tls_counter_offset));
}

} // namespace

bool read_thread_variable_first() {
  return rewrite_each(warm_calls_of(PATHPROF_THREAD_SYMBOL, true), read_variable_first);
}

} // namespace pathprof
