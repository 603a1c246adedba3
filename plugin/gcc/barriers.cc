// SPDX-License-Identifier: GPL-3.0-or-later
// Builds empty assembler statements that limit GCC's optimisations.
#include "plugin/gcc/gcc.h"

#include "plugin/gcc/barriers.h"

#include <cstring>

namespace pathprof {

static tree text(const char *characters) {
  return build_string(static_cast<unsigned>(strlen(characters)), characters);
}

static gimple *empty_assembler(vec<tree, va_gc> *inputs, vec<tree, va_gc> *outputs, vec<tree, va_gc> *clobbers) {
  gasm *barrier = gimple_build_asm_vec("", inputs, outputs, clobbers, nullptr);
  gimple_asm_set_volatile(barrier, true);
  return barrier;
}

gasm *opaque_copy(tree copy, tree value) {
  vec<tree, va_gc> *outputs = nullptr, *inputs = nullptr;
  vec_safe_push(outputs, build_tree_list(build_tree_list(NULL_TREE, text("=r")), copy));
  vec_safe_push(inputs, build_tree_list(build_tree_list(NULL_TREE, text("0")), value));
  return gimple_build_asm_vec("", inputs, outputs, nullptr, nullptr);
}

gimple *barrier_for(const std::vector<tree> &operands) {
  vec<tree, va_gc> *outputs = nullptr, *inputs = nullptr;
  auto operand_list = [](const char *constraint, tree operand) {
    return build_tree_list(build_tree_list(NULL_TREE, text(constraint)), unshare_expr(operand));
  };
  for (tree operand : operands) {
    vec_safe_push(outputs, operand_list("=m", operand));
    vec_safe_push(inputs, operand_list("m", operand));
  }
  return empty_assembler(inputs, outputs, nullptr);
}

gimple *memory_barrier() {
  vec<tree, va_gc> *clobbers = nullptr;
  // As in GCC's own parser, the length of the string includes the terminating null character.
  vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(sizeof "memory", "memory")));
  return empty_assembler(nullptr, nullptr, clobbers);
}

} // namespace pathprof
