// SPDX-License-Identifier: GPL-3.0-or-later
// Scanning source text for conditions and labels.
#include "pathdump/wording/conditions.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "pathdump/wording/masked.h"

namespace pathprof {

namespace {

constexpr size_t kNone = std::string::npos;

bool is_word(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool opens(char c) {
  return c == '(' || c == '[' || c == '{';
}
bool closes(char c) {
  return c == ')' || c == ']' || c == '}';
}

std::string word_at(const std::string &mask, size_t at) {
  size_t end = at;
  while (end < mask.size() && is_word(mask[end]))
    end++;
  return mask.substr(at, end - at);
}

bool is_connective(const std::string &mask, size_t at) {
  return mask.compare(at, 2, "&&") == 0 || mask.compare(at, 2, "||") == 0;
}

struct Range {
  size_t begin, end;
  bool empty() const { return begin >= end; }
};

class Scan {
public:
  explicit Scan(const std::string &text) : text_(text), mask_(masked(text)) {}
  Scan(const std::string &text, const std::set<size_t> &branches) : Scan(text) {
    has_branches_ = true;
    branches_ = branches;
    for (size_t at : branches)
      if (size_t inside = negated_connective(at); inside != kNone)
        branches_.insert(inside);
  }

  const std::string &mask() const { return mask_; }
  Range all() const { return trimmed({0, mask_.size()}); }

  Range trimmed(Range range) const {
    while (!range.empty() && mask_[range.begin] == ' ')
      range.begin++;
    while (!range.empty() && mask_[range.end - 1] == ' ')
      range.end--;
    return range;
  }

  // The closing bracket of the opening one; the range's end if it is not there.
  size_t closing(size_t open, Range range) const {
    int depth = 0;
    for (size_t i = open; i < range.end; i++) {
      depth += opens(mask_[i]) - closes(mask_[i]);
      if (depth == 0)
        return i;
    }
    return range.end;
  }

  // Without the parentheses around all of it.
  Range bare(Range range) const {
    range = trimmed(range);
    while (!range.empty() && mask_[range.begin] == '(' && closing(range.begin, range) + 1 == range.end)
      range = trimmed({range.begin + 1, range.end - 1});
    return range;
  }

  // The first place outside brackets where `is_wanted` holds; the range's end if there is none.
  template <typename Wanted>
  size_t find(Range range, Wanted is_wanted) const {
    for (size_t i = range.begin; i < range.end; i++) {
      if (opens(mask_[i]))
        i = closing(i, range);
      else if (is_wanted(i))
        return i;
    }
    return range.end;
  }
  size_t find(Range range, char wanted) const {
    return find(range, [&](size_t i) { return mask_[i] == wanted; });
  }

  // The first operand of && and ||, also of those that are negated as a whole.
  Range first_operand(Range range) const {
    for (;;) {
      range = bare(range);
      size_t end = find(range, [&](size_t i) { return splits(i); });
      Range inside = end < range.end ? Range{0, 0} : negated(range);
      if (end < range.end)
        range.end = end;
      else if (find(inside, [&](size_t i) { return splits(i); }) < inside.end)
        range = inside;
      else
        return range;
    }
  }

  // Whether the operator's expression is that of a '?', which has the position of the first operand.
  bool asks_behind(size_t at) const {
    size_t end = mask_.find_first_not_of(' ', Scan(text_, std::set<size_t>()).around(at + 2, false, true).end);
    return end != kNone && mask_[end] == '?';
  }

  // Whether the first operand in "!(a || b)", at whose '!' the place is, has a position of its own: that of the keyword
  // or the parenthesis in front, of the operator before or behind, or of a '?' behind.
  bool has_branch_for_first(size_t at) const {
    size_t i = at;
    while (i > 0 && (mask_[i - 1] == ' ' || mask_[i - 1] == '('))
      if (branches_.count(--i))
        return true;
    if (i > 1 && is_connective(mask_, i - 2))
      return branches_.count(i - 2) > 0;
    while (i > 0 && is_word(mask_[i - 1]))
      i--;
    size_t behind = mask_.find_first_not_of(' ', closing(mask_.find('(', at), {0, mask_.size()}) + 1);
    bool is_before_other =
        behind != kNone && (mask_[behind] == '?' || (is_connective(mask_, behind) && branches_.count(behind)));
    return branches_.count(i) || (mask_[at] == '!' && is_before_other);
  }

  // Where the place is an operator between two operands that is no comparison, the '?' around it that no branch has as
  // its position: what decides can be only there.
  std::vector<size_t> questions_around(size_t at) const {
    size_t last = at == 0 ? kNone : mask_.find_last_not_of(' ', at - 1);
    bool has_left = last != kNone && (is_word(mask_[last]) || closes(mask_[last]));
    bool is_operator =
        std::string("+-*/%^").find(mask_[at]) != kNone && mask_[at + 1] != mask_[at] && mask_.compare(at, 2, "->") != 0;
    if (!has_left || !is_operator)
      return {};
    size_t begin = mask_.find_last_of(";{}", at), end = std::min(mask_.size(), mask_.find_first_of(";{}", at));
    std::set<size_t> questions;
    for (size_t i = begin == kNone ? 0 : begin + 1; i < end; i++)
      if (mask_[i] == '?' && !branches_.count(i))
        questions.insert(i);
    for (size_t branch : branches_)
      if (branch < mask_.size() && mask_[branch] == ':')
        questions.erase(question_of(branch));
    return {questions.begin(), questions.end()};
  }

  // What is in the parentheses of "!(...)", where that is all of the range; else empty.
  Range negated(Range range) const {
    range = bare(range);
    if (range.empty() || mask_[range.begin] != '!')
      return {0, 0};
    range = trimmed({range.begin + 1, range.end});
    return !range.empty() && mask_[range.begin] == '(' && closing(range.begin, range) + 1 == range.end ? bare(range)
                                                                                                       : Range{0, 0};
  }

  // The operator that is applied last: the last ||, or if there is none the last &&; the range's end: neither.
  size_t last_connective(Range range) const {
    size_t last[] = {range.end, range.end};
    find(range, [&](size_t i) {
      if (is_connective(mask_, i) && !(i > range.begin && is_connective(mask_, i - 1)))
        last[mask_[i] == '|'] = i;
      return false;
    });
    return last[1] < range.end ? last[1] : last[0];
  }

  // GCC gives the last operator in "!(a || b)" the position of the '!'.  npos: there is no such thing at the place.
  size_t negated_connective(size_t at) const {
    if (at >= mask_.size() || mask_[at] != '!')
      return kNone;
    size_t open = mask_.find_first_not_of(' ', at + 1);
    if (open == kNone || mask_[open] != '(')
      return kNone;
    Range inside = bare({open, std::min(closing(open, {0, mask_.size()}) + 1, mask_.size())});
    size_t found = last_connective(inside);
    return found < inside.end ? found : kNone;
  }

  std::string text(Range range) const {
    std::string result;
    range = trimmed(range);
    for (size_t i = range.begin; i < range.end; i++)
      if (mask_[i] != ' ')
        result += text_[i];
      else if (!result.empty() && result.back() != ' ')
        result += ' ';
    return result;
  }

  // What a keyword's parentheses hold of a condition.
  Range behind_keyword(const std::string &keyword, size_t at) const {
    size_t open = mask_.find('(', at);
    if (open == kNone)
      return {0, 0};
    Range inside = {open + 1, closing(open, {0, mask_.size()})};
    size_t semicolon = find(inside, ';');
    if (semicolon >= inside.end)
      return inside;
    Range behind = {semicolon + 1, inside.end};
    if (keyword == "for")
      behind.end = find(behind, ';');
    return behind;
  }

  // What is around a place up to where another expression begins, on one side or both.
  Range around(size_t at, bool to_the_left, bool to_the_right) const {
    auto ends = [&](size_t i) {
      bool is_colon = mask_[i] == ':' && (i == 0 || mask_[i - 1] != ':') && mask_[i + 1] != ':';
      return mask_[i] == ';' || mask_[i] == '?' || mask_[i] == ',' || is_colon;
    };
    Range range = {at, at};
    for (int depth = 0; to_the_left && range.begin > 0; range.begin--) {
      size_t i = range.begin - 1;
      bool is_end = opens(mask_[i]) || ends(i) || assigns(i) || ends_block(i) || (i > 0 && splits(i - 1));
      if (depth == 0 && is_end)
        break;
      depth += closes(mask_[i]) - opens(mask_[i]);
    }
    for (int depth = 0; to_the_right && range.end < mask_.size(); range.end++) {
      size_t i = range.end;
      if (depth == 0 && (closes(mask_[i]) || ends(i) || (i > at && splits(i))))
        break;
      depth += opens(mask_[i]) - closes(mask_[i]);
    }
    range = trimmed(range);
    for (const char *keyword : {"return", "else", "co_return"})
      if (word_at(mask_, range.begin) == keyword)
        range = trimmed({range.begin + std::string(keyword).size(), range.end});
    return range;
  }

  // Up to the place: all operands before the operator there, or the condition before '?'.
  Range before(size_t at) const {
    return Scan(text_, std::set<size_t>()).around(at, true, false); // where && and || are no ends
  }

  // The '?' of a conditional expression whose ':' is at the place; else the place.
  size_t question_of(size_t colon) const {
    int depth = 0, questions = 1;
    for (size_t i = colon; i-- > 0;) {
      depth += closes(mask_[i]) - opens(mask_[i]);
      if (depth < 0)
        break;
      if (depth == 0 && mask_[i] == ':')
        questions++;
      if (depth == 0 && mask_[i] == '?' && --questions == 0)
        return i;
    }
    return colon;
  }

  // Whether control branches at an operator.
  bool splits(size_t at) const {
    return is_connective(mask_, at) && (at == 0 || !is_connective(mask_, at - 1)) &&
           (!has_branches_ || branches_.count(at));
  }

private:
  // Whether a block of statements ends there; braces may also be those of a value: T{1}.
  bool ends_block(size_t i) const {
    if (mask_[i] != '}')
      return false;
    int depth = 1;
    while (i > 0 && depth > 0 && mask_[--i] != ';')
      depth += closes(mask_[i]) - opens(mask_[i]);
    return depth > 0;
  }

  bool assigns(size_t i) const {
    return mask_[i] == '=' && (i + 1 == mask_.size() || mask_[i + 1] != '=') &&
           (i == 0 || std::string("=!<>").find(mask_[i - 1]) == kNone);
  }

  const std::string &text_;
  std::string mask_;
  bool has_branches_ = false; // without, control branches at all operators
  std::set<size_t> branches_;
};

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
    return branch.relation == Relation::Equal && branch.with_constant;
  return are_opposite(found.front(), scan.text({range.begin, found.front().at}),
                      scan.text({found.front().at + found.front().text.size(), range.end}), branch);
}

} // namespace

// The keyword whose parentheses the place is, or is in front of.
static std::string keyword_at(const std::string &mask, size_t at) {
  if (mask[at] == '(') {
    while (at > 0 && mask[at - 1] == ' ')
      at--;
    while (at > 0 && is_word(mask[at - 1]))
      at--;
  }
  std::string word = at == 0 || !is_word(mask[at - 1]) ? word_at(mask, at) : std::string();
  for (const char *keyword : {"if", "while", "for", "switch"})
    if (word == keyword)
      return word;
  return {};
}

std::string condition_at(const std::string &text, const BranchOffset &at) {
  if (at.offset >= text.size())
    return {};
  Scan scan(text, at.all);
  const std::string &mask = scan.mask();
  size_t offset = at.offset;
  if (std::string word = keyword_at(mask, offset); !word.empty()) {
    Range inside = scan.behind_keyword(word, offset);
    return scan.text(word == "switch" ? scan.bare(inside) : scan.first_operand(inside));
  }
  bool is_colon = mask[offset] == ':' && mask[offset + 1] != ':';
  if (mask[offset] == '?' || is_colon) {
    Range operand = scan.first_operand(scan.before(is_colon ? scan.question_of(offset) : offset));
    bool are_operands = at.is_one_of_several && scan.last_connective(operand) < operand.end;
    return are_operands ? std::string() : scan.text(operand); // of which it is one, not known which
  }
  bool is_negated = scan.negated_connective(offset) != kNone;
  if (is_negated || is_connective(mask, offset)) {
    size_t begin = is_negated ? offset : scan.before(offset).begin;
    bool is_operand =
        at.is_one_of_several || scan.has_branch_for_first(begin) || (!is_negated && scan.asks_behind(offset));
    if (is_operand || !(is_negated || at.is_whole)) {
      offset = is_negated ? scan.negated_connective(offset) : offset;
      return scan.text(scan.first_operand(at.is_first ? scan.before(offset) : scan.around(offset + 2, false, true)));
    }
    return scan.text(scan.bare(Scan(text, std::set<size_t>()).around(offset, true, true)));
  }
  if (std::vector<size_t> questions = scan.questions_around(offset); !questions.empty())
    return questions.size() > 1 ? std::string() : scan.text(scan.first_operand(scan.before(questions.front())));
  return scan.text(scan.bare(scan.around(offset, true, true)));
}

bool is_switch_at(const std::string &text, size_t offset) {
  return offset < text.size() && keyword_at(masked(text), offset) == "switch";
}

std::vector<std::string> labels_at(const std::string &text, size_t offset) {
  std::vector<std::string> labels;
  Scan scan(text);
  const std::string &mask = scan.mask();
  while (offset < text.size()) {
    std::string word = word_at(mask, offset);
    if (word != "case" && word != "default")
      break;
    Range range = {offset + word.size(), text.size()};
    range.end = scan.find(range, [&](size_t i) { return mask[i] == ':' && mask[i + 1] != ':' && mask[i - 1] != ':'; });
    if (range.end == text.size())
      break;
    if (word == "case")
      labels.push_back(scan.text(range));
    offset = mask.find_first_not_of(' ', range.end + 1);
  }
  return labels;
}

std::string called_by(const std::string &expression) {
  Scan scan(expression);
  Range range = scan.bare(scan.all());
  while (!range.empty() && scan.mask()[range.begin] == '!')
    range = scan.bare({range.begin + 1, range.end});
  std::string name = range.empty() ? std::string() : word_at(scan.mask(), range.begin);
  size_t open = range.begin + name.size();
  while (open < range.end && scan.mask()[open] == ' ')
    open++;
  if (name.empty() || open >= range.end || scan.mask()[open] != '(')
    return {};
  return scan.closing(open, range) + 1 == range.end ? name : std::string(); // behind that is outside of the call
}

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
  return !is_truth && wants_equal == (found.front().text == "==" || found.front().text == "!=");
}

bool is_turned_around(const std::string &expression, const BranchNotes &branch) {
  Scan scan(expression);
  return turned_around(scan, scan.all(), branch).value_or(false);
}

} // namespace pathprof
