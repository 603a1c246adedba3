// SPDX-License-Identifier: GPL-3.0-or-later
// Determines whether the compiler tests a condition or its negation by comparing the condition's text with the branch.
#include "pathdump/describe/conditions.h"

#include <algorithm>
#include <vector>

#include "pathdump/describe/scan.h"

namespace pathprof {

namespace {

// A comparison operator that is not inside brackets, and its position.
struct Operator {
  size_t at;
  std::string text;
};

std::vector<Operator> comparisons(const Scan &scan, Range range) {
  std::vector<Operator> found;
  const std::string &mask = scan.mask();
  size_t skip = 0;
  scan.find(range, [&](size_t i) {
    if (i < skip)
      return false;
    std::string two = mask.substr(i, 2);
    for (const char *other : {"<<", ">>", "->"})
      if (two == other) {
        skip = i + 2;
        return false;
      }
    for (const char *wanted : {"==", "!=", "<=", ">=", "<", ">"})
      if (mask.compare(i, std::string(wanted).size(), wanted) == 0) {
        found.push_back({i, wanted});
        skip = i + std::string(wanted).size();
        return false;
      }
    return false;
  });
  return found;
}

// Returns true for numbers and for uppercase names, which usually denote constants.
bool looks_constant(const std::string &text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return islower(static_cast<unsigned char>(c)); }) ||
         isdigit(static_cast<unsigned char>(text[0]));
}

bool tests_equality(const BranchNotes &branch) {
  return branch.relation == Relation::Equal || branch.relation == Relation::NotEqual;
}

bool tests_truth(const BranchNotes &branch) {
  return branch.relation == Relation::Holds || branch.relation == Relation::Fails;
}

bool is_equality(const Operator &comparison) {
  return comparison.text == "==" || comparison.text == "!=";
}

// Returns true if a comparison in the source is the negation of the compiler's comparison. Requires that either both
// comparisons test for equality or neither does.
bool are_opposite(const Operator &source, const std::string &left, const BranchNotes &branch) {
  if (is_equality(source))
    return (source.text == "==") != (branch.relation == Relation::Equal);
  bool is_less = branch.relation == Relation::Less || branch.relation == Relation::LessEqual;
  if (branch.with_constant)
    return !looks_constant(left) && (source.text[0] == '<') != is_less;
  bool is_strict = branch.relation == Relation::Less || branch.relation == Relation::Greater;
  return (source.text.size() == 1) != is_strict;
}

// Returns the sense of a branch that compares a value with 0, true or false.
Sense sense_of_value(const BranchNotes &branch) {
  if (!branch.with_constant || !(tests_truth(branch) || tests_equality(branch)))
    return Sense::Unknown;
  return branch.relation == Relation::Fails || branch.relation == Relation::Equal ? Sense::Opposite : Sense::Same;
}

Sense sense_of_comparison(const Scan &scan, Range range, const Operator &comparison, const BranchNotes &branch) {
  size_t end = comparison.at + comparison.text.size();
  std::string left = scan.text(scan.bare({range.begin, comparison.at})), right = scan.text(scan.bare({end, range.end}));
  bool is_known = branch.relation != Relation::None && !tests_truth(branch);
  if (!is_known || tests_equality(branch) != is_equality(comparison))
    return Sense::Unknown;
  // If the compiler compares with a constant but neither operand in the source looks like a constant, it is unknown
  // which source operand the constant replaces: the compiler may have generated `hi >= 0` from `lo <= hi`.
  if (!tests_equality(branch) && branch.with_constant && !looks_constant(left) && !looks_constant(right))
    return Sense::Unknown;
  return are_opposite(comparison, left, branch) ? Sense::Opposite : Sense::Same;
}

} // namespace

Sense sense_in(const std::string &expression, const BranchNotes &branch) {
  Scan scan(expression);
  Range range = scan.bare(scan.all());
  bool is_negated = false;
  for (; !range.empty() && scan.mask()[range.begin] == '!'; range = scan.bare({range.begin + 1, range.end}))
    is_negated = !is_negated;
  std::vector<Operator> found = comparisons(scan, range);
  if (range.empty() || found.size() > 1 ||
      scan.find(range, [&](size_t i) { return is_connective(scan.mask(), i); }) < range.end)
    return Sense::Unknown;
  Sense sense = found.empty() ? sense_of_value(branch) : sense_of_comparison(scan, range, found.front(), branch);
  return is_negated ? opposite(sense) : sense;
}

// Returns true if the expression contains a name outside string and character literals.
static bool has_name(const std::string &expression) {
  std::string mask = masked(expression);
  for (size_t i = 0; i < mask.size(); i++) {
    bool begins_word = is_word(mask[i]) && (i == 0 || !is_word(mask[i - 1]));
    if (begins_word && is_word(expression[i]) && !isdigit(static_cast<unsigned char>(expression[i])))
      return true;
  }
  return false;
}

bool may_be_of(const std::string &expression, const BranchNotes &branch) {
  bool is_word_alone = std::all_of(expression.begin(), expression.end(), is_word);
  bool tests_value = tests_truth(branch) || (branch.with_constant && tests_equality(branch));
  return has_name(expression) && (tests_value || !is_word_alone);
}

} // namespace pathprof
