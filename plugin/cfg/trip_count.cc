// SPDX-License-Identifier: GPL-3.0-or-later
// Computes trip counts from induction variables and exit conditions.
//
// GCC's own analysis (number_of_iterations_exit and scalar evolutions) is not used, because it requires loops with
// preheaders and single latches. GCC adds these blocks only for its loop optimizations. If they were added here, the
// control-flow graph whose paths are counted would change.
#include "plugin/cfg/trip_count.h"

#include <utility>

#include "plugin/gcc/gcc.h"

namespace pathprof {

namespace {

// A value of the form base + offset. If the base is null, the value is the offset. If the base is an object, the value
// is the object's address plus the offset in bytes.
struct Value {
  tree base = NULL_TREE;
  int64_t offset = 0;
  bool may_wrap =
      false; // True if the offset was computed with integer additions, so that base + offset may be smaller than base

  bool operator==(const Value &other) const {
    return base == other.base && offset == other.offset && may_wrap == other.may_wrap;
  }
};

// A value that is `first` on loop entry and increases by `step` in each iteration.
struct Progression {
  Value first;
  int64_t step;
};

basic_block block_of(int index) {
  return BASIC_BLOCK_FOR_FN(cfun, index);
}

// Returns the loop's only exit edge. Returns null if the loop has several exits or if the source block of the exit does
// not have exactly two successors.
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

gphi *phi_of(tree value) {
  return value && TREE_CODE(value) == SSA_NAME ? dyn_cast<gphi *>(SSA_NAME_DEF_STMT(value)) : nullptr;
}

// Returns the value as a number if it is constant. The result of a PHI node whose arguments are identical constants is
// also constant.
std::optional<int64_t> constant_of(tree value) {
  if (tree_fits_shwi_p(value))
    return tree_to_shwi(value);
  gphi *phi = phi_of(value);
  if (!phi || !tree_fits_shwi_p(gimple_phi_arg_def(phi, 0)))
    return std::nullopt;
  for (unsigned i = 1; i < gimple_phi_num_args(phi); i++)
    if (!operand_equal_p(gimple_phi_arg_def(phi, i), gimple_phi_arg_def(phi, 0)))
      return std::nullopt;
  return tree_to_shwi(gimple_phi_arg_def(phi, 0));
}

bool is_address_wide(tree type) {
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && TYPE_PRECISION(type) == POINTER_SIZE;
}

// If `name` is the sum of a variable and a constant, returns the variable and the constant. Returns null otherwise. The
// constant is interpreted as signed, so that the unsigned addition of 2^n - 1 becomes an addition of -1.
std::pair<tree, int64_t> sum_of(tree name) {
  gassign *statement = TREE_CODE(name) == SSA_NAME ? dyn_cast<gassign *>(SSA_NAME_DEF_STMT(name)) : nullptr;
  tree_code code = statement ? gimple_assign_rhs_code(statement) : ERROR_MARK;
  if (code != PLUS_EXPR && code != POINTER_PLUS_EXPR)
    return {NULL_TREE, 0};
  tree more = gimple_assign_rhs2(statement);
  if (TREE_CODE(more) != INTEGER_CST || TYPE_PRECISION(TREE_TYPE(more)) > HOST_BITS_PER_WIDE_INT)
    return {NULL_TREE, 0};
  return {gimple_assign_rhs1(statement), wide_int::from(wi::to_wide(more), HOST_BITS_PER_WIDE_INT, SIGNED).to_shwi()};
}

// Returns the address of an object or part of an object as base + offset.
std::optional<Value> object_at(tree address) {
  poly_int64 part;
  int64_t offset;
  tree object = get_addr_base_and_unit_offset(TREE_OPERAND(address, 0), &part);
  if (!object || !DECL_P(object) || !part.is_constant(&offset))
    return std::nullopt;
  return Value{object, offset};
}

// Returns the value as base + offset, looking through conversions and additions of constants.
Value value_of(tree value) {
  if (std::optional<int64_t> number = constant_of(value))
    return {NULL_TREE, *number};
  int64_t offset = 0;
  bool may_wrap = false;
  while (TREE_CODE(value) == SSA_NAME && is_address_wide(TREE_TYPE(value))) {
    gassign *statement = dyn_cast<gassign *>(SSA_NAME_DEF_STMT(value));
    if (auto [before, more] = sum_of(value); before) {
      int64_t sum;
      if (__builtin_add_overflow(offset, more, &sum))
        break;
      offset = sum;
      may_wrap |= gimple_assign_rhs_code(statement) == PLUS_EXPR;
      value = before;
    } else if (statement && (gimple_assign_single_p(statement) || gimple_assign_cast_p(statement)) &&
               !gimple_vuse(statement) && is_address_wide(TREE_TYPE(gimple_assign_rhs1(statement)))) {
      value = gimple_assign_rhs1(statement);
    } else {
      break;
    }
  }
  std::optional<Value> object = TREE_CODE(value) == ADDR_EXPR ? object_at(value) : std::nullopt;
  int64_t sum;
  if (object && !__builtin_add_overflow(offset, object->offset, &sum))
    return {object->base, sum, may_wrap};
  return {value, offset, may_wrap};
}

// Returns a - b if this difference is constant. The difference between two variables is constant if the difference
// between their initial values is constant and each iteration increases both by the same amount.
std::optional<int64_t> difference(const Value &a, const Value &b, int depth = 0) {
  constexpr int kMaxDepth = 3;     // Maximum nesting depth of loops
  constexpr unsigned kMaxWays = 8; // Maximum number of PHI arguments
  int64_t offset;
  if (__builtin_sub_overflow(a.offset, b.offset, &offset))
    return std::nullopt;
  if (a.base == b.base)
    return offset;
  gphi *phi_a = phi_of(a.base), *phi_b = phi_of(b.base);
  if (!phi_a || !phi_b || gimple_bb(phi_a) != gimple_bb(phi_b) || depth == kMaxDepth ||
      gimple_phi_num_args(phi_a) > kMaxWays)
    return std::nullopt;
  std::optional<int64_t> of_bases;
  for (unsigned i = 0; i < gimple_phi_num_args(phi_a); i++) {
    Value from_a = value_of(gimple_phi_arg_def(phi_a, i)), from_b = value_of(gimple_phi_arg_def(phi_b, i));
    if (from_a.base == a.base && from_b.base == b.base && from_a.offset == from_b.offset)
      continue;
    std::optional<int64_t> here = difference(from_a, from_b, depth + 1);
    if (!here || of_bases.value_or(*here) != *here)
      return std::nullopt;
    of_bases = here;
  }
  if (!of_bases || __builtin_add_overflow(offset, *of_bases, &offset))
    return std::nullopt;
  return offset;
}

// Returns the sequence of values that the variable has at the loop header.
std::optional<Progression> progression_of(const Loop &loop, tree variable) {
  basic_block head = block_of(loop.head());
  gphi *phi = phi_of(variable);
  if (!phi || gimple_bb(phi) != head)
    return std::nullopt;
  std::optional<Value> first;
  int64_t step = 0;
  for (unsigned i = 0; i < gimple_phi_num_args(phi); i++) {
    tree value = gimple_phi_arg_def(phi, i);
    if (loop.contains(gimple_phi_arg_edge(phi, i)->src->index)) {
      auto [before, more] = sum_of(value);
      if (before != variable || step != 0)
        return std::nullopt;
      step = more;
    } else {
      Value from = value_of(value);
      if (first && !(*first == from))
        return std::nullopt;
      first = from;
    }
  }
  return first && step != 0 ? std::optional(Progression{*first, step}) : std::nullopt;
}

// Returns the sequence of values of the operand that the exit condition tests. The operand must be the induction
// variable, either before or after the increment.
std::optional<Progression> values_tested(const Loop &loop, tree tested) {
  if (std::optional<Progression> values = progression_of(loop, tested))
    return values;
  auto [before, step] = sum_of(tested);
  std::optional<Progression> values = before ? progression_of(loop, before) : std::nullopt;
  if (!values || __builtin_add_overflow(values->first.offset, step, &values->first.offset))
    return std::nullopt;
  return values;
}

// Returns the number of steps until the comparison of the value with the limit becomes false. `code` is the comparison
// operator, and `distance` is the limit minus the initial value.
std::optional<uint64_t> steps_while(__int128 distance, __int128 step, tree_code code) {
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

// Returns true if the type can represent both the first value and the value after `steps` steps, which means that no
// value wraps around.
bool has_values(tree type, const Progression &values, uint64_t steps) {
  widest_int first = values.first.offset;
  widest_int last = first + widest_int(values.step) * widest_int(static_cast<int64_t>(steps));
  return wi::fits_to_tree_p(first, type) && wi::fits_to_tree_p(last, type);
}

// Returns true if the addresses `first` and `limit` can be compared by comparing their offsets. Addresses that wrap
// around are allowed if the comparison is !=.
bool are_in_order(tree type, const Value &first, const Value &limit, tree_code code) {
  bool of_one_object = POINTER_TYPE_P(type) && TYPE_OVERFLOW_UNDEFINED(type) && first.base == limit.base &&
                       !first.may_wrap && !limit.may_wrap;
  return is_address_wide(type) && (code == NE_EXPR || of_one_object);
}

// Returns the trip count of a loop that is exited when the comparison of `tested` with `limit` becomes false. `code` is
// the comparison operator.
std::optional<uint64_t> trip_count_while(const Loop &loop, tree tested, tree_code code, tree limit) {
  std::optional<Progression> values = values_tested(loop, tested);
  if (!values)
    return std::nullopt;
  Value last = value_of(limit);
  std::optional<int64_t> distance = difference(last, values->first);
  if (!distance)
    return std::nullopt;
  std::optional<uint64_t> trip_count = steps_while(*distance, values->step, code);
  if (!trip_count || *trip_count > INT64_MAX)
    return std::nullopt;
  tree type = TREE_TYPE(tested);
  bool is_sure =
      values->first.base ? are_in_order(type, values->first, last, code) : has_values(type, *values, *trip_count);
  return is_sure ? trip_count : std::nullopt;
}

} // namespace

std::optional<uint64_t> known_trip_count(const Loop &loop) {
  edge exit = only_exit(loop);
  gcond *condition = exit ? safe_dyn_cast<gcond *>(compat_last_stmt(exit->src)) : nullptr;
  if (!condition)
    return std::nullopt;
  tree left = gimple_cond_lhs(condition), right = gimple_cond_rhs(condition);
  tree_code code = gimple_cond_code(condition);
  if (!INTEGRAL_TYPE_P(TREE_TYPE(left)) && !POINTER_TYPE_P(TREE_TYPE(left)))
    return std::nullopt;
  if (exit->flags & EDGE_TRUE_VALUE)
    code = invert_tree_comparison(code, false);
  if (std::optional<uint64_t> trip_count = trip_count_while(loop, left, code, right))
    return trip_count;
  return trip_count_while(loop, right, swap_tree_comparison(code), left);
}

} // namespace pathprof
