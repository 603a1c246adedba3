// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts if-conversions with a simplified form of GCC's conditions.
#include "plugin/cfg/if_conversion.h"

#include <algorithm>

#include "plugin/gcc/gcc.h"
#include "plugin/gcc/statements.h"

namespace pathprof {

// These limits approximate the limits that GCC's if-conversion passes use.
static constexpr int kMaxStatements = 2; // Maximum number of statements per arm
static constexpr int kMaxResults =
    2; // Maximum number of values that depend on the arm, or 1 if an arm computes a value
// Maximum probability of an arm of a branch, in percent. If one arm is more likely, the processor usually predicts the
// branch correctly, and executing the branch is cheaper than computing both arms.
static constexpr int kMaxProbability = 55;

// Returns true if the value is an integer or a pointer, and fits in a register.
static bool is_word(tree value) {
  tree type = TREE_TYPE(value);
  return (INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type)) && tree_fits_uhwi_p(TYPE_SIZE_UNIT(type)) &&
         tree_to_uhwi(TYPE_SIZE_UNIT(type)) <= UNITS_PER_WORD;
}

static bool is_cheap_operation(tree_code code) {
  switch (code) {
  case SSA_NAME:
  case INTEGER_CST:
  case ADDR_EXPR:
  case PLUS_EXPR:
  case POINTER_PLUS_EXPR:
  case MINUS_EXPR:
  case NEGATE_EXPR:
  case MULT_EXPR:
  case BIT_AND_EXPR:
  case BIT_IOR_EXPR:
  case BIT_XOR_EXPR:
  case BIT_NOT_EXPR:
  case LSHIFT_EXPR:
  case RSHIFT_EXPR:
  case MIN_EXPR:
  case MAX_EXPR:
  CASE_CONVERT:
    return true;
  default:
    return TREE_CODE_CLASS(code) == tcc_comparison;
  }
}

static bool is_cheap(gimple *statement) {
  if (!is_gimple_assign(statement) || gimple_vuse(statement) || gimple_has_side_effects(statement) ||
      gimple_could_trap_p(statement))
    return false;
  tree result = gimple_assign_lhs(statement);
  return TREE_CODE(result) == SSA_NAME && is_word(result) && is_word(gimple_assign_rhs1(statement)) &&
         is_cheap_operation(gimple_assign_rhs_code(statement));
}

// Returns the number of statements in the block. If the block contains an expensive statement, the result is greater
// than kMaxStatements.
static int cheap_statements(basic_block bb) {
  int count = 0;
  for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb(bb); !gsi_end_p(gsi); gsi_next_nondebug(&gsi))
    if (!is_cheap(gsi_stmt(gsi)) || ++count > kMaxStatements)
      return kMaxStatements + 1;
  return count;
}

// Returns the number of values that differ between the two arms. If one of these values does not fit in a register, the
// result is greater than kMaxResults.
static int cheap_results(edge a, edge b) {
  int count = 0;
  for (gphi_iterator gsi = gsi_start_phis(a->dest); !gsi_end_p(gsi); gsi_next(&gsi)) {
    gphi *phi = gsi.phi();
    if (operand_equal_p(PHI_ARG_DEF_FROM_EDGE(phi, a), PHI_ARG_DEF_FROM_EDGE(phi, b)))
      continue;
    if (virtual_operand_p(gimple_phi_result(phi)) || !is_word(gimple_phi_result(phi)))
      return kMaxResults + 1;
    count++;
  }
  return count;
}

static bool is_ordinary(edge e) {
  return !(e->flags & EDGE_COMPLEX);
}

static bool is_one_sided(edge e) {
  auto is_likely = [](profile_probability p) {
    return p.initialized_p() && p > profile_probability::guessed_always().apply_scale(kMaxProbability, 100);
  };
  return is_likely(e->probability) || is_likely(e->probability.invert());
}

static bool is_simple_condition(basic_block bb) {
  gimple *last = compat_last_stmt(bb);
  gcond *branch = last ? dyn_cast<gcond *>(last) : nullptr;
  return branch && is_word(gimple_cond_lhs(branch)) && !stmt_can_throw_internal(cfun, branch);
}

namespace {

// An arm of a branch in GCC's CFG.
struct Arm {
  edge first, last;
  basic_block block() const { return first == last ? nullptr : first->dest; }
};

} // namespace

static bool is_cheap(basic_block head, const Arm &if_true, const Arm &if_false) {
  if (!(if_true.first->flags & EDGE_TRUE_VALUE) || if_true.last->dest != if_false.last->dest ||
      !optimize_bb_for_speed_p(head) || !is_simple_condition(head) || is_one_sided(if_true.first))
    return false;
  int statements = 0;
  for (const Arm &arm : {if_true, if_false}) {
    if (!is_ordinary(arm.first) || !is_ordinary(arm.last) || (arm.block() && arm.block() != arm.last->src))
      return false;
    int more = arm.block() ? cheap_statements(arm.block()) : 0;
    if (more > kMaxStatements)
      return false;
    statements += more;
  }
  return cheap_results(if_true.last, if_false.last) <= (statements > 0 ? 1 : kMaxResults);
}

std::vector<IfConversion> cheap_if_conversions(const FlowGraph &graph, const std::vector<basic_block> &blocks,
                                               const std::vector<edge> &edges) {
  if (!optimize || !gimple_in_ssa_p(cfun))
    return {};
  auto arm = [&](const std::vector<int> &arm_edges) {
    return Arm{edges[static_cast<size_t>(arm_edges.front())], edges[static_cast<size_t>(arm_edges.back())]};
  };
  auto is_expensive = [&](const IfConversion &if_conversion) {
    return !is_cheap(blocks[static_cast<size_t>(if_conversion.head)], arm(if_conversion.if_true),
                     arm(if_conversion.if_false));
  };
  std::vector<IfConversion> if_conversions = find_if_conversions(graph);
  if_conversions.erase(std::remove_if(if_conversions.begin(), if_conversions.end(), is_expensive),
                       if_conversions.end());
  return if_conversions;
}

} // namespace pathprof
