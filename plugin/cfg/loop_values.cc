// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/cfg/loop_values.h"

#include <map>
#include <set>

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// What a block does with a variable.
struct Accesses {
  bool is_read_first = false; // before any assignment in the block
  bool is_assigned = false;
};

// By variable that becomes SSA names; null stands for memory, which has SSA names of its own.
using Variables = std::map<tree, Accesses>;

tree note_reads(tree *operand, int *, void *data) {
  if (DECL_P(*operand) && is_gimple_reg(*operand)) {
    Accesses &accesses = (*static_cast<Variables *>(data))[*operand];
    accesses.is_read_first |= !accesses.is_assigned;
  }
  return NULL_TREE;
}

bool writes_memory(gimple *statement) {
  if (is_gimple_call(statement) && !(gimple_call_flags(statement) & (ECF_CONST | ECF_PURE | ECF_NOVOPS)))
    return true;
  tree lhs = gimple_get_lhs(statement);
  return gimple_code(statement) == GIMPLE_ASM || (lhs && TREE_CODE(lhs) != SSA_NAME && !is_gimple_reg(lhs));
}

Variables variables_of(basic_block bb) {
  Variables variables;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi)) {
    gimple *statement = gsi_stmt(gsi);
    tree lhs = gimple_get_lhs(statement);
    bool assigns_variable = lhs && DECL_P(lhs) && is_gimple_reg(lhs);
    for (unsigned i = 0; i < gimple_num_ops(statement); i++)
      if (tree *operand = gimple_op_ptr(statement, i); *operand && !(assigns_variable && *operand == lhs))
        walk_tree_without_duplicates(operand, note_reads, &variables);
    if (assigns_variable)
      variables[lhs].is_assigned = true;
    if (writes_memory(statement))
      variables[NULL_TREE].is_assigned = true;
  }
  return variables;
}

class Iteration {
public:
  explicit Iteration(class loop *loop) : loop_(loop) {}

  // Returns true if the loop assigns some variable before control leaves by `inner`, no block assigns it between there and
  // `other`, and its value is read in the next iteration or behind the loop.
  bool share_a_value(edge inner, edge other) {
    std::set<basic_block> before = blocks_before(inner->src), between = blocks_before(other->src);
    for (basic_block bb : before)
      between.erase(bb);
    for (basic_block bb : before)
      for (const auto &[variable, accesses] : variables(bb))
        if (accesses.is_assigned && !is_assigned_in(between, variable) && is_live(variable))
          return true;
    return false;
  }

private:
  const Variables &variables(basic_block bb) {
    auto [known, is_new] = known_.try_emplace(bb);
    if (is_new)
      known->second = variables_of(bb);
    return known->second;
  }

  Accesses accesses(basic_block bb, tree variable) {
    const Variables &all = variables(bb);
    auto found = all.find(variable);
    return found == all.end() ? Accesses() : found->second;
  }

  bool is_assigned_in(const std::set<basic_block> &blocks, tree variable) {
    for (basic_block bb : blocks)
      if (accesses(bb, variable).is_assigned)
        return true;
    return false;
  }

  // The blocks of an iteration from which control comes to `last`, and `last` itself.
  std::set<basic_block> blocks_before(basic_block last) const {
    std::set<basic_block> found{last};
    std::vector<basic_block> waiting{last};
    while (!waiting.empty()) {
      basic_block bb = waiting.back();
      waiting.pop_back();
      edge e;
      edge_iterator ei;
      if (bb != loop_->header)
        FOR_EACH_EDGE(e, ei, bb->preds)
          if (found.insert(e->src).second)
            waiting.push_back(e->src);
    }
    return found;
  }

  // Returns true if control may come from the loop's head to a statement that reads the variable before one that assigns it.
  bool is_live(tree variable) {
    if (!variable)
      return true;
    std::set<basic_block> found{loop_->header};
    std::vector<basic_block> waiting{loop_->header};
    while (!waiting.empty()) {
      basic_block bb = waiting.back();
      waiting.pop_back();
      Accesses here = accesses(bb, variable);
      if (here.is_read_first)
        return true;
      edge e;
      edge_iterator ei;
      if (!here.is_assigned)
        FOR_EACH_EDGE(e, ei, bb->succs)
          if (found.insert(e->dest).second)
            waiting.push_back(e->dest);
    }
    return false;
  }

  class loop *loop_;
  std::map<basic_block, Variables> known_;
};

} // namespace

bool share_a_value(class loop *of, edge inner, const std::vector<edge> &others) {
  Iteration iteration(of);
  for (edge other : others)
    if (other != inner && iteration.share_a_value(inner, other))
      return true;
  return false;
}

} // namespace pathprof
