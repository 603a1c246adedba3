// SPDX-License-Identifier: GPL-3.0-or-later
// Decides branches along a path of blocks with GCC's ranger.
#include "plugin/gcc/fold.h"

#include "plugin/gcc/gcc.h"

namespace pathprof {

bool ends_in_decision(basic_block bb) {
  gimple *last = compat_last_stmt(bb);
  return last && (gimple_code(last) == GIMPLE_COND || gimple_code(last) == GIMPLE_SWITCH);
}

#ifdef PATHPROF_HAS_PATH_RANGES

struct FoldQuery::Ranger {
  gimple_ranger ranger;
};

FoldQuery::FoldQuery() : ranger_(std::make_unique<Ranger>()) {}
FoldQuery::~FoldQuery() = default;

// Returns the edge that the switch statement takes if its index has this value.
static edge case_of(gswitch *choice, tree value) {
  for (unsigned i = 1; i < gimple_switch_num_labels(choice); i++) {
    tree label = gimple_switch_label(choice, i);
    tree high = CASE_HIGH(label) ? CASE_HIGH(label) : CASE_LOW(label);
    if (tree_int_cst_compare(CASE_LOW(label), value) <= 0 && tree_int_cst_compare(value, high) <= 0)
      return find_edge(gimple_bb(choice), label_to_block(cfun, CASE_LABEL(label)));
  }
  return gimple_switch_default_edge(cfun, choice);
}

// Returns true if int_range_max can represent value ranges of this type.
static bool has_ranges(tree type) {
  return INTEGRAL_TYPE_P(type) || POINTER_TYPE_P(type);
}

edge FoldQuery::decided(const std::vector<basic_block> &path) {
  auto_vec<basic_block> from_end;
  for (auto at = path.rbegin(); at != path.rend(); ++at)
    from_end.safe_push(*at);
  gimple *last = compat_last_stmt(path.back());
  int_range_max range;
  tree value;
  CompatPathRanges query(ranger_->ranger, from_end);
  if (query.unreachable_path_p())
    return nullptr;
  if (gcond *condition = safe_dyn_cast<gcond *>(last)) {
    if (!has_ranges(TREE_TYPE(gimple_cond_lhs(condition))) || !query.range_of_stmt(range, condition) ||
        !range.singleton_p(&value))
      return nullptr;
    edge if_true, if_false;
    extract_true_false_edges_from_block(path.back(), &if_true, &if_false);
    return integer_zerop(value) ? if_false : if_true;
  }
  if (gswitch *choice = safe_dyn_cast<gswitch *>(last)) {
    tree index = gimple_switch_index(choice);
    if (TREE_CODE(index) == SSA_NAME && has_ranges(TREE_TYPE(index)) && query.range_of_expr(range, index, choice) &&
        range.singleton_p(&value))
      return case_of(choice, value);
  }
  return nullptr;
}

#else

// Without path_range_query, the plugin cannot determine whether a path decides the outcome of a branch.
struct FoldQuery::Ranger {};
FoldQuery::FoldQuery() {}
FoldQuery::~FoldQuery() = default;
edge FoldQuery::decided(const std::vector<basic_block> &) {
  return nullptr;
}

#endif

} // namespace pathprof
