// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing what a condition says with what the compiler tests.
#include "pathdump/wording/conditions.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "pathdump/wording/scan.h"

namespace pathprof {

namespace {

// A comparison outside brackets: its place and length.
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

// Numbers, and names that are in capitals as those of constants are.
bool looks_constant(const std::string &text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return islower(static_cast<unsigned char>(c)); }) ||
         isdigit(static_cast<unsigned char>(text[0]));
}

// Of a comparison in the source and one of the compiler's: whether one is the other's opposite.
bool are_opposite(const Operator &source, const std::string &left, const std::string &right,
                  const BranchNotes &branch) {
  std::string of_source = source.text;
  bool wants_equal = branch.relation == Relation::Equal || branch.relation == Relation::NotEqual;
  // Of what is never negative the compiler compares with 0.
  if (wants_equal && ((of_source == ">" && right == "0") || (of_source == ">=" && right == "1")))
    of_source = "!=";
  if (wants_equal && ((of_source == "<=" && right == "0") || (of_source == "<" && right == "1")))
    of_source = "==";
  if (of_source == "==" || of_source == "!=")
    return wants_equal && (of_source == "==") != (branch.relation == Relation::Equal);
  if (wants_equal || branch.relation == Relation::None)
    return false;
  bool is_less = branch.relation == Relation::Less || branch.relation == Relation::LessEqual;
  if (branch.with_constant)
    return !looks_constant(left) && (of_source[0] == '<') != is_less;
  bool is_strict = branch.relation == Relation::Less || branch.relation == Relation::Greater;
  return (of_source.size() == 1) != is_strict;
}

// Whether the truth values that a condition puts together are combined by the other operator in the source.
std::optional<bool> are_combined_otherwise(const Scan &scan, Range range, const BranchNotes &branch) {
  const std::string &mask = scan.mask();
  size_t at = scan.last_connective(range);
  if (at >= range.end)
    at = scan.find(range, [&](size_t i) { return mask[i] == '&' || mask[i] == '|'; });
  if (at >= range.end)
    return {};
  return (mask[at] == '&') != (branch.relation == Relation::Holds);
}

// What a literal of a truth value says.
std::optional<bool> truth_of(const std::string &text) {
  if (text == "0" || text == "false" || text == "FALSE")
    return false;
  if (text == "1" || text == "true" || text == "TRUE")
    return true;
  return {};
}

// Whether the source compares a truth value with a literal, and then whether the comparison holds where the value is
// true.
std::optional<bool> holds_for_true(const Scan &scan, Range range, const Operator &comparison) {
  if (comparison.text != "==" && comparison.text != "!=")
    return {};
  std::optional<bool> literal = truth_of(scan.text(scan.bare({range.begin, comparison.at})));
  if (!literal)
    literal = truth_of(scan.text(scan.bare({comparison.at + comparison.text.size(), range.end})));
  return literal ? std::optional<bool>(*literal == (comparison.text == "==")) : literal;
}

// Whether it is 0 where two operands are equal: the compiler compares these then.
bool is_difference(const Scan &scan, Range range) {
  const std::string &mask = scan.mask();
  return scan.find({range.begin + 1, range.end}, [&](size_t i) {
    return mask[i] == '^' || (mask[i] == '-' && mask[i + 1] != '>' && mask[i + 1] != '-' && mask[i - 1] != '-');
  }) < range.end;
}

// Not known where the compiler has one comparison for what are several in the source.
std::optional<bool> turned_around(const Scan &scan, Range range, const BranchNotes &branch) {
  range = scan.bare(range);
  const std::string &mask = scan.mask();
  std::vector<Operator> found = comparisons(scan, range);
  if (range.empty())
    return {};
  bool has_several = scan.last_connective(range) < range.end;
  if (mask[range.begin] == '!' && found.empty() && !has_several) {
    std::optional<bool> inside = turned_around(scan, {range.begin + 1, range.end}, branch);
    return inside ? std::optional<bool>(!*inside) : inside;
  }
  bool is_truth = branch.relation == Relation::Holds || branch.relation == Relation::Fails;
  if (is_truth && !branch.with_constant)
    return are_combined_otherwise(scan, range, branch);
  if (has_several)
    return {};
  if (is_truth && found.size() == 1)
    if (std::optional<bool> holds = holds_for_true(scan, range, found.front()))
      return *holds != (branch.relation == Relation::Holds);
  if (is_truth)
    return branch.relation == Relation::Fails && (found.empty() || found.front().text != "!=");
  if (found.size() > 1)
    return {};
  if (found.empty())
    return branch.relation == Relation::Equal && (branch.with_constant || is_difference(scan, range));
  return are_opposite(found.front(), scan.text({range.begin, found.front().at}),
                      scan.text({found.front().at + found.front().text.size(), range.end}), branch);
}

} // namespace

bool is_certain(const std::string &expression, const BranchNotes &branch) {
  Scan scan(expression);
  Range range = scan.bare(scan.all());
  while (!range.empty() && scan.mask()[range.begin] == '!')
    range = scan.bare({range.begin + 1, range.end});
  std::vector<Operator> found = comparisons(scan, range);
  bool is_truth = branch.relation == Relation::Holds || branch.relation == Relation::Fails;
  bool wants_equal = branch.relation == Relation::Equal || branch.relation == Relation::NotEqual;
  if (range.empty() || scan.last_connective(range) < range.end || found.size() > 1 || branch.relation == Relation::None)
    return false;
  if (found.empty())
    return branch.with_constant && (is_truth || wants_equal);
  // Of a copy in which an operand is known to be a constant nobody knows which one: `hi >= 0` may be `lo <= hi`.
  auto is_constant = [&](Range side) { return looks_constant(scan.text(scan.bare(side))); };
  size_t at = found.front().at;
  bool is_side_known = wants_equal || !branch.with_constant || is_constant({range.begin, at}) ||
                       is_constant({at + found.front().text.size(), range.end});
  return !is_truth && is_side_known && wants_equal == (found.front().text == "==" || found.front().text == "!=");
}

// Whether there is a name outside of literals.
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
  bool is_truth = branch.relation == Relation::Holds || branch.relation == Relation::Fails;
  bool tests_value = is_truth || (branch.with_constant &&
                                  (branch.relation == Relation::Equal || branch.relation == Relation::NotEqual));
  return has_name(expression) && (tests_value || !is_word_alone);
}

bool is_plain(const std::string &expression, const BranchNotes &branch) {
  Scan scan(expression);
  Range range = scan.bare(scan.all());
  std::string text = scan.text(range);
  std::vector<Operator> found = comparisons(scan, range);
  if (text.empty() || found.size() > 1)
    return false;
  auto is_path = [](const std::string &side) {
    bool is_name = !side.empty() && !isdigit(static_cast<unsigned char>(side[0]));
    for (size_t i = 0; i < side.size() && is_name; i++) {
      bool is_arrow = side.compare(i, 2, "->") == 0;
      is_name = is_word(side[i]) || side[i] == '.' || is_arrow;
      i += is_arrow;
    }
    return is_name;
  };
  bool wants_equal = branch.relation == Relation::Equal || branch.relation == Relation::NotEqual;
  bool is_truth = branch.relation == Relation::Holds || branch.relation == Relation::Fails;
  if (found.empty())
    return is_path(text) && text != "not" && branch.with_constant && (wants_equal || is_truth);
  std::string left = scan.text(scan.bare({range.begin, found.front().at})),
              right = scan.text(scan.bare({found.front().at + found.front().text.size(), range.end}));
  bool tests_equal = found.front().text == "==" || found.front().text == "!=";
  bool is_zero = right == "0" || right == "NULL" || right == "nullptr";
  if (!is_path(left) || looks_constant(left) || tests_equal != wants_equal)
    return false;
  return is_zero ? tests_equal && branch.with_constant
                 : is_path(right) && !looks_constant(right) && !branch.with_constant;
}

bool is_turned_around(const std::string &expression, const BranchNotes &branch) {
  Scan scan(expression);
  return turned_around(scan, scan.all(), branch).value_or(false);
}

} // namespace pathprof
