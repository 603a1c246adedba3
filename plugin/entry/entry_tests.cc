// SPDX-License-Identifier: GPL-3.0-or-later
// GCC has two places for this.  Behind its last pass over the whole unit what is to be inlined is known, and each
// function can still be copied; before branches are given their lengths nothing is moved any more, and what comes first
// then is executed first.
#include "plugin/entry/entry_tests.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "plugin/cfg/candidates.h"
#include "plugin/cfg/function.h"
#include "plugin/cfg/versions.h"
#include "plugin/emit/unit.h"
#include "plugin/options/arguments.h"

#include "plugin/gcc/gcc.h"

#include "emit-rtl.h"
#include "regs.h"
#include "function-abi.h" // needs regs.h

namespace pathprof {

namespace {

const pass_data versions_pass_data = {
    SIMPLE_IPA_PASS, "pathprof-versions", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0, 0,
};
const pass_data entry_tests_pass_data = {
    RTL_PASS, "pathprof-entry", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class VersionsPass : public simple_ipa_opt_pass {
public:
  VersionsPass(gcc::context *context, Arguments arguments)
      : simple_ipa_opt_pass(versions_pass_data, context), arguments_(std::move(arguments)) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    std::vector<cgraph_node *> functions;
    cgraph_node *node;
    FOR_EACH_DEFINED_FUNCTION(node)
      if (!node->inlined_to && !node->alias && !node->thunk && !DECL_EXTERNAL(node->decl))
        functions.push_back(node);
    for (cgraph_node *one : functions) {
      one->get_untransformed_body(); // GCC copies its clones, and reads functions of a link, when it comes to them
      if (is_wanted(one, arguments_) && arguments_of(one, arguments_).has_switch)
        make_instrumented_version(one);
    }
    return 0;
  }

private:
  Arguments arguments_;
};

#ifdef PATHPROF_HAS_ENTRY_TESTS

// Whether code that asks may only come behind it: the mark of where indirect calls may lead to, and room for patches.
bool must_be_first(rtx_insn *insn) {
  rtx pattern = PATTERN(insn);
  return NONJUMP_INSN_P(insn) && GET_CODE(pattern) == UNSPEC_VOLATILE &&
         (XINT(pattern, 1) == UNSPECV_NOP_ENDBR || XINT(pattern, 1) == UNSPECV_PATCHABLE_AREA);
}

// Before which a function's first instruction stands; nothing may jump to what is put there.
rtx_insn *first_of_function() {
  rtx_insn *insn = get_insns();
  while (insn && !LABEL_P(insn) && (!NONDEBUG_INSN_P(insn) || must_be_first(insn)))
    insn = NEXT_INSN(insn);
  return insn;
}

// Callers of the plain version must not take registers as untouched that only the instrumented one changes.  These are
// all that a call may change where it has not been compiled.
rtvec with_clobbers(rtx assembler, const cgraph_rtl_info *version) {
  HARD_REG_SET clobbered = crtl->abi->full_and_partial_reg_clobbers();
  if (version)
    clobbered &= version->function_used_regs;
  std::vector<rtx> parts = {assembler};
  for (unsigned regno = 0; regno < FIRST_PSEUDO_REGISTER; regno++)
    if (TEST_HARD_REG_BIT(clobbered, regno) && !fixed_regs[regno])
      parts.push_back(gen_rtx_CLOBBER(VOIDmode, gen_rtx_REG(reg_raw_mode[regno], regno)));
  return gen_rtvec_v(static_cast<int>(parts.size()), parts.data());
}

//     cmpb $0, is_on
//     jne version
rtx test(tree is_on, tree version, const cgraph_rtl_info *compiled) {
  rtvec operands = gen_rtvec(2, XEXP(DECL_RTL(is_on), 0), XEXP(DECL_RTL(version), 0));
  rtvec constraints = rtvec_alloc(2);
  for (int i = 0; i < 2; i++)
    RTVEC_ELT(constraints, i) = gen_rtx_ASM_INPUT_loc(Pmode, "i", UNKNOWN_LOCATION);
  rtx assembler = gen_rtx_ASM_OPERANDS(VOIDmode,
                                       "{cmpb\t$0, %p0(%%rip)|cmp\tBYTE PTR %p0[rip], 0}\n\t"
                                       "jne\t%P1",
                                       "", 0, operands, constraints, rtvec_alloc(0), UNKNOWN_LOCATION);
  MEM_VOLATILE_P(assembler) = 1;
  return gen_rtx_PARALLEL(VOIDmode, with_clobbers(assembler, compiled));
}

class EntryTestsPass : public rtl_opt_pass {
public:
  explicit EntryTestsPass(gcc::context *context) : rtl_opt_pass(entry_tests_pass_data, context) {}

  bool gate(function *) final override { return instrumented_version_of(current_function_decl); }

  unsigned int execute(function *) final override {
    tree version = instrumented_version_of(current_function_decl);
    const cgraph_rtl_info *compiled = cgraph_node::rtl_info(version);
    emit_insn_before(test(switch_variable(), version, compiled), first_of_function());
    // A caller must not leave the stack as only the plain version may have it.
    unsigned boundary = compiled ? compiled->preferred_incoming_stack_boundary : PREFERRED_STACK_BOUNDARY;
    crtl->preferred_stack_boundary = std::max(crtl->preferred_stack_boundary, boundary);
    return 0;
  }
};

#endif

void register_pass(const char *plugin_name, opt_pass *pass, const char *anchor, pass_positioning_ops position) {
  register_pass_info info = {pass, anchor, 1, position};
  register_callback(plugin_name, PLUGIN_PASS_MANAGER_SETUP, nullptr, &info);
}

} // namespace

void register_entry_tests(const char *plugin_name, const Arguments &arguments) {
#ifdef PATHPROF_HAS_ENTRY_TESTS
  register_pass(plugin_name, new VersionsPass(g, arguments), "simdclone", PASS_POS_INSERT_AFTER);
  register_pass(plugin_name, new EntryTestsPass(g), "shorten", PASS_POS_INSERT_BEFORE);
#else
  (void)plugin_name, (void)arguments;
#endif
}

} // namespace pathprof
