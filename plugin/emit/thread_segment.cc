// SPDX-License-Identifier: GPL-3.0-or-later
// Makes accesses to counters relative to the base of a segment register.
//
// After a function has been expanded to RTL, each access still refers to the expression from which it was expanded, so
// its type is known. Later passes can discard the expression when they combine accesses. The first pass therefore gives
// all accesses to counters an alias set of their own, which later passes keep. The second pass recognizes this alias
// set.
#include "plugin/emit/thread_segment.h"

#include "plugin/gcc/place.h"
#include "plugin/gcc/gcc.h"
#include "plugin/gcc/passes.h"

#include "alias.h"
#include "emit-rtl.h"
#include "rtl-iter.h"
#include "tm_p.h"

namespace pathprof {

#ifdef PATHPROF_IS_X86

namespace {

// Calls `visit` for each memory access of the function.
template <typename Visit>
void for_each_access(Visit visit) {
  for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
    if (!NONDEBUG_INSN_P(insn))
      continue;
    subrtx_var_iterator::array_type array;
    FOR_EACH_SUBRTX_VAR(iterator, array, PATTERN(insn), NONCONST)
    if (MEM_P(*iterator))
      visit(*iterator);
  }
}

bool is_counter(rtx access) {
  tree expression = MEM_EXPR(access);
  if (!expression)
    return false;
  if (tree base = get_base_address(expression); base && VAR_P(base) && TREE_CODE(TREE_TYPE(base)) == ARRAY_TYPE)
    return is_segment_word_type(TREE_TYPE(TREE_TYPE(base)));
  return !DECL_P(expression) && is_segment_word_type(TREE_TYPE(reference_alias_ptr_type(expression)));
}

// Returns the alias set of counters. Like the alias set of their type, it is a subset of the alias set of unsigned long
// long. GCC creates alias sets only with -fstrict-aliasing. Without this option, all other accesses have alias set 0.
alias_set_type counter_alias_set() {
  static alias_set_type set;
  if (!set) {
    int is_strict = flag_strict_aliasing;
    flag_strict_aliasing = 1;
    set = new_alias_set();
    if (alias_set_type of_words = get_alias_set(long_long_unsigned_type_node)) // 0 in D
      record_alias_subset(of_words, set);
    flag_strict_aliasing = is_strict;
  }
  return set;
}

const pass_data mark_pass_data = {
    RTL_PASS, "pathprof-counters", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class MarkCountersPass : public rtl_opt_pass {
public:
  explicit MarkCountersPass(gcc::context *context) : rtl_opt_pass(mark_pass_data, context) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    for_each_access([](rtx access) {
      if (is_counter(access))
        set_mem_alias_set(access, counter_alias_set());
    });
    return 0;
  }
};

const pass_data segment_pass_data = {
    RTL_PASS, "pathprof-segment", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0,
};

class SegmentPass : public rtl_opt_pass {
public:
  explicit SegmentPass(gcc::context *context) : rtl_opt_pass(segment_pass_data, context) {}

  bool gate(function *) final override { return !seen_error(); }

  unsigned int execute(function *) final override {
    for_each_access([](rtx access) {
      if (MEM_ALIAS_SET(access) == counter_alias_set())
        set_mem_addr_space(access, ADDR_SPACE_SEG_GS);
    });
    return 0;
  }
};

} // namespace

void register_thread_segment_passes(const char *plugin_name) {
  register_pass(plugin_name, new MarkCountersPass(g), "expand");
  register_pass(plugin_name, new SegmentPass(g), "reload");
}

#else

void register_thread_segment_passes(const char *) {}

#endif

} // namespace pathprof
