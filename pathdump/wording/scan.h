// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of a text of C or C++: what is in parentheses, around an operator, between operators.
#ifndef PATHPROF_PATHDUMP_WORDING_SCAN_H
#define PATHPROF_PATHDUMP_WORDING_SCAN_H

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "pathdump/wording/masked.h"

namespace pathprof {

inline bool is_word(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_';
}

inline bool opens(char c) {
  return c == '(' || c == '[' || c == '{';
}
inline bool closes(char c) {
  return c == ')' || c == ']' || c == '}';
}

inline std::string word_at(const std::string &mask, size_t at) {
  size_t end = at;
  while (end < mask.size() && is_word(mask[end]))
    end++;
  return mask.substr(at, end - at);
}

inline bool is_connective(const std::string &mask, size_t at) {
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
      if (size_t inside = negated_connective(at); inside != std::string::npos)
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
    return end != std::string::npos && mask_[end] == '?';
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
    bool is_before_other = behind != std::string::npos &&
                           (mask_[behind] == '?' || (is_connective(mask_, behind) && branches_.count(behind)));
    return branches_.count(i) || (mask_[at] == '!' && is_before_other);
  }

  // Where the place is an operator between two operands that is no comparison, the '?' around it that no branch has as
  // its position: what decides can be only there.
  std::vector<size_t> questions_around(size_t at) const {
    size_t last = at == 0 ? std::string::npos : mask_.find_last_not_of(' ', at - 1);
    bool has_left = last != std::string::npos && (is_word(mask_[last]) || closes(mask_[last]));
    bool is_operator = std::string("+-*/%^").find(mask_[at]) != std::string::npos && mask_[at + 1] != mask_[at] &&
                       mask_.compare(at, 2, "->") != 0;
    if (!has_left || !is_operator)
      return {};
    size_t begin = mask_.find_last_of(";{}", at), end = std::min(mask_.size(), mask_.find_first_of(";{}", at));
    std::set<size_t> questions;
    for (size_t i = begin == std::string::npos ? 0 : begin + 1; i < end; i++)
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
      return std::string::npos;
    size_t open = mask_.find_first_not_of(' ', at + 1);
    if (open == std::string::npos || mask_[open] != '(')
      return std::string::npos;
    Range inside = bare({open, std::min(closing(open, {0, mask_.size()}) + 1, mask_.size())});
    size_t found = last_connective(inside);
    return found < inside.end ? found : std::string::npos;
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
    if (open == std::string::npos)
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
           (i == 0 || std::string("=!<>").find(mask_[i - 1]) == std::string::npos);
  }

  const std::string &text_;
  std::string mask_;
  bool has_branches_ = false; // without, control branches at all operators
  std::set<size_t> branches_;
};

} // namespace pathprof

#endif
