// SPDX-License-Identifier: GPL-3.0-or-later
// Copies basic blocks and redirects edges to the copies.
#include "plugin/gcc/copying.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>

#include "plugin/gcc/gcc.h"

#include "tree-inline.h"

namespace pathprof {

int size_of(basic_block bb) {
  int size = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
    size += estimate_num_insns(gsi_stmt(gsi), &eni_size_weights);
  return size;
}

bool may_define_symbol(gasm *statement) {
  const char *text = gimple_asm_string(statement);
  for (const char *colon = strchr(text, ':'); colon; colon = strchr(colon + 1, ':')) {
    const char *start = colon;
    while (start > text && (ISALNUM(start[-1]) || strchr("_.$%=", start[-1])))
      start--;
    std::string name(start, colon);
    bool is_segment = name[0] == '%'; // For example, "%%fs:0"
    bool is_unique = name.find("%=") != std::string::npos;
    bool is_local = std::all_of(name.begin(), name.end(), [](char c) { return ISDIGIT(c); });
    if (!is_segment && !is_unique && !is_local)
      return true;
  }
  return false;
}

// Blocks with asm statements are not copied, because the assembler code may define labels.
bool can_be_copied(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
    if (gimple_code(gsi_stmt(gsi)) == GIMPLE_ASM)
      return false;
  return can_duplicate_block_p(bb);
}

// Returns how often control enters the blocks that are copied, that is, the sum of the counts of the entry edges.
static profile_count entered_by(const std::vector<edge> &entries) {
  profile_count sum = profile_count::zero();
  for (edge e : entries)
    sum += e->count();
  return sum;
}

std::vector<basic_block> copy_behind(const std::vector<edge> &entries, const std::vector<basic_block> &blocks) {
  std::vector<basic_block> copies;
  std::unordered_map<basic_block, basic_block> copy_of;
  profile_count from_outside = entered_by(entries);
  initialize_original_copy_tables();
  for (basic_block original : blocks) {
    copies.push_back(duplicate_block(original, NULL, NULL));
    copy_of[original] = copies.back();
    for (unsigned i = 0; i < EDGE_COUNT(original->succs); i++)
      EDGE_SUCC(copies.back(), i)->goto_locus = EDGE_SUCC(original, i)->goto_locus;
  }
  for (basic_block copy : copies) {
    edge e;
    edge_iterator ei;
    FOR_EACH_EDGE(e, ei, copy->succs)
      if (auto to = copy_of.find(e->dest); to != copy_of.end())
        redirect_edge_and_branch(e, to->second);
  }
  add_phi_args_after_copy(copies.data(), static_cast<unsigned>(copies.size()), NULL);
  for (edge e : entries)
    flush_pending_stmts(redirect_edge_and_branch(e, copy_of.at(e->dest)));
  // The execution count of each copied block is estimated as the number of times that control enters the copied blocks
  // from outside. The estimate is not exact, because there are also edges between the blocks.
  for (size_t i = 0; i < copies.size(); i++) {
    if (!blocks[i]->count.initialized_p() || !from_outside.initialized_p())
      continue;
    copies[i]->count = blocks[i]->count < from_outside ? blocks[i]->count : from_outside;
    blocks[i]->count -= copies[i]->count;
  }
  free_original_copy_tables();
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  update_ssa(TODO_update_ssa);
  return copies;
}

edge copied_edge(edge original) {
  basic_block src = original->src;
  unsigned index = 0;
  while (EDGE_SUCC(src, index) != original)
    index++;
  return EDGE_SUCC(get_bb_copy(src), index);
}

} // namespace pathprof
