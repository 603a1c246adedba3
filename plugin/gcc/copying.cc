// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/gcc/copying.h"

#include "plugin/gcc/gcc.h"

#include "tree-inline.h"

namespace pathprof {

int size_of(basic_block bb) {
  int size = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
    size += estimate_num_insns(gsi_stmt(gsi), &eni_size_weights);
  return size;
}

// Assembler code may define labels.
bool can_be_copied(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (gimple_code(gsi_stmt(gsi)) == GIMPLE_ASM)
      return false;
  return can_duplicate_block_p(bb);
}

edge copied_edge(edge original) {
  basic_block src = original->src;
  unsigned index = 0;
  while (EDGE_SUCC(src, index) != original)
    index++;
  return EDGE_SUCC(get_bb_copy(src), index);
}

} // namespace pathprof
