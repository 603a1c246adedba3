// SPDX-License-Identifier: GPL-3.0-or-later
// Inserts the switch check at the entry of uninstrumented functions, and compiles their instrumented versions. The
// check is inserted before branch shortening. Later passes do not move instructions, so the check is executed first.
#include "plugin/entry/entry_switch_check.h"

#include <algorithm>

#include "plugin/gcc/instrumented_clone.h"
#include "plugin/entry/inline_calls.h"
#include "plugin/emit/unit.h"

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

#include "diagnostic.h"
#include "emit-rtl.h"
#include "regset.h"

namespace pathprof {

namespace {

#ifdef PATHPROF_IS_X86

const pass_data entry_switch_check_pass_data = {
    RTL_PASS, "pathprof-entry", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

// Returns true if the instruction must precede the check of the profiling switch because it marks an indirect branch
// target (endbr) or reserves a patchable area.
bool must_be_first(rtx_insn *insn) {
  rtx pattern = PATTERN(insn);
  return NONJUMP_INSN_P(insn) && GET_CODE(pattern) == UNSPEC_VOLATILE &&
         (XINT(pattern, 1) == UNSPECV_NOP_ENDBR || XINT(pattern, 1) == UNSPECV_PATCHABLE_AREA);
}

// Inserts the check of the profiling switch before the function's first instruction or label. Appends the check if the
// function has neither.
void insert_first(rtx assembler) {
  rtx_insn *insn = get_insns();
  while (insn && !LABEL_P(insn) && (!NONDEBUG_INSN_P(insn) || must_be_first(insn)))
    insn = NEXT_INSN(insn);
  if (insn)
    emit_insn_before(assembler, insn);
  else
    emit_insn_after(assembler, get_last_insn());
}

//     cmpb $0, is_on
//     jne version
rtx test(tree is_on, tree version) {
  rtvec operands = gen_rtvec(2, XEXP(DECL_RTL(is_on), 0), XEXP(DECL_RTL(version), 0));
  rtvec constraints = rtvec_alloc(2);
  for (int i = 0; i < 2; i++)
    RTVEC_ELT(constraints, i) = gen_rtx_ASM_INPUT_loc(Pmode, "i", UNKNOWN_LOCATION);
  rtx assembler = gen_rtx_ASM_OPERANDS(VOIDmode,
                                       "{cmpb\t$0, %p0(%%rip)|cmp\tBYTE PTR %p0[rip], 0}\n\t"
                                       "jne\t%P1",
                                       "", 0, operands, constraints, rtvec_alloc(0), UNKNOWN_LOCATION);
  MEM_VOLATILE_P(assembler) = 1;
  return assembler;
}

class EntrySwitchCheckPass : public rtl_opt_pass {
public:
  explicit EntrySwitchCheckPass(gcc::context *context) : rtl_opt_pass(entry_switch_check_pass_data, context) {}

  bool gate(function *) final override { return instrumented_clone_of(current_function_decl); }

  unsigned int execute(function *) final override {
    tree version = instrumented_clone_of(current_function_decl);
    insert_first(test(switch_variable(), version));
    return 0;
  }
};

// Compiles the instrumented version immediately after the uninstrumented function. Callers that GCC compiles later then
// take into account which registers the instrumented version changes and which stack alignment it requires.
void compile_version(void *, void *) {
  tree decl = current_function_decl, version = instrumented_clone_of(decl);
  if (!version)
    return;
  cgraph_rtl_info *plain = cgraph_node::rtl_info(decl);
  const cgraph_rtl_info alone = *plain;
  SET_HARD_REG_SET(plain->function_used_regs); // for recursive calls
  plain->preferred_incoming_stack_boundary = PREFERRED_STACK_BOUNDARY;
  // At this point, GCC has compiled the uninstrumented function and only has to release its data.
  pop_cfun();
  bitmap_obstack_release(&reg_obstack);
  bool were_inhibited = COMPAT_INHIBITS_WARNINGS;
  COMPAT_INHIBITS_WARNINGS = true; // the warnings have already been emitted
  cgraph_node::get(version)->expand();
  COMPAT_INHIBITS_WARNINGS = were_inhibited;
  bitmap_obstack_initialize(&reg_obstack);
  const cgraph_rtl_info &counted = *cgraph_node::rtl_info(version);
  plain->function_used_regs = alone.function_used_regs | counted.function_used_regs;
  plain->preferred_incoming_stack_boundary =
      std::max(alone.preferred_incoming_stack_boundary, counted.preferred_incoming_stack_boundary);
}

// Skips GIMPLE passes for an instrumented version. These passes had already processed the original function when it was
// copied.
void leave_out_pass(void *gate, void *) {
  if (current_pass->type == GIMPLE_PASS && current_function_decl && uninstrumented_original_of(current_function_decl) &&
      !is_inline_calls_pass(current_pass))
    *static_cast<bool *>(gate) = false;
}

#endif

} // namespace

void register_entry_switch_check(const char *plugin_name) {
#ifdef PATHPROF_IS_X86
  register_pass(plugin_name, new EntrySwitchCheckPass(g), "shorten", PASS_POS_INSERT_BEFORE);
  register_callback(plugin_name, PLUGIN_OVERRIDE_GATE, leave_out_pass, nullptr);
  register_callback(plugin_name, PLUGIN_ALL_PASSES_END, compile_version, nullptr);
#else
  (void)plugin_name;
#endif
}

} // namespace pathprof
