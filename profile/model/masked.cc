// SPDX-License-Identifier: GPL-3.0-or-later
// Finds the comments and literals of a source text.
#include "profile/model/masked.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace pathprof {

static constexpr size_t kNone = std::string::npos;

// Returns the position after the closing quote of the string or character literal that starts at `begin`.  If the
// literal is not closed, returns the end of the line.
static size_t end_of_literal(const std::string &text, size_t begin) {
  size_t i = begin + 1;
  while (i < text.size() && text[i] != text[begin] && text[i] != '\n')
    i += text[i] == '\\' ? 2 : 1;
  return std::min(text.size(), i < text.size() && text[i] == text[begin] ? i + 1 : i);
}

// Returns the position after a comment that started before the text, or 0 if the text does not start within a comment.
static size_t end_of_first_comment(const std::string &text) {
  size_t end = text.find("*/");
  return end == kNone || text.find("/*") < end ? 0 : end + 2;
}

// Returns true if the ' at this position separates digits, as in 1'000 or 0xA'B.
static bool separates_digits(const std::string &text, size_t at) {
  size_t begin = at;
  while (begin > 0 && (isalnum(static_cast<unsigned char>(text[begin - 1])) || text[begin - 1] == '\''))
    begin--;
  return begin < at && isdigit(static_cast<unsigned char>(text[begin]));
}

// Returns the end of a raw string literal R"x(...)x" whose opening quote is at `quote`, or 0 if the literal is not a
// raw string.
static size_t end_of_raw_string(const std::string &text, size_t quote) {
  if (quote == 0 || text[quote - 1] != 'R')
    return 0;
  size_t open = text.find('(', quote);
  if (open == kNone)
    return 0;
  std::string closing = ")" + text.substr(quote + 1, open - quote - 1) + "\"";
  size_t end = text.find(closing, open);
  return end == kNone ? text.size() : end + closing.size();
}

std::string masked(const std::string &text) {
  std::string mask = text;
  size_t first = end_of_first_comment(text);
  std::fill_n(mask.begin(), first, ' ');
  for (size_t i = first; i < mask.size();) {
    size_t end = i + 1;
    char with = mask[i];
    size_t end_of_raw = mask[i] == '"' ? end_of_raw_string(text, i) : 0;
    if (mask[i] == '"' || (mask[i] == '\'' && !separates_digits(text, i))) {
      end = end_of_raw ? end_of_raw : end_of_literal(text, i);
      with = 'x';
    } else if (text.compare(i, 2, "/*") == 0) {
      end = std::min(text.size(), text.find("*/", i + 2) == kNone ? kNone : text.find("*/", i + 2) + 2);
      with = ' ';
    } else if (text.compare(i, 2, "//") == 0) {
      end = std::min(text.size(), text.find('\n', i));
      with = ' ';
    } else if (isspace(static_cast<unsigned char>(mask[i]))) {
      with = ' ';
    }
    std::fill(mask.begin() + static_cast<ptrdiff_t>(i), mask.begin() + static_cast<ptrdiff_t>(end), with);
    i = end;
  }
  return mask;
}

} // namespace pathprof
