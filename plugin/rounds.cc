// SPDX-License-Identifier: GPL-3.0-or-later
#include "plugin/rounds.h"

#include <utility>

#include "plugin/gcc.h"

namespace pathprof {

namespace {

// A number that is `first` when control enters the loop, and more by `step` each time around.
struct Progression {
  int64_t first;
  int64_t step;
};

basic_block block_of(int index) {
  return BASIC_BLOCK_FOR_FN(cfun, index);
}

// The loop's only exit, of a block that ends in a condition; null if it has others.
edge only_exit(const Loop &loop) {
  edge exit = nullptr, e;
  edge_iterator ei;
  for (int block : loop.blocks)
    FOR_EACH_EDGE(e, ei, block_of(block)->succs) {
      if (loop.contains(e->dest->index))
        continue;
      if (exit)
        return nullptr;
      exit = e;
    }
  return exit && EDGE_COUNT(exit->src->succs) == 2 ? exit : nullptr;
}

// The constant that a value is; also where ways only join again.
std::optional<int64_t> constant_of(tree value) {
  if (tree_fits_shwi_p(value))
    return tree_to_shwi(value);
  gphi *phi = TREE_CODE(value) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value)) : nullptr;
  if (!phi || !tree_fits_shwi_p(gimple_phi_arg_def(phi, 0)))
    return std::nullopt;
  for (unsigned i = 1; i < gimple_phi_num_args(phi); i++)
    if (!operand_equal_p(gimple_phi_arg_def(phi, i), gimple_phi_arg_def(phi, 0)))
      return std::nullopt;
  return tree_to_shwi(gimple_phi_arg_def(phi, 0));
}

// What the statement adds to a variable, and that variable; null where it is no such statement.  To add 2^n - 1 to an
// unsigned number is to take 1 away.
std::pair<tree, int64_t> sum_of(tree name) {
  gassign *statement = TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  if (!statement || gimple_assign_rhs_code(statement) != PLUS_EXPR)
    return {NULL_TREE, 0};
  tree more = gimple_assign_rhs2(statement);
  if (TREE_CODE(more) != INTEGER_CST || TYPE_PRECISION(TREE_TYPE(more)) > HOST_BITS_PER_WIDE_INT)
    return {NULL_TREE, 0};
  return {gimple_assign_rhs1(statement), wide_int::from(wi::to_wide(more), HOST_BITS_PER_WIDE_INT, SIGNED).to_shwi()};
}

// The values of a variable at the loop's head.
std::optional<Progression> progression_of(const Loop &loop, tree variable) {
  basic_block head = block_of(loop.head());
  gphi *phi = TREE_CODE(variable) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(variable)) : nullptr;
  if (!phi || gimple_bb(phi) != head || !INTEGRAL_TYPE_P(TREE_TYPE(variable)))
    return std::nullopt;
  std::optional<int64_t> first;
  int64_t step = 0;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
    tree value = gimple_phi_arg_def(phi, i);
    if (loop.contains(gimple_phi_arg_edge(phi, i)->src->index)) {
      auto [before, more] = sum_of(value);
      if (before != variable || step != 0)
        return std::nullopt;
      step = more;
    } else {
      std::optional<int64_t> constant = constant_of(value);
      if (!constant || first.value_or(*constant) != *constant)
        return std::nullopt;
      first = constant;
    }
  }
  return first && step != 0 ? std::optional(Progression{*first, step}) : std::nullopt;
}

// After how many steps `code limit` does not hold any more.
std::optional<uint64_t> steps_while(const Progression &values, tree_code code, int64_t limit) {
  __int128 distance = static_cast<__int128>(limit) - values.first, step = values.step;
  if (code == GT_EXPR || code == GE_EXPR) {
    distance = -distance;
    step = -step;
  }
  if (code == NE_EXPR && distance % step != 0)
    return std::nullopt;
  if (code == LE_EXPR || code == GE_EXPR)
    distance++;
  else if (code != LT_EXPR && code != GT_EXPR && code != NE_EXPR)
    return std::nullopt;
  if (code != NE_EXPR && step < 0)
    return std::nullopt;
  if (code == NE_EXPR && step < 0) {
    distance = -distance;
    step = -step;
  }
  return distance < 0 ? std::nullopt : std::optional(static_cast<uint64_t>((distance + step - 1) / step));
}

// Whether numbers of the type can have all values from the first on to that after so many steps: then none wraps
// around.
bool has_values(tree type, const Progression &values, uint64_t steps) {
  widest_int first = values.first, last = first + widest_int(values.step) * widest_int(static_cast<int64_t>(steps));
  return wi::fits_to_tree_p(first, type) && wi::fits_to_tree_p(last, type);
}

} // namespace

std::optional<uint64_t> known_rounds(const Loop &loop) {
  edge exit = only_exit(loop);
  gcond *condition = exit ? dyn_cast<gcond *>(last_stmt(exit->src)) : nullptr;
  if (!condition || !tree_fits_shwi_p(gimple_cond_rhs(condition)))
    return std::nullopt;
  tree tested = gimple_cond_lhs(condition);
  std::optional<Progression> values = progression_of(loop, tested);
  if (!values) { // tested after a step
    auto [before, step] = sum_of(tested);
    values = before ? progression_of(loop, before) : std::nullopt;
    if (!values || __builtin_add_overflow(values->first, step, &values->first))
      return std::nullopt;
  }
  tree_code code = gimple_cond_code(condition);
  if (exit->flags & EDGE_TRUE_VALUE)
    code = invert_tree_comparison(code, false);
  std::optional<uint64_t> rounds = steps_while(*values, code, tree_to_shwi(gimple_cond_rhs(condition)));
  if (!rounds || *rounds > INT64_MAX || !has_values(TREE_TYPE(tested), *values, *rounds))
    return std::nullopt;
  return rounds;
}

} // namespace pathprof
