// SPDX-License-Identifier: GPL-3.0-or-later
// Compares the trees of conditions to find those that test the same value.
#include "plugin/gcc/coupled_conditions.h"

#include <optional>

#include "plugin/gcc/condition_text.h"

namespace pathprof {

namespace {

// The value that a condition tests, without negations and comparisons to 0.
struct Tested {
  tree value;
  bool is_opposite; // True if the condition is true when the value is false
};

Tested tested_by(tree condition) {
  Tested tested = {condition, false};
  for (;;) {
    tree value = tested.value;
    if (tests_value(value))
      tested.is_opposite ^= TREE_CODE(value) != NE_EXPR;
    else if (TREE_CODE(value) != NON_LVALUE_EXPR && !(CONVERT_EXPR_P(value) && keeps_truth(value)))
      return tested;
    tested.value = TREE_OPERAND(value, 0);
  }
}

tree find_volatile(tree *part, int *, void *) {
  bool is_reference = DECL_P(*part) || REFERENCE_CLASS_P(*part);
  return is_reference && TREE_THIS_VOLATILE(*part) ? *part : NULL_TREE;
}

// Returns true if evaluating the condition again might give a different result, or if its evaluation might change the
// values of other conditions.
bool has_effects(tree condition) {
  return TREE_SIDE_EFFECTS(condition) || walk_tree_without_duplicates(&condition, find_volatile, nullptr);
}

// Returns false if the two truth values are always equal, true if they are always opposite, and nothing otherwise.
std::optional<bool> is_opposite(tree one, tree other) {
  if (operand_equal_p(one, other, 0))
    return false;
  if (!COMPARISON_CLASS_P(one) || !COMPARISON_CLASS_P(other))
    return std::nullopt;
  tree left = TREE_OPERAND(one, 0), right = TREE_OPERAND(one, 1);
  bool honors_nans = HONOR_NANS(left);
  tree_code code = TREE_CODE(one), wanted = TREE_CODE(other);
  for (bool is_swapped : {false, true}) {
    if (is_swapped) {
      std::swap(left, right);
      code = swap_tree_comparison(code);
    }
    if (!operand_equal_p(left, TREE_OPERAND(other, 0), 0) || !operand_equal_p(right, TREE_OPERAND(other, 1), 0))
      continue;
    if (code == wanted)
      return false;
    if (invert_tree_comparison(code, honors_nans) == wanted)
      return true;
  }
  return std::nullopt;
}

} // namespace

std::vector<Coupled> couple(const std::vector<tree> &conditions) {
  std::vector<Coupled> coupled(conditions.size());
  std::vector<Tested> stable; // Conditions since the last one with side effects
  for (size_t i = 0; i < conditions.size(); i++) {
    if (has_effects(conditions[i])) {
      stable.clear();
      continue;
    }
    Tested own = tested_by(conditions[i]);
    for (size_t back = 1; back <= stable.size() && coupled[i].back == 0; back++) {
      const Tested &earlier = stable[stable.size() - back];
      if (std::optional<bool> opposite = is_opposite(earlier.value, own.value))
        coupled[i] = {static_cast<uint32_t>(back), (earlier.is_opposite != own.is_opposite) != *opposite};
    }
    stable.push_back(own);
  }
  return coupled;
}

} // namespace pathprof
