// SPDX-License-Identifier: GPL-3.0-or-later
// Scanning source text for conditions and labels.
#include "pathdump/wording/conditions.h"

#include <vector>

#include "pathdump/wording/scan.h"

namespace pathprof {

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
  bool is_negated = scan.negated_connective(offset) != std::string::npos;
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

bool is_only_condition(const std::string &text, const BranchOffset &at) {
  if (at.is_one_of_several || at.offset >= text.size())
    return false;
  std::string all = condition_at(text, {at.offset, {at.offset}}); // also what other branches decide
  Scan scan(all);
  const std::string &mask = scan.mask();
  for (size_t i = 0; i < mask.size(); i++) {
    bool begins_word = is_word(mask[i]) && (i == 0 || !is_word(mask[i - 1]));
    std::string word = begins_word ? word_at(mask, i) : std::string();
    if (is_connective(mask, i) || mask[i] == '?' || word == "and" || word == "or")
      return false;
  }
  return !is_connective(masked(text), at.offset) && scan.find(scan.bare(scan.all()), ',') == scan.bare(scan.all()).end;
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

size_t end_of_word(const std::string &line, size_t end) {
  std::string mask = masked(line);
  while (end > 0 && end < mask.size() && is_word(mask[end - 1]) && is_word(mask[end]))
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
  return scan.closing(open, range) + 1 == range.end ? name : std::string(); // behind that is outside of the call
}

std::string only_use_of(const std::string &macro, const std::string &expression) {
  Scan scan(expression);
  Range all = scan.all(), use = {0, 0};
  for (size_t at = all.begin; at < all.end; at++) {
    std::string word = word_at(scan.mask(), at);
    if (word == macro && !macro.empty()) {
      if (!use.empty())
        return {};
      size_t end = at + word.size(), open = scan.mask().find_first_not_of(' ', end);
      bool has_arguments = open != std::string::npos && scan.mask()[open] == '(';
      use = {at, has_arguments ? std::min(scan.closing(open, all) + 1, all.end) : end};
    }
    at += std::max(word.size(), size_t{1}) - 1;
  }
  return scan.text(use);
}

std::string macro_defined_by(const std::string &line) {
  static const std::string keyword = "define";
  size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#')
    return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, keyword.size(), keyword) != 0)
    return {};
  at = line.find_first_not_of(" \t", at + keyword.size());
  return at == std::string::npos ? std::string() : word_at(line, at);
}

} // namespace pathprof
