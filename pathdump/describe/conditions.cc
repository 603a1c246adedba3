// SPDX-License-Identifier: GPL-3.0-or-later
// Extracts conditions and labels from source text.
#include "pathdump/describe/conditions.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <vector>

#include "pathdump/describe/scan.h"

namespace pathprof {

// Returns the keyword at the position or, if the position is that of an opening parenthesis, the keyword before the
// parenthesis.
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

std::string condition_at(const std::string &text, size_t offset) {
  if (offset >= text.size())
    return {};
  Scan scan(text);
  const std::string &mask = scan.mask();
  if (std::string word = keyword_at(mask, offset); !word.empty())
    return scan.text(scan.bare(scan.behind_keyword(word, offset)));
  bool is_colon = mask[offset] == ':' && mask[offset + 1] != ':';
  if (mask[offset] == '?' || is_colon)
    return scan.text(scan.bare(scan.around(is_colon ? scan.question_of(offset) : offset, true, false)));
  return scan.text(scan.bare(scan.around(offset, true, true)));
}

// Returns true if there is an arithmetic operator at the position and the statement contains a conditional expression.
// In that case, the branch was generated from the conditional expression.
static bool is_beside_choice(const std::string &mask, size_t at) {
  bool is_operator = std::string("+-*/%^").find(mask[at]) != std::string::npos;
  size_t begin = mask.find_last_of(";{}", at), end = std::min(mask.size(), mask.find_first_of(";{}", at));
  return is_operator && mask.find('?', begin == std::string::npos ? 0 : begin) < end;
}

bool is_only_condition(const std::string &text, size_t offset) {
  if (offset >= text.size() || is_beside_choice(masked(text), offset))
    return false;
  std::string condition = condition_at(text, offset);
  Scan scan(condition);
  const std::string &mask = scan.mask();
  for (size_t i = 0; i < mask.size(); i++) {
    bool begins_word = is_word(mask[i]) && (i == 0 || !is_word(mask[i - 1]));
    std::string word = begins_word ? word_at(mask, i) : std::string();
    if (is_connective(mask, i) || mask[i] == '?' || word == "and" || word == "or")
      return false;
  }
  return scan.find(scan.all(), ',') == scan.all().end;
}

bool is_keyword_at(const std::string &text, size_t offset) {
  return offset < text.size() && !keyword_at(masked(text), offset).empty();
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

bool is_balanced(const std::string &expression) {
  int depth = 0;
  for (char c : masked(expression)) {
    depth += opens(c) - closes(c);
    if (depth < 0)
      return false;
  }
  return depth == 0;
}

std::string bare_text(const std::string &expression) {
  Scan scan(expression);
  return scan.text(scan.bare(scan.all()));
}

// Returns true if the character at `at` belongs to the same number as the characters before it, as in 1.5 and 1e-3.
static bool continues_number(const std::string &line, size_t at) {
  if (line[at] == '.')
    return at + 1 == line.size() || line[at + 1] != '.'; // D writes ranges as 1..5
  bool is_exponent = std::strchr("eEpP", line[at - 1]) && (line[at] == '+' || line[at] == '-');
  return is_exponent || is_word(line[at]);
}

size_t end_of_word(const std::string &line, size_t end) {
  std::string mask = masked(line);
  size_t begin = std::min(end, mask.size());
  while (begin > 0 && is_word(mask[begin - 1]))
    begin--;
  bool is_number = begin < end && std::isdigit(static_cast<unsigned char>(mask[begin]));
  while (end > 0 && end < mask.size() && is_word(mask[end - 1]) && is_word(mask[end]))
    end++;
  while (is_number && end < mask.size() && continues_number(mask, end))
    end++;
  size_t open = mask.find_first_not_of(' ', end);
  if (end == 0 || !is_word(mask[end - 1]) || open == std::string::npos || mask[open] != '(')
    return end;
  size_t close = Scan(line).closing(open, {0, line.size()});
  return close < line.size() ? close + 1 : end;
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
  return scan.closing(open, range) + 1 == range.end ? name : std::string(); // the call must be the whole expression
}

std::string use_at(const std::string &text, size_t offset) {
  if (offset >= text.size())
    return {};
  Scan scan(text);
  size_t end = offset + word_at(scan.mask(), offset).size();
  size_t open = scan.mask().find_first_not_of(' ', end);
  Range all = {0, text.size()};
  if (end == offset)
    return {};
  if (open != std::string::npos && scan.mask()[open] == '(')
    end = std::min(scan.closing(open, all) + 1, all.end);
  return scan.text({offset, end});
}

} // namespace pathprof
