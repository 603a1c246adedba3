// SPDX-License-Identifier: GPL-3.0-or-later
// Finds and rewrites calls of the runtime.
#include <algorithm>

#include "profile/format/abi.h"

#include "plugin/gcc/gcc.h"

#include "plugin/emit/runtime_calls.h"

namespace pathprof {

// Functions are identified by name, because at link time, each object file can contribute its own declaration of the
// same function.
const char *runtime_function(gimple *statement) {
  tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
  if (!callee || !DECL_ARTIFICIAL(callee))
    return nullptr;
  std::string_view name = IDENTIFIER_POINTER(DECL_NAME(callee)), prefix = PATHPROF_RUNTIME_PREFIX;
  return name.substr(0, prefix.size()) == prefix ? name.data() : nullptr;
}

bool calls(gimple *statement, std::string_view symbol) {
  const char *function = runtime_function(statement);
  return function && function == symbol;
}

std::vector<gcall *> calls_of(std::string_view symbol, bool with_result) {
  std::vector<gcall *> found;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi))
      if (calls(gsi_stmt(gsi), symbol) && (!with_result || gimple_call_lhs(gsi_stmt(gsi))))
        found.push_back(as_a<gcall *>(gsi_stmt(gsi)));
  return found;
}

std::vector<gcall *> warm_calls_of(std::string_view symbol, bool with_result) {
  std::vector<gcall *> found = calls_of(symbol, with_result);
  found.erase(std::remove_if(found.begin(), found.end(), [](gcall *call) { return is_cold(gimple_bb(call)); }),
              found.end());
  return found;
}

bool rewrite_each(const std::vector<gcall *> &calls, void (*rewrite)(gcall *)) {
  if (calls.empty())
    return false;
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  for (gcall *call : calls)
    rewrite(call);
  update_ssa(TODO_update_ssa);
  return true;
}

// Inserts a hint that the block is unlikely to be executed. GCC uses the hint when it estimates frequencies.
static void hint_unlikely(basic_block bb) {
  gimple_stmt_iterator gsi = gsi_start_bb(bb);
  gsi_insert_before(&gsi, gimple_build_predict(PRED_COLD_LABEL, NOT_TAKEN), GSI_SAME_STMT);
}

// Makes the existing edge `miss` the false edge of the condition at the end of its source block. Adds a true edge to
// block `hit` and an edge from `hit` to `join`.
static void branch(edge miss, basic_block hit, basic_block join) {
  int irreducible = miss->flags & EDGE_IRREDUCIBLE_LOOP;
  miss->flags = EDGE_FALSE_VALUE | irreducible;
  miss->probability = profile_probability::very_unlikely();
  edge to_hit = make_edge(miss->src, hit, EDGE_TRUE_VALUE | irreducible);
  to_hit->probability = miss->probability.invert();
  make_single_succ_edge(hit, join, EDGE_FALLTHRU | irreducible);
  hit->flags |= miss->src->flags & BB_IRREDUCIBLE_LOOP;
  hit->count = to_hit->count();
  miss->dest->count = miss->count();
  if (current_loops)
    add_bb_to_loop(hit, miss->src->loop_father);
}

void branch_around(gcall *call, gcond *is_hit, gimple_seq in_hit) {
  basic_block bb = gimple_bb(call);
  edge miss = split_block(bb, is_hit);
  edge on = split_block(miss->dest, call);
  basic_block hit = create_empty_bb(bb);
  gimple_stmt_iterator gsi = gsi_start_bb(hit);
  gsi_insert_seq_after(&gsi, in_hit, GSI_NEW_STMT);
  branch(miss, hit, on->dest);
  if (profile_status_for_fn(cfun) == PROFILE_ABSENT)
    hint_unlikely(miss->dest);
}

void branch_around_result(gcall *call, gcond *is_hit, gimple_seq hit, tree in_hit, gimple *new_call) {
  branch_around(call, is_hit, hit);
  basic_block join = single_succ(gimple_bb(call));
  gimple_stmt_iterator at_join = gsi_after_labels(join);
  gsi_insert_before(&at_join, gimple_build_assign(gimple_call_lhs(call), in_hit), GSI_SAME_STMT);
  gimple_stmt_iterator gsi = gsi_for_stmt(call);
  gimple_set_location(new_call, gimple_location(call));
  gsi_insert_before(&gsi, new_call, GSI_SAME_STMT);
  gsi_remove(&gsi, true);
}

// Estimated frequencies are ignored. They would make every case of a long switch statement in a loop cold.
bool is_cold(basic_block bb) {
  return EDGE_COUNT(bb->succs) == 0 || optimize_function_for_size_p(cfun) || probably_never_executed_bb_p(cfun, bb);
}

} // namespace pathprof
