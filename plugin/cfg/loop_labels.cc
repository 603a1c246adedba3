// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/loop_labels.h"

#include <map>
#include <vector>

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// Which functions GCC will find not to throw, as pass_nothrow does: callees first, each once.
class NothrowFunctions {
public:
  bool contains(cgraph_node *node) {
    if (!node || TREE_NOTHROW(node->decl))
      return node != nullptr;
    node = node->ultimate_alias_target();
    function *body = DECL_STRUCT_FUNCTION(node->decl);
    if (!body || !body->cfg || node->get_availability() <= AVAIL_INTERPOSABLE)
      return false;
    auto [known, is_new] = known_.try_emplace(node, false); // while it is open: recursive calls may throw
    if (!is_new)
      return known->second;
    bool result = !throws_out(node, body);
    return known_[node] = result;
  }

private:
  bool throws_out(cgraph_node *node, function *body) {
    basic_block bb;
    FOR_EACH_BB_FN(bb, body)
      for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
        gimple *statement = gsi_stmt(gsi);
        if (!stmt_can_throw_external(body, statement))
          continue;
        cgraph_node *callee = callee_of(statement);
        if (!callee || (callee != node && !contains(callee)))
          return true;
      }
    return false;
  }

  static cgraph_node *callee_of(gimple *statement) {
    tree decl = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
    return decl ? cgraph_node::get(decl) : nullptr;
  }

  std::map<cgraph_node *, bool> known_;
};

// What makes execute_fixup_cfg in GCC's tree-cfg.cc ask for a cleaner graph: calls of functions that only return a
// value (that which finds the exception is one in each handler), and edges to handlers that no exception takes.
bool coverage_sees_cleaned_graph() {
  NothrowFunctions nothrow;
  basic_block bb;
  FOR_EACH_BB_FN(bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
      gimple *statement = gsi_stmt(gsi);
      tree callee = is_gimple_call(statement) ? gimple_call_fndecl(statement) : NULL_TREE;
      if (!callee)
        continue;
      if (gimple_call_flags(statement) & (ECF_CONST | ECF_PURE | ECF_LOOPING_CONST_OR_PURE))
        return true;
      if (lookup_stmt_eh_lp(statement) > 0 && nothrow.contains(cgraph_node::get(callee)))
        return true;
    }
  return false;
}

bool has_label_with_position(basic_block bb) {
  for (gimple_stmt_iterator gsi = gsi_start_bb(bb); !gsi_end_p(gsi); gsi_next(&gsi)) {
    if (gimple_code(gsi_stmt(gsi)) != GIMPLE_LABEL)
      return false;
    if (!RESERVED_LOCATION_P(gimple_location(gsi_stmt(gsi))))
      return true;
  }
  return false;
}

// The edges that repeat the loop, if GCC gives it a single entry: none else.
std::vector<edge> repeating_edges(basic_block head) {
  std::vector<edge> repeating;
  unsigned entries = 0;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE(e, ei, head->preds) {
    if (e->flags & EDGE_ABNORMAL)
      return {};
    if (e->flags & EDGE_DFS_BACK)
      repeating.push_back(e);
    else
      entries++;
  }
  return entries > 1 ? repeating : std::vector<edge>();
}

} // namespace

void give_loop_labels_a_block() {
  if (!current_loops)
    return;
  std::vector<basic_block> heads;
  for (class loop *loop : *get_loops(cfun))
    if (loop && loop->header && loop->header != ENTRY_BLOCK_PTR_FOR_FN(cfun) && has_label_with_position(loop->header))
      heads.push_back(loop->header);
  if (heads.empty() || !coverage_sees_cleaned_graph())
    return;
  mark_dfs_back_edges();
  for (basic_block head : heads) {
    std::vector<edge> repeating = repeating_edges(head);
    if (repeating.empty())
      continue;
    basic_block body = split_block_after_labels(head)->dest;
    for (edge e : repeating)
      redirect_edge_and_branch(e, body);
    loops_state_set(LOOPS_NEED_FIXUP);
  }
}

} // namespace pathprof
