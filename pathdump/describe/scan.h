// SPDX-License-Identifier: GPL-3.0-or-later
// Scans C and C++ source text for brackets, operators and the expressions between them.
#ifndef PATHPROF_PATHDUMP_DESCRIBE_SCAN_H
#define PATHPROF_PATHDUMP_DESCRIBE_SCAN_H

#include <algorithm>
#include <cctype>
#include <string>

#include "profile/model/masked.h"

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

  const std::string &mask() const { return mask_; }
  Range all() const { return trimmed({0, mask_.size()}); }

  Range trimmed(Range range) const {
    while (!range.empty() && mask_[range.begin] == ' ')
      range.begin++;
    while (!range.empty() && mask_[range.end - 1] == ' ')
      range.end--;
    return range;
  }

  // Returns the position of the bracket that matches `open`, or the end of the range if the bracket is missing.
  size_t closing(size_t open, Range range) const {
    int depth = 0;
    for (size_t i = open; i < range.end; i++) {
      depth += opens(mask_[i]) - closes(mask_[i]);
      if (depth == 0)
        return i;
    }
    return range.end;
  }

  // Strips surrounding blanks and parentheses from the range, and returns the result.
  Range bare(Range range) const {
    range = trimmed(range);
    while (!range.empty() && mask_[range.begin] == '(' && closing(range.begin, range) + 1 == range.end)
      range = trimmed({range.begin + 1, range.end - 1});
    return range;
  }

  // Returns the first position outside brackets for which `is_wanted` returns true, or the end of the range.
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

  // Returns the position of the last || in the range or, if there is none, of the last &&. Returns the end of the range
  // if it contains neither.
  size_t last_connective(Range range) const {
    size_t last[] = {range.end, range.end};
    find(range, [&](size_t i) {
      if (is_connective(mask_, i) && !(i > range.begin && is_connective(mask_, i - 1)))
        last[mask_[i] == '|'] = i;
      return false;
    });
    return last[1] < range.end ? last[1] : last[0];
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

  // Returns the condition in the parentheses after a keyword.
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

  // Returns the expression around a position. `to_the_left` and `to_the_right` select the directions in which the
  // result extends.
  Range around(size_t at, bool to_the_left, bool to_the_right) const {
    auto ends = [&](size_t i) {
      bool is_colon = mask_[i] == ':' && (i == 0 || mask_[i - 1] != ':') && mask_[i + 1] != ':';
      return mask_[i] == ';' || mask_[i] == '?' || mask_[i] == ',' || is_colon;
    };
    Range range = {at, at};
    for (int depth = 0; to_the_left && range.begin > 0; range.begin--) {
      size_t i = range.begin - 1;
      bool is_end = opens(mask_[i]) || ends(i) || assigns(i) || ends_block(i);
      if (depth == 0 && is_end)
        break;
      depth += closes(mask_[i]) - opens(mask_[i]);
    }
    for (int depth = 0; to_the_right && range.end < mask_.size(); range.end++) {
      size_t i = range.end;
      if (depth == 0 && (closes(mask_[i]) || ends(i)))
        break;
      depth += opens(mask_[i]) - closes(mask_[i]);
    }
    range = trimmed(range);
    for (const char *keyword : {"return", "else", "co_return"})
      if (word_at(mask_, range.begin) == keyword)
        range = trimmed({range.begin + std::string(keyword).size(), range.end});
    return range;
  }

  // Returns the position of the '?' that belongs to the ':' at `colon`, or `colon` if there is none.
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

private:
  // Returns true if a block of statements ends at `i`. A closing brace can also be the end of a value, as in T{1}.
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
};

} // namespace pathprof

#endif
